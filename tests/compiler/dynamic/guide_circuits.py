"""What guides to dynamic circuits show, as circuits of our own, each with what it must measure."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr

Distribution = Mapping[str, float]


class Guide(NamedTuple):
    """A circuit, and the distribution of its bits, the highest first."""

    build: Callable[[], QuantumCircuit]
    wanted: Distribution


def on(qubits: int, *registers: ClassicalRegister | int) -> QuantumCircuit:
    """Return an empty circuit with named registers."""
    bits = [
        ClassicalRegister(each, f"c{i}") if isinstance(each, int) else each
        for i, each in enumerate(registers)
    ]
    return QuantumCircuit(QuantumRegister(qubits, "q"), *bits)


def looped_branches() -> QuantumCircuit:
    """Return a loop in which a toss decides, in each turn."""
    circuit = on(2, 2)
    with circuit.for_loop(range(2)):
        circuit.reset(0)
        circuit.h(0)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)):
            circuit.x(1)
    circuit.measure(1, 1)
    return circuit


def computed() -> QuantumCircuit:
    """Return conditions that mask, compare and combine."""
    first, second = ClassicalRegister(3, "first"), ClassicalRegister(3, "second")
    circuit = on(4, first, second, 2)
    circuit.x([0, 2])
    circuit.measure([0, 1, 2], first)
    circuit.x(1)
    circuit.measure([0, 1, 2], second)
    with circuit.if_test(expr.equal(expr.bit_and(first, second), 5)):
        circuit.x(3)
    with circuit.if_test(
        expr.logic_and(expr.less(first, second), expr.logic_not(expr.lift(first[1])))
    ):
        circuit.reset(0)
    circuit.measure([0, 3], [6, 7])
    return circuit


def boxed() -> QuantumCircuit:
    """Return a box, and a delay that stretches."""
    circuit = on(2, 2)
    circuit.h(0)
    with circuit.box():
        circuit.cx(0, 1)
    circuit.delay(circuit.add_stretch("rest"), 1)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(1)
    circuit.measure(1, 1)
    return circuit


GUIDES: Mapping[str, Guide] = {
    "looped branches": Guide(looped_branches, dict.fromkeys(("00", "10", "01", "11"), 1 / 4)),
    "computed": Guide(computed, {"10" + "111" + "101": 1}),
    "boxed": Guide(boxed, {"00": 1 / 2, "01": 1 / 2}),
}
