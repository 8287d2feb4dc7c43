"""Intervals against SciPy's, drawn weights, and each other."""

import numpy as np
import pytest
from scipy.stats import binomtest, poisson

from compiler.scores.intervals import (
    SEEN,
    UNSEEN,
    angle_interval,
    fidelity_interval,
    mean_interval,
    proportion_interval,
    unbiased_fidelity,
)


@pytest.mark.parametrize(
    ("successes", "trials"), [(0, 1), (1, 1), (0, 10), (5, 10), (10, 10), (1, 1000), (417, 1000)]
)
@pytest.mark.parametrize("confidence", [0.95, 0.99])
def test_a_proportion_has_the_interval_of_clopper_and_pearson(successes, trials, confidence):
    expected = binomtest(successes, trials).proportion_ci(confidence)
    found = proportion_interval(successes, trials, confidence)
    assert found == pytest.approx((expected.low, expected.high), abs=1e-12)


@pytest.mark.parametrize(
    ("ones", "trials"), [(0, 1), (1, 1), (0, 20), (1, 20), (20, 20), (300, 1000), (2, 1_000_000)]
)
def test_a_mean_of_zeros_and_ones_is_a_proportion(ones, trials):
    """Also by the contour integral, which a third value that hardly occurs asks for."""
    expected = proportion_interval(ones, trials)
    values, counts = ([1], [ones]) if ones == trials else ([0, 1], [trials - ones, ones])
    if not ones:
        values, counts = [0], [trials]
    assert mean_interval(values, counts, 0, 1) == pytest.approx(expected, rel=1e-9)
    if 0 < ones < trials:
        third = mean_interval([*values, 0.5], [*counts, 1e-9], 0, 1)
        assert third == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize(
    ("values", "counts", "least", "most"),
    [
        ([3, 4], [1, 1], 0, 10),
        ([0, 2, 28], [10, 5, 5], 0, 28),
        ([-46, 18, 100], [3, 40, 1], -400, 218),
        (range(30), range(1, 31), 0, 40),
    ],
)
def test_a_mean_has_the_quantiles_of_drawn_weights(values, counts, least, most):
    random, drawn = np.random.default_rng(1), 400_000
    ends = mean_interval(list(values), list(counts), least, most)
    for end, extreme, share in zip(ends, (least, most), (0.025, 0.975), strict=True):
        weights = random.dirichlet([*counts, 1], drawn)
        below = float(np.mean(weights @ [*values, extreme] <= end))
        assert below == pytest.approx(share, abs=4 * (0.025 / drawn) ** 0.5)


def test_the_only_possible_value_is_certain():
    assert mean_interval([7], [3], 7, 7) == (7, 7)


@pytest.mark.parametrize(("hits", "shots"), [(0, 20), (1, 20), (7, 20), (20, 20), (130, 400)])
def test_an_angle_of_plain_counts_is_a_proportion(hits, shots):
    angles = np.linspace(0, np.pi / 2, 20_001)
    with np.errstate(divide="ignore", invalid="ignore"):
        likelihood = np.nan_to_num(hits * np.log(np.sin(angles) ** 2), nan=0.0)
        likelihood += np.nan_to_num((shots - hits) * np.log(np.cos(angles) ** 2), nan=0.0)
    found = [np.sin(angle) ** 2 for angle in angle_interval(angles, likelihood)]
    assert found == pytest.approx(proportion_interval(hits, shots), abs=2e-3)


def test_outcomes_that_never_came_count_as_nothing_below_and_never_too_little_above():
    means, counts = np.geomspace(0.01, 300, 200), np.arange(3000)
    for mean in means:
        chances = poisson.pmf(counts, mean)
        assert chances @ np.where(counts > 0, np.sqrt(counts + SEEN), 0) <= mean**0.5 + 1e-9
        assert chances @ np.sqrt(counts + UNSEEN) >= mean**0.5 - 3e-4


def test_the_unbiased_fidelity_undoes_what_few_shots_cost():
    exact = dict.fromkeys(range(300), 1 / 300)
    random = np.random.default_rng(1)
    found, raw = [], []
    for _ in range(100):
        counts = dict(enumerate(random.multinomial(1000, [0.8 / 300] * 300 + [0.2])))
        measured = sum((n / 1000 / 300) ** 0.5 for k, n in counts.items() if k < 300) ** 2
        raw.append(measured)
        found.append(unbiased_fidelity(measured, 1000, exact))
    assert np.mean(raw) < 0.75
    assert np.mean(found) == pytest.approx(0.8, abs=0.01)


def test_a_fidelity_of_wrong_outcomes_alone_is_nothing():
    found = fidelity_interval({None: 100}, {0: 0.5, 1: 0.5})
    assert found.value == 0
    assert found.low <= 0 < found.high < 0.1
