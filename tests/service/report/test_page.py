import json
import re
from base64 import b64decode
from gzip import decompress
from hashlib import sha256

import plotly.graph_objects as go
import pytest
from plotly.offline import get_plotlyjs
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.report.page import report_html
from service.report.reading.scope import Scope
from tests.service.report.parsed_page import Page
from workers.records.rounds import NO_ROUND
from workers.records.tables import Candidate, Compilation, Job, ObservableRow, ScoreRow

from .conftest import HOSTILE, ROUND, START, hostile

ANCHORS = {
    "overview", "fidelity", "gates", "peers", "observables", "estimates", "volumetric", "compiler",
    "queue", "jobs", "circuits", "about", "standing",
}  # fmt: skip


@pytest.fixture(scope="module")
def html(session: Session) -> str:
    return report_html(session)


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


@pytest.fixture(scope="module")
def game(session: Session) -> Compilation:
    newest = select(Compilation).where(Compilation.program == "three.toml")
    found = session.scalars(newest.order_by(Compilation.id.desc())).first()
    assert found is not None
    return found


def test_says_how_to_make_records_if_there_are_none(empty: Session) -> None:
    page = Page(report_html(empty))
    assert "There are no records of finished compilations yet" in page.text
    assert "stichwerk bench" in page.text
    assert page.records == {"plots": {}, "jobs": {}}
    assert not re.search(r"\b(None|nan|undefined)\b", page.text)


def test_has_every_view(page: Page) -> None:
    assert set(page.attributes("h2", "id")) == ANCHORS
    assert page.attributes("a", "href")[: len(ANCHORS)] == [
        f"#{anchor}" for anchor in page.attributes("h2", "id")
    ]
    assert set(page.attributes("section", "aria-labelledby")) == ANCHORS


def test_asks_nobody_for_anything(page: Page) -> None:
    tags = {tag for tag, _ in page.tags}
    assert tags.isdisjoint({"link", "img", "iframe", "object", "image", "base", "form"})
    for name in ("href", "src", "xlink:href", "action"):
        links = [attrs[name] for _, attrs in page.tags if name in attrs]
        assert all(link and link.startswith("#") for link in links)
    [style] = [tag for tag, _ in page.tags if tag == "style"]
    assert style
    assert not any(re.search(r"\bon\w+", name) for _, attrs in page.tags for name in attrs)


def test_only_our_script_and_plotly_may_run(page: Page) -> None:
    [policy] = page.attributes("meta", "content")[:1]
    allowed = re.findall(r"'sha256-([^']+)'", policy)
    data, library, ours = page.scripts
    unpacked = decompress(b64decode(library))
    assert unpacked.decode() == get_plotlyjs()
    assert [b64decode(one) for one in allowed] == [
        sha256(ours.encode()).digest(), sha256(unpacked).digest(),
    ]  # fmt: skip
    assert "default-src 'none'" in policy
    assert re.search(r"script-src 'sha256-[^']+' 'sha256-[^']+';", policy)
    kinds = [attrs.get("type") for tag, attrs in page.tags if tag == "script"]
    assert kinds == ["application/json", "text/plain", None]
    assert json.loads(data)


def test_ids_are_unique_and_links_lead_somewhere(html: str, page: Page) -> None:
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    drawn = set(re.findall(r"url\(#([^\")]+)", html))
    linked = {link.removeprefix("#") for link in page.attributes("a", "href")}
    assert drawn | linked <= set(ids)


def test_same_records_give_the_same_page(session: Session, html: str) -> None:
    assert report_html(session) == html


def test_plotly_knows_every_option(page: Page) -> None:
    plots = page.records["plots"]
    assert len(plots) > 12
    for plot in plots.values():
        plain = json.loads(re.sub(r'"--[a-z0-9-]+"', '"#123456"', json.dumps(plot)))
        for trace in plain["traces"]:
            trace.pop("meta", None)
        go.Figure(data=plain["traces"], layout=plain["layout"])


