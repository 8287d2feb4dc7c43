"""What the tables of the report say, row by row, and what is told of a job."""

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from tests.service.report.parsed_page import Page
from workers.records.tables import Compilation, Job

from .conftest import START


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


@pytest.fixture(scope="module")
def game(session: Session) -> Compilation:
    newest = select(Compilation).where(Compilation.program == "three.toml")
    found = session.scalars(newest.order_by(Compilation.id.desc())).first()
    assert found is not None
    return found


def test_table_of_compilations(page: Page, game: Compilation) -> None:
    chosen = game.chosen
    [row] = [r for r in page.table("Newest compilation of") if r["program"] == "three.toml"]
    assert row == {
        "program": "three.toml", "target": game.target, "circuit": "fast · paper",
        "two-qubit gates": f"{chosen.two_qubit_gates} (from |0…0⟩)", "change": "+0",
        "verdict": "same",
        "two-qubit depth": f"{chosen.two_qubit_depth} (from |0…0⟩)",
        "depth": f"{chosen.depth} (from |0…0⟩)",
        "qubits": f"{chosen.qubits:,}", "expected fidelity": "–", "pipeline": chosen.pipeline,
        "proof": "exact", "compile time (s)": f"{game.compile_seconds:.1f}",
        "older compilations": "1", "time (UTC)": f"{game.created_at:%Y-%m-%d %H:%M}",
        "duration (µs)": "–",
    }  # fmt: skip


def test_newest_runs_and_whether_they_are_better(page: Page, session: Session) -> None:
    jobs = session.scalars(
        select(Job).where(Job.backend == "aer:torino").order_by(Job.id.desc())
    ).all()
    newest, before, first = (job.scores[0] for job in jobs)
    assert newest.normalized_fidelity == before.normalized_fidelity
    assert before.normalized_fidelity > first.normalized_fidelity + 0.1
    [row] = [r for r in page.table("Newest run of") if r["backend"] == "aer:torino"]
    assert (row["verdict"], row["job"]) == ("better", str(jobs[0].id))
    assert row["compared with"] == "2 runs since 2026-01-31"
    assert jobs[1].shots != jobs[2].shots < 4 * jobs[1].shots
    assert float(row["change"].split()[0]) > 0.05
    assert row["raw"] == f"{newest.normalized_fidelity:.3f}"
    assert row["post-selected"] == "–"
    win = newest.observables[0]
    assert row["observable"] == f"P(win) {win.measured:.3f} [{win.low:.3f}, {win.high:.3f}]"
    assert row["exact value"] == "0.333"


def test_every_scored_run_is_listed(page: Page, session: Session) -> None:
    scored = set(session.scalars(select(Job.id).where(Job.scores.any())))
    assert {int(row["job"]) for row in page.table("Scored runs over time")} == scored


def test_failed_and_refuted_candidates_are_shown_with_their_reason(page: Page) -> None:
    rows = [r for r in page.table("All candidates") if r["pipeline"] == "tket"]
    assert {(row["proof"], row["detail"]) for row in rows} == {
        ("failed", "no <route>"), ("refuted", "state differs"),
    }  # fmt: skip


def test_the_newest_result_of_every_compiler(page: Page) -> None:
    rows = page.table("All results")
    assert [(r["compiler"], r["two-qubit gates"], r["ratio"], r["proof"]) for r in rows] == [
        ("bqskit", "20", "2.000", "exact"),
        ("tket", "10", "1.000", "exact"), ("qiskit", "16", "1.600", "exact"),
        ("stichwerk", "8", "0.800", "exact"), ("bqskit", "–", "–", "failed"),
        ("stichwerk", "3", "–", "exact"),
    ]  # fmt: skip


def test_jobs_by_backend_and_state(page: Page) -> None:
    rows = {row["backend"]: row for row in page.table("Jobs by backend and state")}
    assert (rows["aer:lost"]["failed"], rows["aer:lost"]["failed share"]) == ("1", "100.0 %")
    assert (rows["ibm:torino"]["queued"], rows["ibm:torino"]["failed share"]) == ("1", "–")
    assert (rows["aer:torino"]["done"], rows["aer:torino"]["failed share"]) == ("3", "0.0 %")
    assert f"the oldest queued since {START:%Y-%m-%d %H:%M:%S}" in page.text


