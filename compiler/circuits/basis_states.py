"""Gates that keep the basis states of some or all of their qubits: controls and diagonal gates."""

from qiskit.circuit import CircuitInstruction, ControlledGate, Instruction, Qubit

DIAGONAL = frozenset({"id", "z", "s", "sdg", "t", "tdg", "p", "u1", "rz", "rzz"})
"""Gates that change no basis state."""


def controls_of(gate: object) -> int:
    """Return how many of a gate's first qubits are controls."""
    return gate.num_ctrl_qubits if isinstance(gate, ControlledGate) else 0


def base_name(gate: Instruction) -> str:
    """Return the name of a gate without its controls."""
    return str(gate.base_gate.name if isinstance(gate, ControlledGate) else gate.name)


def changed_qubits(item: CircuitInstruction) -> set[Qubit]:
    """Return the qubits on which an elementary gate is neither a control nor diagonal."""
    gate = item.operation
    if base_name(gate) in DIAGONAL:
        return set()
    return set(item.qubits[controls_of(gate) :])