def test_every_plot_is_described_and_has_a_place(page: Page) -> None:
    boxes = {attrs["id"]: attrs for tag, attrs in page.tags if attrs.get("class") == "plot"}
    assert set(boxes) == set(page.records["plots"])
    assert all(attrs["role"] == "group" and attrs["aria-label"] for attrs in boxes.values())
    tags = [tag for tag, _ in page.tags]
    assert tags.count("table") == tags.count("caption")


def test_table_of_compilations(page: Page, game: Compilation) -> None:
    chosen = game.chosen
    [row] = [r for r in page.table("The newest compilation of") if r["program"] == "three.toml"]
    assert row == {
        "program": "three.toml", "target": game.target, "circuit": "fast · paper",
        "two-qubit gates": f"{chosen.two_qubit_gates:,}", "change": "+0", "": "same",
        "two-qubit depth": f"{chosen.two_qubit_depth:,}", "depth": f"{chosen.depth:,}",
        "qubits": f"{chosen.qubits:,}", "expected fidelity": "–", "pipeline": chosen.pipeline,
        "verified": "exact", "seconds": f"{game.compile_seconds:.1f}", "older": "1",
        "when (UTC)": f"{game.created_at:%Y-%m-%d %H:%M}", "duration (µs)": "–", "seed": "0",
    }  # fmt: skip


def test_newest_runs_and_whether_they_are_better(page: Page, session: Session) -> None:
    jobs = session.scalars(
        select(Job).where(Job.backend == "aer:torino").order_by(Job.id.desc())
    ).all()
    newest, before, first = (job.scores[0] for job in jobs)
    assert newest.normalized_fidelity == before.normalized_fidelity
    assert before.normalized_fidelity > first.normalized_fidelity + 0.1
    [row] = [r for r in page.table("The newest run of") if r["backend"] == "aer:torino"]
    assert (row[""], row["job"]) == ("better", str(jobs[0].id))
    assert row["against"] == "2 runs since 2026-01-31"
    assert jobs[1].shots != jobs[2].shots < 4 * jobs[1].shots
    outcomes, total = 3 * 2, jobs[1].shots + jobs[2].shots
    corrected = [
        score.hellinger_fidelity + (outcomes - 1) / (4 * score.shots)
        for score in (newest, before, first)
    ]
    mean = (corrected[1] * before.shots + corrected[2] * first.shots) / total
    scale = (1 - newest.normalized_fidelity) / (1 - newest.hellinger_fidelity)
    assert float(row["change"].split()[0]) == pytest.approx(scale * (corrected[0] - mean), abs=6e-4)
    assert row["raw"] == f"{newest.normalized_fidelity:.3f}"
    assert row["post-selected"] == "–"
    win = newest.observables[0]
    assert row["observable"] == f"P(win) {win.measured:.3f} [{win.low:.3f}, {win.high:.3f}]"
    assert row["exact"] == "0.333"


def test_every_scored_run_is_listed(page: Page, session: Session) -> None:
    scored = set(session.scalars(select(Job.id).where(Job.scores.any())))
    assert {int(row["job"]) for row in page.table("Scored runs over time")} == scored


def test_failed_and_refuted_candidates_are_shown_with_their_reason(page: Page) -> None:
    rows = [r for r in page.table("All candidates") if r["pipeline"] == "tket"]
    assert {(row["verified"], row["detail"]) for row in rows} == {
        ("failed", "no <route>"), ("refuted", "state differs"),
    }  # fmt: skip


def test_the_newest_result_of_every_compiler(page: Page) -> None:
    rows = page.table("All compilers, all results")
    assert [(r["compiler"], r["two-qubit gates"], r["ratio"], r["verified"]) for r in rows] == [
        ("bqskit", "20", "2.000", "exact"),
        ("tket", "10", "1.000", "exact"), ("qiskit", "16", "1.600", "exact"),
        ("stichwerk", "8", "0.800", "exact"), ("bqskit", "–", "–", "failed"),
        ("stichwerk", "3", "–", "exact"),
    ]  # fmt: skip


