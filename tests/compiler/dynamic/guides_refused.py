"""What guides to dynamic circuits show and nobody can lower, with what is said of it."""

from collections.abc import Callable, Mapping

from qiskit import QuantumCircuit
from qiskit.circuit.classical import expr

from tests.compiler.dynamic.guide_circuits import on


def not_bounded() -> QuantumCircuit:
    """Return a loop that ends when a toss comes down as 0."""
    circuit = on(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.while_loop((circuit.clbits[0], 1)):
        circuit.h(0)
        circuit.measure(0, 0)
    return circuit


def left_early() -> QuantumCircuit:
    """Return a loop that is left when a toss comes down as 1."""
    circuit = on(1, 1)
    with circuit.for_loop(range(5)):
        circuit.h(0)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.break_loop()
    return circuit


def skipped() -> QuantumCircuit:
    """Return a loop whose turns are cut short by a toss."""
    circuit = on(1, 1)
    with circuit.for_loop(range(5)):
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.continue_loop()
        circuit.h(0)
    return circuit


def stored() -> QuantumCircuit:
    """Return a condition on a variable that was computed on the way."""
    circuit = on(2, 2)
    circuit.h(0)
    circuit.measure([0, 1], [0, 1])
    parity = circuit.add_var("parity", expr.lift(False))
    circuit.store(parity, expr.bit_xor(circuit.clbits[0], circuit.clbits[1]))
    with circuit.if_test(parity):
        circuit.x(1)
    return circuit


REFUSED: Mapping[str, tuple[Callable[[], QuantumCircuit], str]] = {
    "while": (not_bounded, "'while_loop' has no bound; write a for loop"),
    "break": (left_early, "a loop has 'break' or 'continue'; put an if around"),
    "continue": (skipped, "a loop has 'break' or 'continue'; put an if around"),
    "store": (stored, "'store' computes on the way; write what it computes into the condition"),
}
