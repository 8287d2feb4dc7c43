"""Choices by measured bits: conditions and switches."""

from itertools import product

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import CASE_DEFAULT, ClassicalRegister, Clbit, QuantumRegister
from qiskit.circuit.classical import expr, types

from compiler.dynamic.needs import Need, needs_of
from compiler.dynamic.pieces import choice_of
from compiler.dynamic.switches import without_switches
from compiler.errors import InputError
from compiler.verification.program import outcome_distribution, program_state
from tests.compiler.dynamic.circuits import random_dynamic
from tests.independent import distribution

C, D = ClassicalRegister(5, "c"), ClassicalRegister(3, "d")
BIT = Clbit()
E = expr.cast(D, types.Uint(5))

CONDITIONS = {
    "equal": (expr.equal(C, 19), lambda c, d, b: c == 19),
    "not equal": (expr.not_equal(C, D), lambda c, d, b: c != d),
    "less": (expr.less(C, 11), lambda c, d, b: c < 11),
    "less or equal": (expr.less_equal(C, D), lambda c, d, b: c <= d),
    "greater": (expr.greater(D, C), lambda c, d, b: d > c),
    "greater or equal": (expr.greater_equal(C, 30), lambda c, d, b: c >= 30),
    "always": (expr.greater_equal(C, 0), lambda c, d, b: True),
    "and": (expr.equal(expr.bit_and(C, 0b10100), 4), lambda c, d, b: c & 0b10100 == 4),
    "or": (expr.equal(expr.bit_or(C, E), 31), lambda c, d, b: c | d == 31),
    "xor": (expr.less(expr.bit_xor(C, E), 9), lambda c, d, b: c ^ d < 9),
    "not": (expr.equal(expr.bit_not(C), 7), lambda c, d, b: ~c & 31 == 7),
    "sum": (expr.less(expr.add(C, E), 8), lambda c, d, b: (c + d) % 32 < 8),
    "difference": (expr.equal(expr.sub(C, E), 31), lambda c, d, b: (c - d) % 32 == 31),
    "product": (expr.equal(expr.mul(C, E), 12), lambda c, d, b: c * d % 32 == 12),
    "shift": (expr.equal(expr.shift_right(C, D), 1), lambda c, d, b: c >> d == 1),
    "shift left": (expr.equal(expr.shift_left(C, 2), 8), lambda c, d, b: c << 2 & 31 == 8),
    "index": (expr.index(C, D), lambda c, d, b: c >> d & 1),
    "bit": (expr.lift(BIT), lambda c, d, b: b),
    "no bit": (expr.logic_not(BIT), lambda c, d, b: not b),
    "both": (expr.logic_and(BIT, expr.equal(D, 2)), lambda c, d, b: b and d == 2),
    "either": (expr.logic_or(expr.less(D, 3), BIT), lambda c, d, b: d < 3 or b),
    "cast": (expr.cast(C, types.Bool()), lambda c, d, b: c != 0),
    "cut": (expr.equal(expr.cast(C, types.Uint(2)), 3), lambda c, d, b: c & 3 == 3),
}


def branch(condition):
    circuit = QuantumCircuit(QuantumRegister(1), C, D, [BIT])
    with circuit.if_test(condition):
        circuit.x(0)
    return circuit.data[0].operation


def values(register, number):
    return {bit: bool(number >> place & 1) for place, bit in enumerate(register)}


@pytest.mark.parametrize("name", CONDITIONS)
def test_a_condition_is_what_integers_say(name):
    condition, says = CONDITIONS[name]
    try:
        choice = choice_of(branch(condition))
    except InputError as error:
        pytest.fail(str(error))
    for c, d, b in product(range(32), range(8), (False, True)):
        known = values(C, c) | values(D, d) | {BIT: b}
        assert choice.body(known) == (0 if says(c, d, b) else None)
        met = [case for case in choice.when(0) if all(known[bit] == v for bit, v in case.items())]
        assert len(met) == bool(says(c, d, b))


def test_a_switch_is_what_integers_say():
    circuit = QuantumCircuit(QuantumRegister(1), C)
    with circuit.switch(C) as case:
        with case(3, 17):
            circuit.x(0)
        with case(4):
            circuit.y(0)
        with case(CASE_DEFAULT):
            circuit.z(0)
    choice = choice_of(circuit.data[0].operation)
    wanted = {3: 0, 17: 0, 4: 1}
    assert [choice.body(values(C, c)) for c in range(32)] == [wanted.get(c, 2) for c in range(32)]


WIDE = ClassicalRegister(100, "wide")


