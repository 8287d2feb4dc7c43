"""Estimators beside those of qiskit-algorithms, on the same amplitudes."""

from math import asin, sqrt

import numpy as np
import pytest

from benchmarks.amplitude_estimation import reference
from compiler.estimation import Estimate, Iterative, Likelihood, Round
from compiler.estimation.bayesian_iterative import BayesianIterative, Belief
from compiler.estimation.estimate import ideal_oracle
from compiler.estimation.window import Window

TOY = 5 / 12
ERROR, CONFIDENCE, SHOTS, SEEDS = 0.01, 0.95, 100, 60

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning")


def held(found: list[Estimate]) -> int:
    return sum(one.low <= TOY <= one.high for one in found)


def calls(found: list[Estimate]) -> float:
    return float(np.mean([one.calls for one in found]))


def test_iterative_estimation_takes_as_many_calls_and_holds_as_often() -> None:
    """Means of 60 runs; both promise 57 intervals that hold, and keep more."""
    theirs = [reference.iterative(TOY, ERROR, CONFIDENCE, SHOTS, seed) for seed in range(SEEDS)]
    ours = [Iterative(error=ERROR).estimate(ideal_oracle(TOY, seed)) for seed in range(SEEDS)]
    assert calls(ours) == pytest.approx(calls(theirs), rel=0.25)
    assert held(theirs) >= SEEDS - 6
    assert held(ours) >= SEEDS - 6


@pytest.mark.parametrize("seed", range(3))
def test_likelihood_estimation_finds_the_same_of_the_same_counts(seed: int) -> None:
    """The value, up to the grids that it is searched on; ends of another interval lie near."""
    found = Likelihood(error=ERROR).estimate(ideal_oracle(TOY, seed))
    rounds = [one for one in found.rounds if isinstance(one, Round)]
    theirs = reference.likelihood(rounds, CONFIDENCE)
    assert found.value == pytest.approx(theirs[0], abs=ERROR / 50)
    assert (found.low, found.high) == pytest.approx(theirs[1:], abs=ERROR / 5)


def test_an_interval_of_few_shots_that_missed_is_not_kept() -> None:
    """Were it kept, one run of these would end with the angle in a wrong half of the circle."""
    found = [
        Iterative(error=0.001, most_iterates=1000).estimate(ideal_oracle(TOY, seed))
        for seed in range(200)
    ]
    off = [(one.value - TOY) / 0.001 for one in found]
    assert np.sqrt(np.mean(np.square(off))) < 1


def test_a_belief_that_is_carried_over_keeps_where_the_angle_is() -> None:
    """From one iterate to four: mean and variance of draws that take the same way."""
    angle = asin(sqrt(TOY))
    window = Window(angle - 0.05, angle + 0.05)
    belief = Belief(400.0, 140.0)
    drawn = np.random.default_rng(0).beta(belief.a, belief.b, 200_000)
    turned = np.arccos(1 - 2 * drawn)
    # 6θ = 4.21 is in the lower half circle, where the probability falls.
    values = np.sin(9 * (2 * np.pi - turned) / 6) ** 2
    carried = belief.carried(window, 1, 4)
    mean = carried.a / (carried.a + carried.b)
    assert mean == pytest.approx(values.mean(), abs=2e-3)
    variance = mean * (1 - mean) / (carried.a + carried.b + 1)
    assert variance == pytest.approx(values.var(), rel=0.02)


def test_biqae_finds_the_probability() -> None:
    """As tightly as it says, in 40 runs."""
    found = [BayesianIterative(error=ERROR).estimate(ideal_oracle(TOY, seed)) for seed in range(40)]
    assert all(one.reached for one in found)
    assert held(found) >= 34
