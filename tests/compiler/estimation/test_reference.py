"""Estimators beside those of qiskit-algorithms, on the same amplitudes."""

import numpy as np
import pytest

from benchmarks.amplitude_estimation import reference
from compiler.estimation import Estimate, Iterative, ideal_oracle

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


def test_an_interval_of_few_shots_that_missed_is_not_kept() -> None:
    """Were it kept, one run of these would end with the angle in a wrong half of the circle."""
    found = [
        Iterative(error=0.001, most_iterates=1000).estimate(ideal_oracle(TOY, seed))
        for seed in range(200)
    ]
    off = [(one.value - TOY) / 0.001 for one in found]
    assert np.sqrt(np.mean(np.square(off))) < 1
