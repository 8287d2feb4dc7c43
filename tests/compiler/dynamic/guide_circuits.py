"""What guides to dynamic circuits show, as circuits of our own, each with what it must measure."""

from collections.abc import Callable, Mapping
from math import acos, pi
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


def parity_ghz(qubits: int = 6) -> QuantumCircuit:
    """Return a GHZ state of Bell pairs: what joins them is measured, mended and used again."""
    joints = range(2, qubits, 2)
    register = ClassicalRegister(len(joints), "m")
    circuit = on(qubits, register, qubits)
    for first in range(0, qubits, 2):
        circuit.h(first)
        circuit.cx(first, first + 1)
    for place, joint in enumerate(joints):
        circuit.cx(joint - 1, joint)
        circuit.measure(joint, register[place])
        circuit.reset(joint)
    for right in range(3, qubits, 2):
        parity = expr.lift(register[0])
        for place in range(1, (right - 1) // 2):
            parity = expr.bit_xor(register[place], parity)
        with circuit.if_test(parity):
            circuit.x(right)
    for joint in joints:
        circuit.cx(joint - 1, joint)
    circuit.measure(range(qubits), circuit.clbits[len(joints) :])
    return circuit


def ghz_shares(qubits: int = 6) -> Distribution:
    """Return the distribution of `parity_ghz`."""
    joints = qubits // 2 - 1
    return {
        f"{bit * qubits}{path:0{joints}b}": 1 / 2 ** (joints + 1)
        for bit in "01"
        for path in range(1 << joints)
    }


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


def teleported() -> QuantumCircuit:
    """Return a state that is teleported, and there taken back to |0⟩."""
    circuit = on(3, 3)
    circuit.u(0.7, 0.2, 1.1, 0)
    circuit.h(1)
    circuit.cx(1, 2)
    circuit.cx(0, 1)
    circuit.h(0)
    circuit.measure([0, 1], [0, 1])
    with circuit.if_test((circuit.clbits[1], 1)):
        circuit.x(2)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.z(2)
    circuit.u(-0.7, -1.1, -0.2, 2)
    circuit.measure(2, 2)
    return circuit


def iterative_phase() -> QuantumCircuit:
    """Return the phase 5/8 of a gate, bit by bit, the lowest first, with one qubit that reads."""
    circuit = on(2, 3)
    circuit.x(1)
    for step in range(3):
        circuit.reset(0)
        circuit.h(0)
        circuit.cp(2 * pi * 5 / 8 * 2 ** (2 - step), 0, 1)
        for known in range(step):
            with circuit.if_test((circuit.clbits[known], 1)):
                circuit.p(-pi / 2 ** (step - known), 0)
        circuit.h(0)
        circuit.measure(0, step)
    return circuit


def long_range_cx() -> QuantumCircuit:
    """Return a CX from q0 to q5 over a chain of Bell pairs, on |+⟩|0⟩; both are read."""
    circuit = on(6, 4, 2)
    circuit.h(0)
    for left in (1, 3):
        circuit.h(left)
        circuit.cx(left, left + 1)
    circuit.cx(0, 1)
    circuit.cx(2, 3)
    circuit.cx(4, 5)
    circuit.h([2, 4])
    circuit.measure([1, 3, 2, 4], range(4))
    with circuit.if_test(expr.bit_xor(circuit.clbits[0], circuit.clbits[1])):
        circuit.x(5)
    with circuit.if_test(expr.bit_xor(circuit.clbits[2], circuit.clbits[3])):
        circuit.z(0)
    # (|00⟩ + |11⟩)/√2 is |00⟩ after its inverse.
    circuit.cx(0, 5)
    circuit.h(0)
    circuit.measure([0, 5], [4, 5])
    return circuit


def until_success(attempts: int = 3) -> QuantumCircuit:
    """Return a turn by arccos(3/5) about x that succeeds with 5/8, tried again while it fails.

    What it does where it fails is an X, which is undone. The turn is taken back in the end.
    """
    register = ClassicalRegister(2, "tried")
    circuit = on(3, register, 1)

    def attempt() -> None:
        circuit.h([0, 1, 2])
        circuit.ccx(0, 1, 2)
        circuit.s(2)
        circuit.ccx(0, 1, 2)
        circuit.h([0, 1, 2])
        circuit.measure([0, 1], register)

    attempt()
    for _ in range(attempts - 1):
        with circuit.if_test(expr.not_equal(register, 0)):
            circuit.x(2)
            circuit.reset([0, 1])
            attempt()
    with circuit.if_test((register, 0)) as otherwise:
        circuit.rx(-acos(3 / 5), 2)
    with otherwise:
        circuit.x(2)
    circuit.measure(2, 2)
    return circuit


def reused(secret: int = 0b1101) -> QuantumCircuit:
    """Return the hidden string of Bernstein and Vazirani, with one qubit that is used again."""
    circuit = on(2, 4)
    circuit.x(1)
    circuit.h(1)
    for place in range(4):
        circuit.reset(0)
        circuit.h(0)
        if secret >> place & 1:
            circuit.cx(0, 1)
        circuit.h(0)
        circuit.measure(0, place)
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
    "parity GHZ": Guide(parity_ghz, ghz_shares()),
    "computed": Guide(computed, {"10" + "111" + "101": 1}),
    "boxed": Guide(boxed, {"00": 1 / 2, "01": 1 / 2}),
    "teleported": Guide(teleported, {f"0{n:02b}": QUARTER for n in range(4)}),
    "iterative phase": Guide(iterative_phase, {"101": 1}),
    "long-range CX": Guide(long_range_cx, {f"00{n:04b}": 1 / 16 for n in range(16)}),
    "until success": Guide(
        until_success,
        {"000": 1 - (3 / 8) ** 3} | {f"0{n:02b}": (3 / 8) ** 3 / 3 for n in (1, 2, 3)},
    ),
    "reused": Guide(reused, {"1101": 1}),
}


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
