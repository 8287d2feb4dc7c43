"""What users expect of circuits: every form of it, and what is refused."""

import json
import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit

from compiler.errors import InputError
from compiler.expectation import MOST_OUTCOMES, Expectation, expectation_from_json, expectation_of
from compiler.program import Program
from compiler.scores.scoring import score


@pytest.mark.parametrize(
    "text",
    [
        '{"00": 1, "01": 1, "10": 0, "11": 2}',
        '{"00": 0.25, "01": 0.25, "11": 0.5}',
        '{"00": "1/4", "01": "1/4", "11": "1/2"}',
        '{"0 0": 250, "0 1": 2.5e2, "1 1": "500"}',
        '{"backend": "sparse", "counts": {"00": 1, "01": 1, "11": 2}, "shots": 4}',
    ],
)
def test_counts_and_probabilities_become_a_distribution(text):
    found = expectation_from_json(text, "counts.json")
    assert found.bits == 2
    assert found.shares == {0b00: 0.25, 0b01: 0.25, 0b11: 0.5}
    assert found.given


@given(st.dictionaries(st.integers(0, 2**70 - 1), st.integers(1, 10**6), min_size=1, max_size=20))
def test_shares_are_those_of_exact_fractions_and_outlive_being_kept(counts):
    found = expectation_of({f"{one:070b}": n for one, n in counts.items()}, "counts")
    total = sum(counts.values())
    exact = {one: Fraction(n, total) for one, n in counts.items()}
    assert found.shares.keys() == exact.keys()
    for one, share in found.shares.items():
        assert abs(Fraction(share) - exact[one]) < Fraction(1, 10**14)
    assert Expectation.from_bytes(found.as_bytes()) == found


def test_the_same_distribution_is_kept_as_the_same_bytes():
    one = expectation_of({"01": 3, "10": 1}, "a")
    assert one.as_bytes() == expectation_of({"1 0": 0.25, "01": "3/4", "11": 0}, "b").as_bytes()
    assert one.as_bytes() != Expectation.computed(2, one.shares).as_bytes()
    assert one.as_bytes() != expectation_of({"001": 3, "010": 1}, "a").as_bytes()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "not JSON"),
        ("[1, 2]", "write one JSON object"),
        ("{}", "no outcomes"),
        ('{"02": 1}', "outcome '02': write a string of bits"),
        ('{"\\u0660": 1}', "outcome '\\u0660': write a string of bits"),
        ('{"0": 1, "01": 1}', "outcomes of 1 and of 2 bits"),
        ('{"00": 1, "0 0": 1}', "outcome '0 0' is there twice"),
        ('{"00": 1, "00": 1}', "'00' is there twice"),
        ('{"00": -1, "01": 3}', "outcome '00' has the negative number '-1'"),
        ('{"00": NaN}', "NaN is no number"),
        ('{"00": 1e999}', "too large"),
        ('{"00": 1' + "0" * 9999 + "}", "too large"),
        ('{"00": true}', "has 'True'; write a number"),
        ('{"00": "1/0"}', "has '1/0'; write a number"),
        ('{"00": 0, "11": 0.0}', "every outcome has the weight 0"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_bad_files_are_refused_in_one_line(text, says):
    with pytest.raises(InputError) as refused:
        expectation_from_json(text, "counts.json")
    message = str(refused.value)
    assert message.startswith("counts.json: ")
    assert says in message
    assert message.isprintable()
    assert len(message) < 200


def test_too_many_outcomes_are_refused():
    most = {f"{one:020b}": 1 for one in range(MOST_OUTCOMES)}
    assert len(expectation_of(most, "a").shares) == MOST_OUTCOMES
    with pytest.raises(InputError, match="a: 65,537 outcomes; 65,536 are allowed"):
        expectation_of(most | {"1" * 20: 1}, "a")


def test_the_smallest_and_largest_numbers_are_told_apart():
    found = expectation_of({"0": sys.float_info.max, "1": sys.float_info.min}, "a")
    assert found.shares == {0: 1.0}
    assert json.loads(found.as_bytes())["shares"] == {"0": 1.0}
    large = expectation_of({"00": 1e308, "01": 1e308, "11": 10**308}, "a")
    assert large.shares == pytest.approx(dict.fromkeys((0, 1, 3), 1 / 3))


def test_rounding_is_left_out_of_computed_distributions():
    assert Expectation.computed(2, {0: 0.5, 1: 1e-16, 3: 0.5}).shares == {0: 0.5, 3: 0.5}


def test_its_judge_calls_every_outcome_legal_and_scores_the_others_as_wrong():
    circuit = QuantumCircuit(2, 2, name="bell")
    judge = expectation_of({"00": 1, "11": 1}, "a").judge("bell.qasm")
    assert judge.name == (
        "bell.qasm, against the distribution that was given; the last classical bit comes first"
    )
    found, _ = score(Program.of_circuit(circuit, judge), {0b00: 30, 0b11: 30, 0b01: 40})
    # (√(0.3 · 0.5) · 2)², and uniform noise scores (√(0.25 · 0.5) · 2)² = 0.5.
    assert found.hellinger_fidelity == pytest.approx(0.6)
    assert found.normalized_fidelity == pytest.approx(0.2)
    assert found.tvd == pytest.approx(0.4)
    assert (found.legal_fraction, found.observables) == (1, {})
