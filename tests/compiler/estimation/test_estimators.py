"""Estimators against theory and against sampling."""

from math import asin, sin, sqrt

import numpy as np
import pytest

from compiler.errors import InputError
from compiler.estimation import (
    Bayesian,
    Oracle,
    classical_shots,
    ideal_oracle,
)

TOY = 5 / 12
RUNS = 40


def noisy_oracle(whole: float, kept: float, background: float, seed: int) -> Oracle:
    """Return an oracle whose events fade into uniform noise."""
    random, angle = np.random.default_rng(seed), asin(sqrt(TOY))

    def ask(iterates: int, shots: int) -> int:
        left = whole * kept**iterates
        p = left * sin((2 * iterates + 1) * angle) ** 2 + (1 - left) * background
        return int(random.binomial(shots, p))

    return ask


@pytest.mark.parametrize("error", [0.01, 0.002])
def test_intervals_hold_what_they_promise_for_fewer_calls(error: float) -> None:
    """In 40 runs 95 % intervals may miss six times, and sampling takes three times the calls."""
    found = [Bayesian(error=error).estimate(ideal_oracle(TOY, seed)) for seed in range(RUNS)]
    assert all(one.reached and (one.high - one.low) / 2 <= error for one in found)
    assert sum(one.low <= TOY <= one.high for one in found) >= RUNS - 6
    assert 2.5 * np.mean([one.calls for one in found]) < classical_shots(TOY, error)


def test_calls_grow_like_one_over_the_error() -> None:
    """Eight times less error takes eight times the calls and not 64 times."""
    calls = [
        np.mean(
            [
                Bayesian(error=error, most_iterates=500).estimate(ideal_oracle(TOY, seed)).calls
                for seed in range(10)
            ]
        )
        for error in (0.008, 0.001)
    ]
    assert 4 < calls[1] / calls[0] < 20


@pytest.mark.parametrize("probability", [0.0, 1.0, 0.02, 0.9])
def test_other_probabilities(probability: float) -> None:
    """Certain and rare events, too."""
    found = Bayesian(error=0.02).estimate(ideal_oracle(probability, 1))
    assert found.value == pytest.approx(probability, abs=0.03)


@pytest.mark.parametrize(
    "asking",
    [Bayesian(error=0.02), Bayesian(error=0.02, noisy=True)],
    ids=repr,
)
@pytest.mark.parametrize("probability", [0.0, 1.0])
def test_intervals_hold_what_is_certain(asking: Bayesian, probability: float) -> None:
    """A card that always wins, or never does, is no rare case."""
    found = asking.estimate(ideal_oracle(probability, 1))
    assert found.low <= probability <= found.high <= found.low + 0.04


def test_no_circuit_is_deeper_than_allowed() -> None:
    """With none at all it is sampling, and takes as many calls."""
    for most in (0, 3):
        found = Bayesian(error=0.03, most_iterates=most).estimate(ideal_oracle(TOY, 0))
        assert found.reached
        assert found.deepest <= most
    sampled = Bayesian(error=0.03, most_iterates=0).estimate(ideal_oracle(TOY, 0))
    assert sampled.calls > 0.9 * classical_shots(TOY, 0.03)


@pytest.mark.full
def test_bayesian_estimator_learns_noise() -> None:
    """An iterate that keeps 0.85: it stays right and shallow where the noiseless model is not."""
    background = 10 / 256
    told, naive = (
        [
            Bayesian(error=0.015, noisy=noisy, background=background).estimate(
                noisy_oracle(0.9, 0.85, background, seed)
            )
            for seed in range(6)
        ]
        for noisy in (True, False)
    )
    assert sum(one.low <= TOY <= one.high for one in told) >= 5
    assert np.mean([abs(one.value - TOY) for one in told]) < 0.012
    assert np.mean([abs(one.value - TOY) for one in naive]) > 0.02
    assert max(one.deepest for one in told) <= 8


@pytest.mark.parametrize("error", [1e-3, 1e-4])
def test_bayesian_estimator_is_right_where_its_first_grid_is_too_coarse(error: float) -> None:
    """A step of 8,001 angles is as wide as the smaller error; and no more is asked than needed."""
    found = [
        Bayesian(error=error, most_iterates=1000).estimate(ideal_oracle(TOY, seed))
        for seed in range(4)
    ]
    assert all(0 < one.high - one.low <= 2 * error for one in found)
    off = [(one.value - TOY) / error for one in found]
    assert np.sqrt(np.mean(np.square(off))) < 1.2


@pytest.mark.parametrize(
    "wrong",
    [{"error": 0}, {"error": 0.7}, {"error": float("nan")}, {"confidence": 1}, {"shots": 0},
     {"most_iterates": 1001}],
)  # fmt: skip
def test_numbers_out_of_range_are_refused(wrong: dict[str, float]) -> None:
    """With the number and its range."""
    (name,) = wrong
    with pytest.raises(InputError, match=f"{name} .* is not between"):
        Bayesian(**{"error": 0.01, **wrong})  # type: ignore[arg-type]


def test_sampling_takes_z_squared_p_q_over_error_squared() -> None:
    """At 5/12 and 0.01: 1.96² · 35/144 / 10⁻⁴."""
    assert classical_shots(TOY, 0.01) == 9337


def test_nothing_is_asked_beyond_the_most_shots():
    asking = Bayesian(error=0.01, shots=10, most_iterates=2)
    found = asking.estimate(lambda _, shots: shots // 2)
    assert 0 < found.shots <= asking.most_shots
    assert found.deepest <= asking.most_iterates
