"""Comparisons of runs: intervals, and changes of calibration."""

from math import isclose

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
from compiler.scores.run_comparison import (
    FALSE_ALARMS,
    CalibratedError,
    Play,
    change_in_words,
    comparable,
    compare,
    most_changed,
)


def run(readout=0.01, cz=0.004, sx=0.0003):
    return [
        CalibratedError("readout", (17,), readout, 1),
        CalibratedError("cz", (16, 17), cz, 20),
        CalibratedError("sx", (17,), sx, 30),
    ]


def told(now, before, *, worse=True):
    return change_in_words(most_changed(now, before, worse=worse), worse=worse)


@pytest.mark.parametrize(
    ("now", "before", "worse", "words"),
    [
        (run(readout=0.08), [run(readout=0.012)], True, "qubit 17: readout error 0.012 → 0.08"),
        (run(cz=0.008), [run()], True, "coupler 16-17: cz error 0.004 → 0.008, used 20 times"),
        (run(cz=0.008), [run()], False, "no calibration of the circuit's gates got better"),
        (run(readout=0.0102), [run()], True, "got worse by more than 0.0002"),
        (run(), [run()], True, "no calibration of the circuit's gates got worse"),
        (run(), [], True, "no calibration is recorded"),
    ],
)
def test_what_costs_most_is_named(now, before, worse, words):
    assert words in told(now, before, worse=worse)


@pytest.mark.parametrize(
    ("successes", "trials"), [(0, 1), (1, 1), (0, 10), (5, 10), (10, 10), (1, 1000), (417, 1000)]
)
def test_a_proportion_has_the_interval_of_clopper_and_pearson(successes, trials):
    expected = binomtest(successes, trials).proportion_ci(0.99)
    found = proportion_interval(successes, trials, 0.99)
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
    [([3, 4], [1, 1], 0, 10), ([-46, 18, 100], [3, 40, 1], -400, 218)],
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


EXACT = np.array([3, 3, 1, 1, 1, 1, 1, 1]) / 12
"""Of the toy: eight outcomes, and as many that are illegal."""
UNIFORM = float(np.sqrt(EXACT / 16).sum() ** 2)


def machine(signal):
    """Probabilities of a machine: this share of the shots is right, the rest is uniform noise."""
    return signal * np.append(EXACT, np.zeros(8)) + (1 - signal) / 16


def drawn(chance, probabilities, shots):
    counts = chance.multinomial(shots, probabilities)
    fidelity = float(np.sqrt(counts[:8] / shots * EXACT).sum() ** 2)
    return Play(shots, fidelity, (fidelity - UNIFORM) / (1 - UNIFORM))


def verdicts(chance, signals, kinds, shots, before=5, outcomes=8):
    """Verdicts of one report: as many kinds, each of its own quality and with its runs before."""
    old, new = signals
    return [
        compare(
            drawn(chance, machine(new + kind / 200), shots[-1]),
            [drawn(chance, machine(old + kind / 200), shots[0]) for _ in range(before)],
            kinds,
            outcomes,
        ).verdict
        for kind in range(kinds)
    ]


@pytest.mark.parametrize(("signal", "shots"), [(0.1, (500, 2000)), (0.75, (2000, 2000))])
def test_unchanged_machines_are_called_changed_in_one_of_twenty_reports_at_most(signal, shots):
    """Twenty kinds each; the share of 150 reports with any false alarm, by chance 4 sigma off."""
    chance = np.random.default_rng(11)
    reports = [set(verdicts(chance, (signal, signal), 20, shots)) for _ in range(150)]
    alarms = sum(report != {"unclear"} for report in reports) / len(reports)
    assert alarms < FALSE_ALARMS + 4 * (FALSE_ALARMS * (1 - FALSE_ALARMS) / len(reports)) ** 0.5


@pytest.mark.parametrize(("new", "verdict"), [(0.85, "better"), (0.65, "worse")])
def test_a_machine_that_did_change_is_found_among_twenty(new, verdict):
    chance = np.random.default_rng(3)
    found = [verdicts(chance, (0.75, new), 20, (2000, 2000)) for _ in range(20)]
    assert np.mean([[one == verdict for one in report] for report in found]) > 0.99


def test_the_figures_by_hand():
    """0.8 against the mean of 0.7 and 0.9, of 100 and 300 shots; noise scores 0.5."""
    new = Play(300, 0.8, 0.6)
    change = compare(new, [Play(100, 0.7, 0.4), Play(300, 0.9, 0.8)], 1, outcomes=9)
    difference = (0.8 + 8 / 1200) - (100 * (0.7 + 8 / 400) + 300 * (0.9 + 8 / 1200)) / 400
    assert isclose(change.difference, 2 * difference)
    assert isclose(change.high - change.difference, change.difference - change.low)
    shares = [(0.8 * 300 + 2) / 304, (0.7 * 100 + 2) / 104, (0.9 * 300 + 2) / 304]
    variances = [
        share * (1 - share) / shots + 9 / (4 * shots**2)
        for share, shots in zip(shares, (300, 100, 300), strict=True)
    ]
    half = (variances[0] + (100**2 * variances[1] + 300**2 * variances[2]) / 400**2) ** 0.5
    assert change.high - change.difference == pytest.approx(2 * 1.959964 * half)
    assert (change.runs, change.verdict) == (2, "unclear")
    wider = compare(new, [Play(300, 0.9, 0.8)], 20)
    assert wider.high - wider.low > 1.5 * (change.high - change.low)


@pytest.mark.parametrize(
    ("new", "old", "outcomes", "answer"),
    [
        (10, 10, None, True),
        (2000, 1999, None, False),
        (2000, 500, 8, True),
        (500, 2000, 8, True),
        (2001, 500, 8, False),
        (2000, 500, 51, False),
    ],
)
def test_shots_must_be_alike(new, old, outcomes, answer):
    assert comparable(Play(new, 0.5, None), Play(old, 0.5, None), outcomes) is answer
    change = compare(Play(new, 0.5, None), [Play(old, 0.5, None)], 1, outcomes)
    assert (change is not None) is answer
