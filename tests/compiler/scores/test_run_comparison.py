"""Machines that change and machines that do not, played by seeded draws of shots."""

from math import isclose

import numpy as np
import pytest

from compiler.scores.run_comparison import FALSE_ALARMS, Play, comparable, compare

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


@pytest.mark.parametrize("shots", [(2000, 2000), (500, 2000), (2000, 500)])
@pytest.mark.parametrize("signal", [0.1, 0.75])
def test_unchanged_machines_are_called_changed_in_one_of_twenty_reports_at_most(signal, shots):
    """Twenty kinds each; the share of 150 reports with any false alarm, by chance 4 sigma off."""
    chance = np.random.default_rng(11)
    reports = [set(verdicts(chance, (signal, signal), 20, shots)) for _ in range(150)]
    alarms = sum(report != {"unclear"} for report in reports) / len(reports)
    assert alarms < FALSE_ALARMS + 4 * (FALSE_ALARMS * (1 - FALSE_ALARMS) / len(reports)) ** 0.5


@pytest.mark.parametrize("shots", [(2000, 2000), (500, 2000), (2000, 500)])
def test_a_perfect_machine_is_no_better_for_other_numbers_of_shots(shots):
    chance = np.random.default_rng(5)
    perfect = np.append(EXACT, np.zeros(8))
    alarms = 0
    for _ in range(400):
        old = [drawn(chance, perfect, shots[0]) for _ in range(5)]
        alarms += compare(drawn(chance, perfect, shots[1]), old, 1, 8).verdict != "unclear"
    assert alarms / 400 < FALSE_ALARMS


@pytest.mark.parametrize(("new", "verdict"), [(0.85, "better"), (0.65, "worse")])
def test_a_machine_that_did_change_is_found_among_twenty(new, verdict):
    chance = np.random.default_rng(3)
    found = [verdicts(chance, (0.75, new), 20, (2000, 2000)) for _ in range(20)]
    assert np.mean([[one == verdict for one in report] for report in found]) > 0.99


def test_intervals_hold_the_true_difference():
    """Of normalised fidelities, 95 of 100 times for a single comparison."""
    chance = np.random.default_rng(8)
    old, new = machine(0.7), machine(0.75)
    fidelities = [np.sqrt(p[:8] * EXACT).sum() ** 2 for p in (old, new)]
    true = (fidelities[1] - fidelities[0]) / (1 - UNIFORM)
    held = 0
    for _ in range(500):
        before = [drawn(chance, old, 1000) for _ in range(3)]
        change = compare(drawn(chance, new, 1000), before, 1, 8)
        held += change.low <= true <= change.high
    assert 0.92 < held / 500 < 0.985


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


def test_where_noise_is_not_known_plain_fidelities_are_compared():
    change = compare(Play(300, 0.8, None), [Play(300, 0.9, None)], 1)
    assert change.difference == pytest.approx(-0.1)


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


def test_perfect_runs_differ_by_nothing():
    change = compare(Play(1000, 1.0, 1.0), [Play(1000, 1.0, 1.0)], 1)
    assert (change.difference, change.verdict) == (0, "unclear")
    assert change.low < 0 < change.high
