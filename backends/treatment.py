"""What is done to a compiled circuit where it is run, so that noise does less or can be measured.

Each leaves what the circuit does without noise as it is.
"""

from collections.abc import Mapping
from typing import Any

from attrs import asdict, frozen
from qiskit import QuantumCircuit

from compiler.errors import InputError

DECOUPLING, TWIRLING, AMPLIFYING = "dd", "twirling", "zne"
"""What backends can do: sequences of gates while qubits wait; random Paulis around two-qubit
gates; every two-qubit gate several times, for zero-noise extrapolation."""

OWN_INVERSE = frozenset({"cz", "cx", "ecr", "swap"})
MOST_TWIRLS = 32


@frozen
class Treatment:
    """How a circuit is run.

    Args:
        decoupling: whether waiting qubits are flipped forth and back.
        twirling: whether two-qubit gates are surrounded by random Paulis that cancel.
        noise: how often each two-qubit gate is made, an odd number.
    """

    decoupling: bool = False
    twirling: bool = False
    noise: int = 1

    @property
    def needs(self) -> frozenset[str]:
        """What the backend has to be able to do."""
        asked = (
            (DECOUPLING, self.decoupling),
            (TWIRLING, self.twirling),
            (AMPLIFYING, self.noise > 1),
        )
        return frozenset(name for name, wanted in asked if wanted)

    def as_json(self) -> dict[str, Any] | None:
        """Return it for a job's row; None if nothing is done."""
        return None if self == PLAIN else asdict(self)


PLAIN = Treatment()


def treatment_from_json(kept: Mapping[str, Any] | None) -> Treatment:
    """Return what a job's row says.

    Raises:
        InputError: if it says anything else.
    """
    if kept is None:
        return PLAIN
    known = {"decoupling": bool, "twirling": bool, "noise": int}
    odd = type(kept.get("noise")) is int and kept["noise"] in range(1, 100, 2)
    if {key: type(value) for key, value in kept.items()} != known or not odd:
        raise InputError(f"treatment {str(kept)[:80]}: is not known")
    return Treatment(**kept)


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
