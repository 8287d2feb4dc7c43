"""Options of running a compiled circuit, most of them methods against noise.

None changes the result of the circuit without noise.
"""

from collections.abc import Mapping
from typing import Any, Self

from attrs import asdict, field, frozen
from attrs.validators import in_, instance_of
from qiskit import QuantumCircuit

from compiler.errors import InputError

DECOUPLING, TWIRLING, AMPLIFYING = "dd", "twirling", "zne"
"""What backends can do: sequences of gates while qubits wait; random Paulis around two-qubit
gates; every two-qubit gate several times, for zero-noise extrapolation."""

OWN_INVERSE = frozenset({"cz", "cx", "ecr", "swap"})
MOST_TWIRLS = 32


@frozen
class RunOptions:
    """Options of running a circuit, besides its shots and seed.

    Requests, rows, bundles and retries hold them as a whole: a further option is a field here,
    and is read by the backends that support it.

    Args:
        decoupling: whether idle qubits are flipped back and forth.
        twirling: whether two-qubit gates are surrounded by random Paulis that cancel.
        noise: how often each two-qubit gate is made, an odd number.
    """

    decoupling: bool = field(default=False, validator=instance_of(bool))
    twirling: bool = field(default=False, validator=instance_of(bool))
    noise: int = field(default=1, validator=[instance_of(int), in_(range(1, 100, 2))])

    @property
    def needs(self) -> frozenset[str]:
        """Methods against noise that the backend must support."""
        asked = (
            (DECOUPLING, self.decoupling),
            (TWIRLING, self.twirling),
            (AMPLIFYING, self.noise > 1),
        )
        return frozenset(name for name, wanted in asked if wanted)

    def as_json(self) -> dict[str, Any] | None:
        """Return the options that are not the default ones; None if there are none."""
        return asdict(self, filter=lambda option, value: value != option.default) or None

    @classmethod
    def from_json(cls, document: Mapping[str, Any] | None) -> Self:
        """Return the options of a document that `as_json` has returned.

        Raises:
            InputError: if it holds anything else.
        """
        try:
            return cls(**document or {})
        except (TypeError, ValueError) as error:
            raise InputError(f"run options {str(document)[:80]}: invalid") from error


PLAIN = RunOptions()


def amplified(circuit: QuantumCircuit, noise: int) -> QuantumCircuit:
    """Return a circuit with each two-qubit gate made so often; the noise grows by about as much.

    As each is its own inverse, an odd number of them does what one does (unitary folding; Giurgica-
    Tiron et al., arXiv:2005.10921).

    Args:
        circuit: native, without branches.
        noise: an odd number; 1 for the circuit as it is.

    Raises:
        InputError: if a gate is not its own inverse.
    """
    if noise == 1:
        return circuit
    folded = circuit.copy_empty_like()
    for item in circuit.data:
        times = noise if _is_two_qubit_gate(item.operation) else 1
        if times > 1 and item.operation.name not in OWN_INVERSE:
            raise InputError(
                f"zne: a '{item.operation.name}' made {noise} times is another gate; take a "
                "target whose two-qubit gate is its own inverse, such as cz"
            )
        for _ in range(times):
            folded.append(item)
    return folded


def twirls(shots: int) -> int:
    """Return in how many random forms a circuit is run: the most that divide its shots, up to 32.

    Raises:
        InputError: if that is only one.
    """
    found = max(n for n in range(1, MOST_TWIRLS + 1) if shots % n == 0)
    if found == 1:
        raise InputError(
            f"shots = {shots}: twirling runs equally many shots of each of up to {MOST_TWIRLS} "
            f"random forms; take a multiple of 10, such as {max(10, round(shots, -1))}"
        )
    return found


def _is_two_qubit_gate(operation: Any) -> bool:
    return operation.num_qubits == 2 and operation.num_clbits == 0 and operation.name != "barrier"
