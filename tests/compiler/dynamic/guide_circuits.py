"""What guides to dynamic circuits show, as circuits of our own, each with what it must measure."""

from collections.abc import Callable, Mapping
from math import pi
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


def flipped_back() -> QuantumCircuit:
    """Return a toss that is undone where it came down as 1."""
    circuit = on(1, 1)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(0)
    circuit.measure(0, 0)
    return circuit


def either_or() -> QuantumCircuit:
    """Return one of two gates, by a toss."""
    circuit = on(2, 2)
    circuit.h(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)) as otherwise:
        circuit.h(1)
    with otherwise:
        circuit.x(1)
    circuit.measure(1, 1)
    return circuit


def whole_register() -> QuantumCircuit:
    """Return a flip for one value of three bits."""
    register = ClassicalRegister(3, "c")
    circuit = on(3, register)
    circuit.h([0, 1])
    circuit.measure([0, 1], [0, 1])
    with circuit.if_test((register, 0b010)):
        circuit.x(2)
    circuit.measure(2, 2)
    return circuit


def nested() -> QuantumCircuit:
    """Return branches within branches: q2 becomes the exclusive or of two tosses."""
    circuit = on(3, 3)
    circuit.h([0, 1])
    circuit.measure([0, 1], [0, 1])
    first, second = circuit.clbits[:2]
    with circuit.if_test((first, 1)) as otherwise, circuit.if_test((second, 0)):
        circuit.x(2)
    with otherwise, circuit.if_test((circuit.clbits[1], 1)):
        circuit.x(2)
    circuit.measure(2, 2)
    return circuit


def switched_bit() -> QuantumCircuit:
    """Return a switch on a bit."""
    circuit = on(2, 2)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.switch(circuit.clbits[0]) as case:
        with case(0):
            circuit.h(1)
        with case(1):
            circuit.ry(pi, 1)
    circuit.measure(1, 1)
    return circuit


def switched_register() -> QuantumCircuit:
    """Return a switch on a register, with several labels and a default."""
    register = ClassicalRegister(2, "c")
    circuit = on(3, register, 1)
    circuit.h([0, 1])
    circuit.measure([0, 1], register)
    with circuit.switch(register) as case:
        with case(0, 3):
            circuit.z(2)
        with case(1):
            circuit.x(2)
        with case(case.DEFAULT):
            circuit.h(2)
    circuit.measure(2, 2)
    return circuit


def looped() -> QuantumCircuit:
    """Return a loop whose angles grow with its variable: 1 + 2 + 3 parts of a turn."""
    circuit = on(1, 1)
    with circuit.for_loop((1, 2, 3)) as turn:
        circuit.rx(turn * pi / 6, 0)
    circuit.measure(0, 0)
    return circuit


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


EIGHTH, QUARTER = 1 / 8, 1 / 4
GUIDES: Mapping[str, Guide] = {
    "flipped back": Guide(flipped_back, {"0": 1}),
    "either or": Guide(either_or, {"01": QUARTER, "11": QUARTER, "10": 1 / 2}),
    "whole register": Guide(
        whole_register, {"000": QUARTER, "001": QUARTER, "110": QUARTER, "011": QUARTER}
    ),
    "nested": Guide(nested, {"000": QUARTER, "101": QUARTER, "110": QUARTER, "011": QUARTER}),
    "switched bit": Guide(switched_bit, {"11": 1}),
    "switched register": Guide(
        switched_register,
        {"000": QUARTER, "011": QUARTER, "101": QUARTER, "010": EIGHTH, "110": EIGHTH},
    ),
    "looped": Guide(looped, {"1": 1}),
    "looped branches": Guide(
        looped_branches, {"00": QUARTER, "10": QUARTER, "01": QUARTER, "11": QUARTER}
    ),
    "computed": Guide(computed, {"10" + "111" + "101": 1}),
    "boxed": Guide(boxed, {"00": 1 / 2, "01": 1 / 2}),
}
