"""ANDs for a while: written into a clean qubit by a Toffoli gate, and measured away.

A qubit that holds a·b and is wanted no more is measured in the basis of X. After 0 nothing has
changed, after 1 the sign where a = b = 1 has, which a CZ between a and b takes back. So an AND
costs four T gates once, and its clearing none.

Here both are gates that a method can use like any other: their circuits are unitary, so that
methods are proven and lowered as ever, while those who count T gates know them by their names.

References:
    Gidney, "Halving the cost of quantum addition", arXiv:1709.06648, figure 3.
"""

from qiskit import ClassicalRegister, QuantumCircuit
from qiskit.circuit import ControlledGate, Gate, Operation

from compiler.circuits.gate_steps import zero_controls


def is_multi_controlled_pauli(gate: Operation) -> bool:
    """Return whether a gate is X or Z under two controls or more, under any name."""
    return (
        isinstance(gate, ControlledGate)
        and gate.base_gate.name in ("x", "z")
        and gate.num_ctrl_qubits >= 2
    )


def rungs(gate: Operation) -> int:
    """Return the clean qubits of the ladder: two less than controls, 0 for any other gate."""
    return gate.num_qubits - 3 if is_multi_controlled_pauli(gate) else 0


def by_ladder(gate: ControlledGate) -> QuantumCircuit:
    """Return X or Z under k ≥ 2 controls: k − 2 ANDs, a Toffoli gate, the ANDs measured away.

    Args:
        gate: for which `is_multi_controlled_pauli` holds.

    Returns:
        A circuit on the gate's qubits, then k − 2 clean ones.
    """
    controls, target = range(gate.num_ctrl_qubits), gate.num_ctrl_qubits
    clean = range(target + 1, target + 1 + rungs(gate))
    circuit = QuantumCircuit(clean.stop)
    outside = circuit.copy_empty_like()
    if zeros := zero_controls(gate, controls):
        outside.x(zeros)
    if gate.base_gate.name == "z":
        outside.h(target)
    above = [controls[0], *clean]
    circuit.compose(outside, inplace=True)
    for place, qubit in enumerate(clean):
        temporary_and(circuit, above[place], controls[place + 1], qubit)
    circuit.ccx(above[-1], controls[-1], target)
    for place, qubit in reversed(list(enumerate(clean))):
        undo_and(circuit, above[place], controls[place + 1], qubit)
    return circuit.compose(outside)


AND, UNDO_AND = "temporary_and", "temporary_and_dg"


class TemporaryAnd(Gate):
    """|a, b, 0⟩ → |a, b, ab⟩ exactly; on a target of 1 it may do anything.

    Its inverse, |a, b, ab⟩ → |a, b, 0⟩, clears the target. As circuits, both are a Toffoli gate.

    Args:
        name: `AND`, or `UNDO_AND` for the inverse.
    """

    def __init__(self, name: str = AND) -> None:
        super().__init__(name, 3, [])

    def _define(self) -> None:
        self.definition = QuantumCircuit(3)
        self.definition.ccx(0, 1, 2)

    def inverse(self, annotated: bool = False) -> Gate:
        """Return the gate that clears the target, or the one that sets it."""
        return TemporaryAnd(UNDO_AND if self.name == AND else AND)


def temporary_and(circuit: QuantumCircuit, a: int, b: int, target: int) -> None:
    """Append an AND onto a clean target."""
    circuit.append(TemporaryAnd(), [a, b, target])


def undo_and(circuit: QuantumCircuit, a: int, b: int, target: int) -> None:
    """Append the gates that clear a target that holds the AND."""
    circuit.append(TemporaryAnd(UNDO_AND), [a, b, target])


def measured(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit in which ANDs are cleared by a measurement each, and a CZ if it gives 1.

    Args:
        circuit: gates, at its top level those of this module.
    """
    clearings = sum(item.operation.name == UNDO_AND for item in circuit.data)
    result = circuit.copy_empty_like()
    outcomes = ClassicalRegister(clearings, "cleared")
    result.add_register(outcomes)
    free = iter(outcomes)
    for item in circuit.data:
        if item.operation.name != UNDO_AND:
            result.append(item)
            continue
        a, b, target = item.qubits
        outcome = next(free)
        result.h(target)
        result.measure(target, outcome)
        with result.if_test((outcome, 1)):
            result.cz(a, b)
            result.x(target)
    return result
