"""Circuits of a kind on a backend, and what the report's page says of machines."""

from sqlalchemy.orm import Session

from service.report.page import report_html
from tests.workers.records.queries.made_runs import run
from workers.records.queries.comparisons import answer, circuits_of, compare_newest
from workers.records.tables import Compilation

from .conftest import THREE, compiled, recorded


def told(*runs):
    """The newest runs of one kind on one backend, given the oldest first."""
    return compare_newest(circuits_of(runs[::-1]), runs, lambda _: 8)


def test_a_better_circuit_is_no_better_machine():
    """A snapshot never changes; a new compiler saves noise, which shows in a new circuit only."""
    before = [run(job, 0.70) for job in range(1, 6)]
    [one] = told(*before, run(6, 0.85, "new"))
    assert one.comparison.change is None
    assert (one.played.replaced.job, one.played.replaced.two_qubit_gates) == (5, 43)
    assert answer([one.comparison]).startswith("No comparison yet: ")
    [two] = told(*before, run(6, 0.85, "new"), run(7, 0.85, "new"))
    assert (two.comparison.change.verdict, two.comparison.change.runs) == ("unclear", 1)
    assert [earlier.job for earlier in two.comparison.earlier] == [6]


def test_a_pinned_circuit_is_compared_beside_a_newer_one():
    runs = [run(job, 0.7) for job in range(1, 5)]
    runs += [run(5, 0.85, "new"), run(6, 0.5), run(7, 0.85, "new")]
    new, pinned = told(*runs)
    assert (new.played.runs[0].circuit, pinned.played.runs[0].circuit) == ("new", "old")
    verdicts = [one.comparison.change.verdict for one in (new, pinned)]
    assert verdicts == ["unclear", "worse"]
    assert (pinned.comparison.change.runs, pinned.played.replaced) == (4, None)
    assert [one.played.runs[0].circuit for one in told(*runs[:5])] == ["new"]


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
    assert (
        f"the circuit changed: {gates} (from |0…0⟩) → {gates} (from |0…0⟩) two-qubit gates;" in html
    )
    assert "No comparison yet: " in html
    empty.get_one(Compilation, first.id).native_digest = second.native_digest = None
    empty.commit()
    assert "the circuit changed" in report_html(empty)