@pytest.mark.parametrize(
    ("condition", "says", "cases"),
    [
        ((WIDE, 1 << 70 | 5), lambda n: n == 1 << 70 | 5, 101),
        (expr.not_equal(WIDE, 9), lambda n: n != 9, 101),
        (expr.less(WIDE, 1 << 60), lambda n: n < 1 << 60, 41),
        (expr.equal(expr.bit_and(WIDE, 5), 4), lambda n: n & 5 == 4, 3),
        (expr.cast(WIDE, types.Bool()), lambda n: n != 0, 101),
    ],
)
def test_wide_registers_are_compared_bit_by_bit(condition, says, cases):
    circuit = QuantumCircuit(QuantumRegister(1), WIDE)
    with circuit.if_test(condition):
        circuit.x(0)
    choice = choice_of(circuit.data[0].operation)
    assert len(list(choice.cases())) == cases
    near = [0, 4, 5, 9, 1 << 59, (1 << 60) - 1, 1 << 60, 1 << 70, 1 << 70 | 5, (1 << 100) - 1]
    for number in near:
        assert choice.body(values(WIDE, number)) == (0 if says(number) else None)


def parity(register):
    condition = expr.lift(register[0])
    for bit in register[1:]:
        condition = expr.bit_xor(condition, bit)
    return condition


def test_what_tells_too_many_values_apart_is_refused():
    def choice(bits):
        register = ClassicalRegister(bits, "c")
        circuit = QuantumCircuit(QuantumRegister(1), register)
        with circuit.if_test(parity(register)):
            circuit.x(0)
        return choice_of(circuit.data[0].operation)

    assert len(choice(12).when(0)) == 2048
    with pytest.raises(InputError, match="on 13 bits tells more than 4096 of their values apart"):
        choice(13)


def test_a_condition_on_very_many_bits_is_refused():
    register = ClassicalRegister(129, "c")
    circuit = QuantumCircuit(QuantumRegister(1), register)
    with circuit.if_test((register, 1)):
        circuit.x(0)
    with pytest.raises(InputError, match="reads 129 bits; at most 128 are taken"):
        program_state(circuit)


ANGLES = (0.4, 1.1, 1.9, 2.3)


def found(circuit: QuantumCircuit) -> dict[int, float]:
    return outcome_distribution(circuit, program_state(circuit))


def started() -> QuantumCircuit:
    """Return two measured bits, of which every value is as likely as no other."""
    circuit = QuantumCircuit(QuantumRegister(3, "q"), ClassicalRegister(2, "r"))
    circuit.add_register(ClassicalRegister(1, "s"))
    circuit.ry(0.9, 0)
    circuit.ry(1.3, 1)
    circuit.measure([0, 1], [0, 1])
    return circuit


def switched(cases, target=None) -> QuantumCircuit:
    """Return a circuit whose last bit has another bias in each case.

    Args:
        cases: the labels of each; None is the default.
        target: of the switch, by default both bits.
    """
    circuit = started()
    with circuit.switch(circuit.cregs[0] if target is None else target(circuit)) as case:
        for labels, angle in zip(cases, ANGLES, strict=False):
            with case(*(case.DEFAULT if label is None else label for label in labels)):
                circuit.ry(angle, 2)
    circuit.measure(2, 2)
    return circuit


@pytest.mark.parametrize(
    "cases",
    [
        [(1,)],
        [(1,), (3,), (2,)],
        [(0, 3), (2,)],
        [(1,), (None,)],
        [(0, 2), (None,)],
        [(1,), (2, 3), (None,)],
        [(1,), (2, None)],
        [(None,)],
        [(0,), (1,), (2,), (3,)],
    ],
    ids=str,
)
def test_every_case_is_an_if_of_its_own(cases):
    circuit = switched(cases)
    rewritten = without_switches(circuit)
    assert "switch_case" not in rewritten.count_ops()
    assert found(rewritten) == pytest.approx(distribution(circuit), abs=1e-12)
    assert not needs_of(rewritten) & {Need.SWITCH, Need.NESTED}


@pytest.mark.parametrize("seed", range(6))
def test_random_circuits_measure_the_same(seed):
    circuit = random_dynamic(seed)
    assert found(without_switches(circuit)) == pytest.approx(distribution(circuit), abs=1e-9)


def test_a_case_that_writes_what_decides_is_left_as_it_is():
    circuit = started()
    with circuit.switch(circuit.cregs[0]) as case:
        with case(1):
            circuit.measure(2, 1)
        with case(3):
            circuit.x(2)
    assert without_switches(circuit) == circuit


@pytest.mark.parametrize(
    "condition", [expr.less(expr.lift(2.0), 3.0), expr.equal(expr.div(C, 2), 1)]
)
def test_what_is_no_whole_number_is_refused(condition):
    with pytest.raises(InputError):
        choice_of(branch(condition))
