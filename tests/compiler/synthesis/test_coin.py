"""Coins: the probability of every pattern, and the number of gates that it takes."""

from fractions import Fraction
from itertools import product
from math import cos, sin

import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from compiler.synthesis.coin import solve, toss
from games.trick_taking.operators.tournament import draw_probabilities

TOLERANCE = 1e-9

PROBABILITIES = st.one_of(
    st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2)]),
    st.fractions(0, 1, max_denominator=30),
)


@st.composite
def tables(draw, most_controls=4):
    """Draw the number of controls, and probabilities of some of their patterns."""
    controls = draw(st.integers(0, most_controls))
    patterns = draw(st.sets(st.integers(0, (1 << controls) - 1), min_size=1))
    return controls, {pattern: draw(PROBABILITIES) for pattern in sorted(patterns)}


def solved(controls, table):
    return solve(controls, tuple(sorted(table.items())))


def chance(coin, pattern):
    """Return the probability of 1, from rotations of a vector in the plane and reflections."""
    x, y = cos(coin.angles[0] / 2), sin(coin.angles[0] / 2)
    for control, angle in zip(coin.controls, coin.angles[1:], strict=True):
        if pattern >> control & 1:
            y = -y
        c, s = cos(angle / 2), sin(angle / 2)
        x, y = c * x - s * y, s * x + c * y
    return y * y


@given(table=tables())
def test_every_pattern_has_its_probability(table):
    controls, probabilities = table
    coin = solved(controls, probabilities)
    for pattern, p in probabilities.items():
        assert chance(coin, pattern) == pytest.approx(float(p), abs=TOLERANCE)
    assert len(coin.controls) <= len(probabilities) - 1
    assert len(coin.angles) == len(coin.controls) + 1


@given(table=tables(most_controls=3), data=st.data())
def test_toss_changes_nothing_but_its_target(table, data):
    """The reference is Qiskit's simulation of the gates, controls and target in any order."""
    controls, probabilities = table
    *places, target = data.draw(st.permutations(range(controls + 1)))
    for pattern, p in probabilities.items():
        circuit = QuantumCircuit(controls + 1)
        for i, qubit in enumerate(places):
            if pattern >> i & 1:
                circuit.x(qubit)
        toss(circuit, places, target, probabilities)
        state = sum(1 << q for i, q in enumerate(places) if pattern >> i & 1)
        found = Statevector(circuit).probabilities_dict()
        chances = {state: 1 - p, state | 1 << target: p}
        assert sum(found.values()) == pytest.approx(1)
        for basis_state, wanted in chances.items():
            key = f"{basis_state:0{controls + 1}b}"
            assert found.pop(key, 0) == pytest.approx(float(wanted), abs=TOLERANCE)
        assert sum(found.values()) == pytest.approx(0, abs=TOLERANCE)


@given(p=PROBABILITIES, controls=st.integers(0, 3))
def test_a_probability_that_depends_on_nothing_takes_no_gate(p, controls):
    assert solved(controls, dict.fromkeys(range(1 << controls), p)).controls == ()


@given(controls=st.integers(1, 6), data=st.data())
def test_what_depends_on_one_control_takes_one_gate(controls, data):
    which = data.draw(st.integers(0, controls - 1))
    chances = [Fraction(1, 3), Fraction(3, 5)]
    table = {p: chances[p >> which & 1] for p in range(1 << controls)}
    assert solved(controls, table).controls == (which,)


@pytest.mark.parametrize(("left", "right"), [(a, b) for a, b in product(range(1, 9), repeat=2)
                                              if b <= a and a + b <= 10])  # fmt: skip
def test_coins_of_draws(left, right):
    """One gate less than there are pairs of counts; for two single cards one more is saved."""
    table = draw_probabilities(left, right)
    coin = solved(left.bit_length() + right.bit_length(), table)
    pairs = (left + 1) * (right + 1)
    assert len(coin.controls) == (2 if pairs == 4 else pairs - 1)
    for pattern, p in table.items():
        assert chance(coin, pattern) == pytest.approx(float(p), abs=TOLERANCE)


@pytest.mark.parametrize("controls", range(1, 7))
def test_full_tables_take_one_gate_less_than_patterns(controls):
    """As many angles as patterns: with fewer, such a table has no solution."""
    table = {p: Fraction(p * p + 1, 4**controls + 7) for p in range(1 << controls)}
    coin = solved(controls, table)
    assert len(coin.controls) == (1 << controls) - 1
    for pattern, p in table.items():
        assert chance(coin, pattern) == pytest.approx(float(p), abs=TOLERANCE)
