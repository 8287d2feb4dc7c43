"""Whether a machine got better: what is compared, and what the report says of it."""

from datetime import timedelta

import numpy as np
import pytest
from attrs import evolve
from sqlalchemy.orm import Session

from service.report.page import report_html
from service.report.reading.configuration import Configuration
from service.report.reading.machines import circuits_of, newest_runs
from service.report.reading.runs import Points, Run
from service.report.views.machines.answer import answer
from workers.records.tables import Compilation

from .conftest import START, THREE, compiled, recorded

KIND = Configuration("toy", "a" * 64, "heavy-hex:torino", "fast", "paper", "")
EXACT = np.array([3, 3, 1, 1, 1, 1, 1, 1]) / 12
NOISE = float(np.sqrt(EXACT / 16).sum() ** 2)
GATES = {"old": 43, "new": 40}


def run(job, signal, circuit="old", shots=2000, backend="ibm:torino", chance=None):
    """A run of a machine of which this share of the shots is right, the rest uniform noise."""
    p = np.append(signal * EXACT, np.zeros(8)) + (1 - signal) / 16
    counts = (chance or np.random.default_rng(job)).multinomial(shots, p)[:8]
    fidelity = float(np.sqrt(counts / shots * EXACT).sum() ** 2)
    points = Points(shots, fidelity, (fidelity - NOISE) / (1 - NOISE), 1, {})
    at = START + timedelta(days=job)
    scores = {"raw": points}
    gates = GATES.get(circuit, 7)
    return Run(job, 1, at, KIND, circuit, backend, "", shots, gates, None, scores)


def told(*runs, outcomes=8):
    """The newest_runs of runs of one kind on one backend, given the oldest first."""
    return newest_runs(circuits_of(runs[::-1]), lambda _: outcomes)


def test_a_better_circuit_is_no_better_machine():
    """A snapshot never changes; a new compiler saves noise, which shows in a new circuit only."""
    before = [run(job, 0.70) for job in range(1, 6)]
    [one] = told(*before, run(6, 0.85, "new"))
    assert one.change is None
    assert (one.played.replaced.job, one.played.replaced.two_qubit_gates) == (5, 43)
    assert answer([one]).startswith("Whether a machine got better cannot be told: no native")
    [two] = told(*before, run(6, 0.85, "new"), run(7, 0.85, "new"))
    assert (two.change.verdict, two.change.runs) == ("unclear", 1)
    assert [compared.job for compared in two.compared] == [6]


@pytest.mark.parametrize(("signal", "verdict"), [(0.85, "better"), (0.55, "worse")])
def test_a_machine_that_changed_is_found(signal, verdict):
    found = told(*(run(job, 0.70) for job in range(1, 6)), run(6, signal))
    [one] = found
    assert one.change.verdict == verdict
    said = answer(found)
    assert said.startswith(f"ibm:torino got {verdict}: toy (fast · paper) on ibm:torino, ")
    assert "job 6 against 5 runs of the same circuit since 2026-01-31" in said
    assert said.endswith("(1 of 1 comparison).")
    low, high = one.change.low, one.change.high
    assert f"[{low:+.3f}, {high:+.3f}]".replace("-", "\u2212") in said


def test_a_pinned_circuit_is_compared_beside_a_newer_one():
    runs = [run(job, 0.7) for job in range(1, 5)]
    runs += [run(5, 0.85, "new"), run(6, 0.5), run(7, 0.85, "new")]
    new, pinned = told(*runs)
    assert (new.played.runs[0].circuit, pinned.played.runs[0].circuit) == ("new", "old")
    assert (new.change.verdict, pinned.change.verdict) == ("unclear", "worse")
    assert (pinned.change.runs, pinned.played.replaced) == (4, None)
    assert [one.played.runs[0].circuit for one in told(*runs[:5])] == ["new"]


def test_other_numbers_of_shots_are_compared_within_limits():
    many, few = run(1, 0.7, shots=8000), run(2, 0.7, shots=2000)
    assert told(many, few)[0].change is not None
    assert told(many, run(2, 0.7, shots=1999))[0].change is None
    assert told(many, few, outcomes=None)[0].change is None
    assert told(many, evolve(many, job=2), outcomes=None)[0].change is not None


def test_reports_on_unchanged_machines_rarely_call_them_changed():
    """250 reports of 25 kinds with six runs each; one report in twenty may be wrong."""
    chance = np.random.default_rng(20)
    alarms = 0
    for _ in range(250):
        circuits = []
        for kind in range(25):
            runs = [run(job, 0.3 + kind / 40, chance=chance) for job in range(6)]
            circuits += circuits_of(runs[::-1])
        found = newest_runs(circuits, lambda _: 8)
        assert len(found) == 25
        alarms += any(one.change.verdict != "unclear" for one in found)
    assert alarms / 250 < 0.05 + 4 * (0.05 * 0.95 / 250) ** 0.5


def test_the_largest_changes_are_named_and_the_rest_counted():
    found = []
    for place in range(5):
        runs = [run(job, 0.7, backend=f"ibm:{place}") for job in range(3)]
        runs.append(run(4, 0.4 + place / 50, backend=f"ibm:{place}"))
        found += newest_runs(circuits_of(runs[::-1]), lambda _: 8)
    said = answer(found)
    assert said.count(" got worse: ") == 3
    assert said.endswith("and so did 2 more, see the table (5 of 5 comparisons).")


def test_the_page_tells_machines_from_circuits(empty: Session) -> None:
    """Two compilations whose circuits differ, and a job of each."""
    first, second = compiled(empty, THREE), compiled(empty, THREE)
    assert first.native_digest == second.native_digest
    noise = {str(bits): 40 for bits in range(64)}
    recorded(empty, first, "aer:torino", noise, 0)
    recorded(empty, second, "aer:torino", noise, 24)
    html = report_html(empty)
    assert "1 run since 2026-01-30" in html
    assert "the circuit changed" not in html
    second.native_digest = "b" * 64
    empty.commit()
    html = report_html(empty)
    gates = second.chosen.two_qubit_gates
    assert f"the circuit changed: {gates} → {gates} two-qubit gates; runs before" in html
    assert "cannot be told: no native circuit has been run twice" in html
    empty.get_one(Compilation, first.id).native_digest = second.native_digest = None
    empty.commit()
    assert "the circuit changed" in report_html(empty)