def test_seconds_in_states_are_counted_once_for_several_events(page: Page) -> None:
    rows = {
        row["state"]: row
        for row in page.table("Seconds spent in each state")
        if row["backend"] == "aer:torino"
    }
    assert list(rows) == ["queued", "compiling", "running", "scoring"]
    assert [rows["queued"][name] for name in ("jobs", "median", "maximum")] == ["3", "4.00", "4.00"]
    assert rows["running"]["5 %"] == "2.60"


def test_costs_are_added_up_by_day(page: Page) -> None:
    rows = [tuple(row.values()) for row in page.table("Estimated cost by day")]
    assert rows == [
        ("2026-02-02", "aer:torino", "5.00"),
        ("2026-02-01", "aer:torino", "5.00"),
        ("2026-01-31", "aer:torino", "1.25"),
    ]


def test_a_job_without_counts_says_why(page: Page, session: Session) -> None:
    lost = session.scalars(select(Job).where(Job.backend == "aer:lost")).one()
    [row] = [row for row in page.table("Failures") if row["backend"] == "aer:lost"]
    assert (row["error"], row["newest job"]) == ("the machine <is> down", str(lost.id))
    details = page.details(lost.id)
    for text in ("the machine <is> down", "for 3.00 s", "for 20.00 s"):
        assert text in details.text
    assert f"job-{lost.id}-outcomes" not in page.records["plots"]


def test_estimates_stand_beside_exact_values_and_sampling(page: Page) -> None:
    rows = page.table("Estimates, newest first")
    assert [row["backend"] for row in rows] == ["aer:<b>", "aer:estimating", "aer:estimating"]
    unknown, wrong, right = rows
    assert right | {"job": "", "ended (UTC)": ""} == {
        "job": "", "program": "three.toml", "observable": "win", "backend": "aer:estimating",
        "target": "all", "circuit": "fast · lean", "estimator": "bayesian",
        "estimate": "0.3750 [0.3500, 0.4000]", "exact value": "0.3750", "error": "0.0000",
        "state": "done", "calls": "1,000", "samples for ±": "3,000", "samples per call": "3.00",
        "maximum iterates": "4", "ended (UTC)": "",
    }  # fmt: skip
    assert (wrong["error"], wrong["state"]) == ("0.1750", "outside")
    assert {unknown[name] for name in ("exact value", "error", "samples per call")} == {"–"}


def test_errors_by_calls_are_drawn_beside_sampling(page: Page) -> None:
    [plot] = [
        plot for name, plot in page.records["plots"].items()
        if name.startswith("estimates-") and len(plot["traces"]) == 3
    ]  # fmt: skip
    half, off, sampling = plot["traces"]
    assert (half["x"], half["y"]) == ([300, 1000], [0.1, 0.025])
    # A logarithmic axis has no place for the estimate that is exactly right.
    assert (off["x"], off["y"]) == ([300, 1000], [0.175, None])
    assert sampling["x"] == [150, 4000]
    # An interval as narrow as the first one's, of half a width of 0.1, takes sampling 900 calls.
    spread = 0.1 * 900**0.5
    assert sampling["y"] == pytest.approx([spread / 150**0.5, spread / 4000**0.5], rel=1e-6)


def test_a_circuit_shows_its_bits(page: Page, session: Session) -> None:
    job = session.scalars(select(Job.id).where(Job.program == "ghz.qasm")).one()
    details = page.details(job)
    assert page.shares(job).keys() == {"000", "111", "not expected"}
    assert sum(page.shares(job).values()) == 200
    assert "ghz.qasm, against its own exact distribution" in details.text
    assert [row[0] for row in details.tables["Scores"]] == ["scores", "raw"]
    [circuit] = details.attributes("section", "data-circuit")
    assert circuit in page.attributes("figure", "id")
