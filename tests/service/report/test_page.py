import re
from html.parser import HTMLParser

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.report.page import report_html
from workers.records import Candidate, Compilation, Job

VOID = {"meta"}


class Page(HTMLParser):
    """A page's elements: balanced, with the text of each."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.cells: list[list[str]] = []
        self.text = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag == "tr":
            self.cells.append([])
        if tag in ("td", "th"):
            self.cells[-1].append("")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data
        if {"td", "th"} & set(self.open):
            self.cells[-1][-1] += data

    def row(self, *start: str) -> list[str]:
        [row] = [row for row in self.cells if row[: len(start)] == list(start)]
        return row

    def attributes(self, tag: str, name: str) -> list[str]:
        return [attrs[name] or "" for t, attrs in self.tags if t == tag and name in attrs]


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
    assert page.attributes("svg", "role") == []


def test_loads_and_runs_nothing(html: str, page: Page) -> None:
    assert "http://" not in html
    assert "https://" not in html
    tags = {tag for tag, _ in page.tags}
    assert tags.isdisjoint({"script", "link", "img", "iframe", "object", "image"})
    for name in ("href", "src", "xlink:href"):
        links = [attrs[name] for _, attrs in page.tags if name in attrs]
        assert all(link and link.startswith("#") for link in links)
    assert not re.search(r"url\((?!#)|@import", html)


def test_ids_are_unique_and_links_lead_somewhere(html: str, page: Page) -> None:
    ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
    assert len(ids) == len(set(ids))
    used = set(re.findall(r'(?:href="|url\()#([^")]+)', html))
    assert used <= set(ids)


def test_same_records_give_the_same_page(session: Session, html: str) -> None:
    assert report_html(session) == html


def test_pictures_and_tables_are_described(page: Page) -> None:
    pictures = [attrs for tag, attrs in page.tags if tag == "svg"]
    assert len(pictures) == 3 + 2 + 2
    assert all(attrs["role"] == "img" and attrs["aria-label"] for attrs in pictures)
    tags = [tag for tag, _ in page.tags]
    assert tags.count("figure") == tags.count("figcaption") == len(pictures)
    assert tags.count("table") == tags.count("caption")


def test_bars_show_the_fewest_gates(page: Page, game: Compilation) -> None:
    [description] = [label for label in page.attributes("svg", "aria-label") if "tket" in label]
    gates = game.chosen.two_qubit_gates
    synthesis = game.chosen.synthesis
    assert description == (
        f"Two-qubit gates. {game.target}: qiskit {synthesis} {gates} chosen; "
        "tket literal failed, refuted."
    )


def test_table_of_compilations(page: Page, game: Compilation) -> None:
    chosen = game.chosen
    assert page.row("three.toml", game.target, "fast", "paper") == [
        "three.toml", game.target, "fast", "paper", "qiskit", "0",
        f"{chosen.qubits:,}", f"{chosen.two_qubit_gates:,}", f"{chosen.two_qubit_depth:,}",
        f"{chosen.depth:,}", "–", "–", "exact", f"{game.compile_seconds:.1f}",
    ]  # fmt: skip
    assert "the records hold 1 older one" in page.text
    assert "3 shown, 1 older in the records" in page.text


def test_failed_and_refuted_candidates_are_shown_with_their_reason(
    page: Page, game: Compilation
) -> None:
    failed, refuted = (row for row in page.cells if row[:3] == ["literal", "tket", "1"])
    assert (failed[9], failed[-1]) == ("failed", "no <route>")
    assert (refuted[9], refuted[-1]) == ("refuted", "state differs")
    assert (
        f"three.toml on {game.target}, fast, paper encoding: 1 of 3 candidates verified"
        in page.text
    )


def test_scores_raw_and_post_selected(page: Page, session: Session) -> None:
    for backend in ("sparse", "aer:noisy"):
        job = session.scalars(
            select(Job).where(Job.backend == backend, Job.scores.any()).order_by(Job.id)
        ).first()
        assert job is not None
        raw, selected = job.scores
        assert [
            "Hellinger fidelity",
            f"{raw.hellinger_fidelity:.3f}",
            f"{selected.hellinger_fidelity:.3f}",
        ] in page.cells
        assert [
            "… 95 % interval",
            f"{raw.p_win_low:.3f} to {raw.p_win_high:.3f}",
            f"{selected.p_win_low:.3f} to {selected.p_win_high:.3f}",
        ] in page.cells
        assert ["… exact", "0.333", "0.333"] in page.cells


def test_noise_is_called_noise(page: Page, game: Compilation) -> None:
    noisy = page.text.index("run on aer:noisy")
    verdict = "noise These shots cannot be told from uniform noise."
    assert page.text[noisy:].startswith(f"run on aer:noisy{verdict}")
    clean = page.text.index(f"three.toml on {game.target} (fast), run on sparse")
    assert page.text[clean:].startswith(
        f"three.toml on {game.target} (fast), run on sparsesignal Most shots follow"
    )


def test_a_job_without_scores_is_a_table_of_outcomes(page: Page) -> None:
    assert "77 shots on aer" in page.text
    assert "Not scored yet." in page.text


def test_a_circuit_is_a_table_of_outcomes(page: Page) -> None:
    rows = [row for row in page.cells if row[0] in ("000", "111") and len(row) == 4]
    assert len(rows) == 2
    assert sum(int(row[1]) for row in rows) == 200
    assert "fast method) with 2 two-qubit gates." in page.text


def test_a_job_without_counts_says_why(page: Page, game: Compilation) -> None:
    row = page.row("4", "three.toml", game.target, "aer:lost")
    assert row[4:] == ["5", "failed", "the machine <is> down"]


def test_markup_in_records_is_only_text(html: str, page: Page) -> None:
    assert "<script" not in html
    for text in ("<em>why</em>", "star:4<i>", "<u> <b>", "<s>"):
        assert text in page.text
        assert text not in html
    assert "This version of Stichwerk cannot read the program." in page.text


def test_compilations_that_chose_nothing_are_listed(page: Page) -> None:
    [row] = [row for row in page.cells if row[-1] == "failed: <em>why</em>"]
    assert row[0].startswith("<script")


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
    assert page.row("x.qasm")[-1] == "pending"
    assert "stichwerk bench" in page.text
