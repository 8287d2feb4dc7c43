"""Records with markup, without results, and those that nobody asked for."""

import re

import pytest
from sqlalchemy.orm import Session

from service.report.page import report_html
from tests.service.report.parsed_page import Page
from workers.records.tables import Candidate, Compilation, Job, ObservableRow, ScoreRow

from .conftest import HOSTILE, START, hostile


@pytest.fixture(scope="module")
def page(html: str) -> Page:
    return Page(html)


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
    [row] = page.table("Newest run of")
    assert (row["raw"], row["exact value"]) == ("–", "–")
    assert row["observable"] == "P(win) 1.000 [0.700, 1.000]"
    [failure] = page.table("Failures")
    assert (failure["error"], failure["newest job"]) == ("no reason recorded", "1")
    assert "No run has a normalised fidelity yet." in page.text
    assert page.shares(2) == {"1": 9}