def test_jobs_by_backend_and_state(page: Page) -> None:
    rows = {row["backend"]: row for row in page.table("Jobs by backend and state")}
    assert (rows["aer:lost"]["failed"], rows["aer:lost"]["failed of ended"]) == ("1", "100.0 %")
    assert (rows["ibm:torino"]["queued"], rows["ibm:torino"]["failed of ended"]) == ("1", "–")
    assert (rows["aer:torino"]["done"], rows["aer:torino"]["failed of ended"]) == ("3", "0.0 %")
    assert f"the oldest queued since {START:%Y-%m-%d %H:%M:%S}" in page.text


def test_seconds_in_states_are_counted_once_for_several_events(page: Page) -> None:
    rows = {
        row["state"]: row
        for row in page.table("Seconds spent in each state")
        if row["backend"] == "aer:torino"
    }
    assert list(rows) == ["queued", "compiling", "running", "scoring"]
    assert [rows["queued"][name] for name in ("jobs", "median", "longest")] == ["3", "4.00", "4.00"]
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
    [row] = [row for row in page.table("What failed") if row["backend"] == "aer:lost"]
    assert (row["error"], row["newest"]) == ("the machine <is> down", str(lost.id))
    details = page.records["jobs"][str(lost.id)]
    assert details["error"] == "the machine <is> down"
    assert details["stays"] == [["queued", 3.0], ["submitting", 20.0]]
    assert details["outcomes"] == []


def test_noise_is_called_noise(page: Page, session: Session) -> None:
    verdicts = {
        backend: page.records["jobs"][str(job)]["verdict"]
        for job, backend in session.execute(select(Job.id, Job.backend).where(NO_ROUND))
    }
    assert verdicts["aer:noisy"][0] == "noise"
    assert verdicts["aer:noisy"][1].startswith("These shots cannot be told from uniform noise.")
    assert page.records["jobs"]["1"]["verdict"][0] == "signal"


def test_estimates_stand_beside_exact_values_and_sampling(page: Page) -> None:
    rows = page.table("Estimates, the newest first")
    assert [row["backend"] for row in rows] == ["aer:<b>", "aer:estimating", "aer:estimating"]
    unknown, wrong, right = rows
    assert right | {"job": "", "ended (UTC)": ""} == {
        "job": "", "program": "three.toml", "observable": "win", "backend": "aer:estimating",
        "target": "all", "circuit": "fast · lean", "estimator": "iterative", "estimate": "0.3750",
        "from": "0.3500", "to": "0.4000", "exact": "0.3750", "off by": "0.0000", "": "done",
        "calls": "1,000", "sampling takes": "3,000", "a call is worth": "3.00",
        "iterates at most": "4", "ended (UTC)": "",
    }  # fmt: skip
    assert (wrong["off by"], wrong[""]) == ("0.1750", "outside")
    assert (unknown["exact"], unknown["off by"], unknown["a call is worth"]) == ("–", "–", "–")


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
    spread = 1.959964 * (0.375 * 0.625) ** 0.5
    assert sampling["y"] == pytest.approx([spread / 150**0.5, spread / 4000**0.5], rel=1e-6)


def test_rounds_of_estimates_clutter_no_list(page: Page) -> None:
    assert ROUND.name not in page.text
    told = [
        dict(job["facts"])["estimate"]
        for job in page.records["jobs"].values()
        if "aer:estimating" in job["title"]
    ]
    assert (
        "win 0.3750, 95 % interval 0.3500 to 0.4000, by 1 rounds and 1,000 calls, iterative" in told
    )


def test_a_job_without_scores_still_shows_its_outcomes(page: Page, session: Session) -> None:
    unscored = session.scalars(select(Job.id).where(Job.backend == "aer")).one()
    details = page.records["jobs"][str(unscored)]
    assert "Not scored yet." in details["says"]
    assert sum(row[1] for row in details["outcomes"]) == 77
    assert details["scores"] == []


def test_a_circuit_shows_its_bits(page: Page, session: Session) -> None:
    job = session.scalars(select(Job.id).where(Job.program == "ghz.qasm")).one()
    details = page.records["jobs"][str(job)]
    assert {row[0] for row in details["outcomes"]} == {"000", "111", "not expected"}
    assert "ghz.qasm, against its own exact distribution" in details["says"]
    assert [score["kind"] for score in details["scores"]] == ["raw"]
    assert sum(row[1] for row in details["outcomes"]) == 200
    assert details["circuit"] in page.attributes("figure", "id")


