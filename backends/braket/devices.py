"""Amazon Braket's devices: what each is called, takes and charges."""

from collections.abc import Mapping
from decimal import Decimal

from attrs import frozen
from qiskit import QuantumCircuit

from backends.braket.feed_forward import feed_forward, feed_forward_source
from backends.braket.program import (
    active_qubits,
    simulator_labels,
    simulator_source,
    verbatim_labels,
    verbatim_pairs,
    verbatim_source,
)
from backends.errors import BackendError
from backends.prices import Price, price
from compiler.dynamic.needs import Need
from compiler.dynamic.pieces import is_dynamic

SV1_QUBITS = 34
SV1_AMPLITUDES_PER_SECOND = 10**8
"""How many amplitudes gates change a second, guessed low so that a bill is guessed high."""
SV1_MAX_SECONDS = 6 * 3600
"""After which Braket ends a task on SV1, by Amazon's list of quotas."""

SUPPORTED: Mapping[str, frozenset[Need]] = {
    "garnet": frozenset(
        {
            Need.MEASUREMENT,
            Need.RESET,
            Need.IF,
            Need.SWITCH,
            Need.EXPRESSION,
            Need.ARITHMETIC,
            Need.INDEX,
            Need.TRUTH,
        }
    ),
    "emerald": frozenset({Need.RESET}),
}
"""By Amazon's developer guide; see `backends.braket.feed_forward`.

A qubit of Emerald is known to share a group with itself alone.
"""


@frozen
class Device:
    """A machine, or the simulator SV1.

    Args:
        name: what follows the colon in a spec, and `braket:` in the table of prices.
        arn: Braket's own name of it.
        target: spec of the target that circuits for it are lowered to.
        real: whether it is a machine.
    """

    name: str
    arn: str
    target: str
    real: bool

    def price(self) -> Price:
        """Return what it charges.

        Raises:
            PriceError: if the table of prices cannot be read.
        """
        return price(f"braket:{self.name}")

    def seconds(self, circuit: QuantumCircuit) -> Decimal:
        """Return the most seconds that are charged for a circuit, a rough upper guess."""
        if self.real:
            return Decimal(0)
        changed = circuit.size() << len(active_qubits(circuit))
        return min(Decimal(changed) / SV1_AMPLITUDES_PER_SECOND, Decimal(SV1_MAX_SECONDS))

    def source(self, circuit: QuantumCircuit) -> str:
        """Return a circuit in OpenQASM 3.

        Raises:
            BackendError: if the device cannot run it.
        """
        if self.feeds_forward(circuit):
            return feed_forward_source(circuit, self.name)
        if self.real:
            return verbatim_source(circuit)
        if (qubits := len(active_qubits(circuit))) > SV1_QUBITS:
            raise BackendError(f"braket:{self.name} takes {SV1_QUBITS} qubits, not {qubits}")
        return simulator_source(circuit)

    def labels(self, circuit: QuantumCircuit) -> Mapping[int, int]:
        """Return the classical bit that each measured label is read into."""
        if self.feeds_forward(circuit):
            read = feed_forward(circuit, self.name).read
            return {label: bit for bit, label in read.items()}
        return verbatim_labels(circuit) if self.real else simulator_labels(circuit)

    def pairs(self, circuit: QuantumCircuit) -> set[tuple[int, int]]:
        """Return the labels of the pairs of a machine's qubits that a circuit couples."""
        if self.feeds_forward(circuit):
            return set(feed_forward(circuit, self.name).pairs)
        return verbatim_pairs(circuit)

    def feeds_forward(self, circuit: QuantumCircuit) -> bool:
        """Tell whether a circuit needs Braket's experimental capabilities."""
        return self.real and is_dynamic(circuit)

    def supports(self) -> frozenset[Need]:
        """Return what it can do besides gates and final measurements."""
        return SUPPORTED.get(self.name, frozenset())


DEVICES: Mapping[str, Device] = {
    device.name: device
    for device in (
        Device("garnet", "arn:aws:braket:eu-north-1::device/qpu/iqm/Garnet", "iqm:garnet", True),
        Device("emerald", "arn:aws:braket:eu-north-1::device/qpu/iqm/Emerald", "iqm:emerald", True),
        Device("sv1", "arn:aws:braket:::device/quantum-simulator/amazon/sv1", "all", False),
    )
}
