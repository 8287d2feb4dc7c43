"""Targets in which qubits are coupled to one computational resonator, as in IQM's stars."""

from qiskit import QuantumCircuit
from qiskit.circuit import Gate, Measure, Parameter
from qiskit.circuit.library import CZGate, RGate
from qiskit.transpiler import Target

from compiler.errors import TargetError
from compiler.targets.target import parse_size, target_family


class MoveGate(Gate):
    """Exchanges a qubit's state with the resonator's, where one of the two is in |0⟩.

    It acts on (qubit, resonator) as a swap does on states in which at least one of the two is
    in |0⟩. Its action on |11⟩ is undefined: circuits have to keep clear of that, which
    `compiler.verification.program.require_moves` checks.
    """

    def __init__(self) -> None:
        super().__init__("move", 2, [])

    def _define(self) -> None:
        self.definition = QuantumCircuit(2)
        self.definition.swap(0, 1)


@target_family(
    "resonator", "resonator:N  N qubits around one resonator, qubit N, in PRX, CZ and MOVE"
)
def resonator(size: str, gates: str) -> Target:
    """Return N qubits and one resonator, the last index; it has no gate alone, nor a readout.

    Raises:
        TargetError: if another gate set is asked for, or N is no size.
    """
    if gates:
        raise TargetError(
            f"target 'resonator:{size}' has its own native gates; leave out ':{gates}'"
        )
    qubits = parse_size("resonator", size)
    target = Target(num_qubits=qubits + 1)
    single = dict.fromkeys((qubit,) for qubit in range(qubits))
    coupled = dict.fromkeys((qubit, qubits) for qubit in range(qubits))
    target.add_instruction(RGate(Parameter("θ"), Parameter("φ")), dict(single))
    target.add_instruction(CZGate(), dict(coupled))
    target.add_instruction(MoveGate(), dict(coupled))
    target.add_instruction(Measure(), dict(single))
    return target


def without_resonator(target: Target) -> bool:
    """Return whether a target's qubits are coupled directly, so that usual passes know them."""
    return not has_resonator(target)


def has_resonator(target: Target) -> bool:
    """Return whether a target's qubits are coupled through a resonator, its last qubit."""
    return "move" in target.operation_names


def computational_qubits(target: Target) -> int:
    """Return how many qubits a program may have on a target.

    These are all that some instruction acts on, but a resonator.
    """
    places = target.qargs
    everywhere = places is None or None in places
    named = range(target.num_qubits) if everywhere else {q for place in places for q in place}
    return len(named) - has_resonator(target)
