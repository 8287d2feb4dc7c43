"""Switches as `if` and `else`: the same distributions, and nothing that IBM's machines refuse."""

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, QuantumRegister
from qiskit.circuit.classical import expr

from compiler.dynamic.needs import Need, needs_of
from compiler.dynamic.switches import without_switches
from compiler.verification.program import outcome_distribution, program_state
from tests.compiler.dynamic.circuits import random_dynamic
from tests.independent import distribution

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


def test_a_case_and_the_default_are_if_and_else():
    assert without_switches(switched([(1,), (None,)])).count_ops()["if_else"] == 1
    assert without_switches(switched([(1,), (2,), (None,)])).count_ops()["if_else"] == 3


def test_one_value_is_asked_for_without_an_expression():
    assert Need.EXPRESSION not in needs_of(without_switches(switched([(1,), (3,), (2,)])))
    assert Need.EXPRESSION in needs_of(without_switches(switched([(1, 2)])))


@pytest.mark.parametrize(
    ("target", "cases", "meant"),
    [
        (lambda c: c.clbits[1], [(1,), (0,)], {2: 0, 3: 0, 0: 1, 1: 1}),
        (lambda c: expr.bit_xor(c.cregs[0], 3), [(0,), (2,)], {3: 0, 1: 1}),
        (lambda c: expr.logic_not(c.clbits[0]), [(True,), (False,)], {0: 0, 2: 0, 1: 1, 3: 1}),
    ],
    ids=["a bit", "a number", "true or false"],
)
def test_bits_and_expressions_may_decide(target, cases, meant):
    # The same by one `switch` on both bits, of which the density matrices know.
    wanted = started()
    with wanted.switch(wanted.cregs[0]) as case:
        for value, place in meant.items():
            with case(value):
                wanted.ry(ANGLES[place], 2)
    wanted.measure(2, 2)
    rewritten = without_switches(switched(cases, target))
    assert "switch_case" not in rewritten.count_ops()
    assert found(rewritten) == pytest.approx(distribution(wanted), abs=1e-12)


@pytest.mark.parametrize(
    "seed", [*range(12), *(pytest.param(n, marks=pytest.mark.full) for n in range(12, 40))]
)
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