def test_markup_in_records_is_only_text(html: str, page: Page) -> None:
    for text in ("<em>why</em>", "star:4<i>", "<u> <b>", "<s>", "fast<b>", "<tt>", "<kbd>"):
        assert text in page.text
        assert text not in html
    assert "onerror=" in page.text
    assert "<img" not in html
    assert html.count("<script") == html.count("</script>") == 3
    assert "\u202e" not in html
    assert "\\u202e" not in html
    assert HOSTILE.replace("\u202e", "\ufffd").replace("\u2066", "\ufffd") in page.text
    assert "This version of Stichwerk cannot read the program." in page.text


def test_markup_in_records_is_no_markup_of_plots(page: Page) -> None:
    plots = json.dumps(page.records["plots"])
    shown = re.findall(r'"(?:name|text|y|x)": (\[[^]]*\]|"[^"]*")', plots)
    assert any("&lt;" in text for text in shown)
    assert not any(re.search(r"<(?!br>)", text) for text in shown)
    assert not any("%{y}\\ufffd" in t.get("hovertemplate", "") for p in
                   page.records["plots"].values() for t in p["traces"])  # fmt: skip


def test_compilations_that_chose_nothing_are_listed(page: Page) -> None:
    [row] = page.table("Compilations that chose nothing")
    assert row["what became of candidates"] == "failed: <em>why</em>"


def test_candidates_that_never_got_a_circuit_need_no_figures(empty: Session) -> None:
    empty.add(
        Compilation(
            program="x.qasm", source=b"", source_digest="a", target="all:2", method="fast",
            encoding="none", objective="two_qubit_gates", seed=0, program_verified="given",
            versions={}, candidates=[Candidate(synthesis="literal", pipeline="tket", seed=0)],
        )
    )  # fmt: skip
    empty.commit()
    page = Page(report_html(empty))
    [row] = page.table("Compilations that chose nothing")
    assert row["what became of candidates"] == "pending"
    assert "stichwerk bench" in page.text


def test_what_never_ran_and_what_has_no_exact_answer_leave_dashes(empty: Session) -> None:
    empty.add(Job(program="gone.toml", target="all", backend="aer", shots=9, seed=0,
                  state="failed", created_at=START, finished_at=START))  # fmt: skip
    large = hostile("unverified")
    win = ObservableRow(place=0, name="win", kind="event", measured=1, low=0.7, high=1)
    score = ScoreRow(kind="raw", shots=9, legal_fraction=1, observables=[win])
    empty.add(Job(compilation=large, program="large", target="all", backend="aer", shots=9, seed=0,
                  state="done", created_at=START, counts={"1": 9}, scores=[score]))  # fmt: skip
    empty.commit()
    page = Page(report_html(empty))
    assert not re.search(r"\b(None|nan|undefined|inf)\b", page.text)
    assert not re.search(r"NaN|Infinity|\bNone\b", page.scripts[0])
    [row] = page.table("The newest run of")
    assert (row["raw"], row["exact"]) == ("–", "–")
    assert row["observable"] == "P(win) 1.000 [0.700, 1.000]"
    [failure] = page.table("What failed")
    assert (failure["error"], failure["newest"]) == ("no reason recorded", "1")
    assert "No run has a normalised fidelity." in page.text
    assert page.records["jobs"]["2"]["outcomes"][0][:2] == ["1", 9]


def test_only_what_was_asked_for(session: Session) -> None:
    page = Page(report_html(session, Scope(program="ghz.qasm")))
    assert {row["program"] for row in page.table("The newest compilation of")} == {"ghz.qasm"}
    assert {row["program"] for row in page.table("Jobs, the newest first")} == {"ghz.qasm"}
    late = Page(report_html(session, Scope(since=START.replace(day=31))))
    assert "ibm:torino" in Page(report_html(session)).text
    assert "ibm:torino" not in late.text
    assert "Only since2026-01-31 22:00 UTC" in late.text
