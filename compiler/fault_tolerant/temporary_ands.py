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
from qiskit.circuit import Gate

AND, UNDO_AND = "temporary_and", "temporary_and_dg"


class TemporaryAnd(Gate):
    """|a, b, 0⟩ → |a, b, ab⟩ exactly; on a target of 1 it may do anything.

    Its inverse clears the target. As circuits, a Toffoli gate and a Toffoli gate.
    """

    def __init__(self) -> None:
        super().__init__(AND, 3, [])

    def _define(self) -> None:
        self.definition = QuantumCircuit(3)
        self.definition.ccx(0, 1, 2)

    def inverse(self, annotated: bool = False) -> Gate:
        """Return what clears the target."""
        return UndoneAnd()


class UndoneAnd(Gate):
    """|a, b, ab⟩ → |a, b, 0⟩ exactly; on other targets it may do anything."""

    def __init__(self) -> None:
        super().__init__(UNDO_AND, 3, [])

    def _define(self) -> None:
        self.definition = QuantumCircuit(3)
        self.definition.ccx(0, 1, 2)

    def inverse(self, annotated: bool = False) -> Gate:
        """Return what sets the target."""
        return TemporaryAnd()


def temporary_and(circuit: QuantumCircuit, a: int, b: int, target: int) -> None:
    """Append an AND onto a clean target."""
    circuit.append(TemporaryAnd(), [a, b, target])


def undo_and(circuit: QuantumCircuit, a: int, b: int, target: int) -> None:
    """Append what clears a target that holds the AND."""
    circuit.append(UndoneAnd(), [a, b, target])


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
