"""On narrow terminals nothing is cut off: cells take several lines, or each row is a block."""

import logging
import re
from fractions import Fraction

import pytest
from pydantic import BaseModel

from games.panels import Bars, Cell, Grid, Lines
from service.cli.front.application import start_page
from service.cli.output import printing
from service.cli.output.printing import print_table
from service.cli.output.progress import backend_progress, say_if_first
from service.cli.play.screen import drawn
from workers.logs import Interim

COLUMNS = ("contract", "superposed", "open cards", "schneider", "value", "score", "up to")


ROWS = (
    ("grand hand", "0.930", "1.00 (0.74–1.00)", "0.73/0.09", "72", "139 (53 to 146)", "96"),
    ("clubs hand", "–", "0.82 (0.52–0.97)", "0.82/0.00", "60", "-59 (-124 to 126)", "60"),
)


WORDS = sorted(word for row in (COLUMNS, *ROWS) for cell in row for word in cell.split())


def words(text: str) -> list[str]:
    return sorted(re.sub(r"[│─╭╮╰╯┏┳┓┃┡╇┩┌┬┐├┼┤└┴┘━]", " ", text).split())


@pytest.mark.parametrize("width", [120, 80, 60, 40])
def test_a_table_keeps_all_words(width, capsys):
    print_table("", COLUMNS, ROWS, width=width)
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width
    assert set(words("\n".join(lines))) == set(WORDS)


@pytest.mark.parametrize("width", [120, 80, 60, 40])
def test_a_panel_keeps_all_words(width):
    rows = [[Cell(text) for text in row] for row in ROWS]
    shown = drawn([Grid("", COLUMNS, rows)], width, colour=False)
    assert max(map(len, shown.splitlines())) <= width
    assert set(words(shown)) == set(WORDS)


@pytest.mark.parametrize("width", [120, 80, 72, 60, 40])
def test_what_people_do_most_keeps_within_the_line(width):
    shown = start_page(width)
    assert max(map(len, shown.splitlines())) <= width
    assert words(shown) == words(start_page(1000))
    lines = [line.rstrip() for line in shown.splitlines()]
    assert any(line.startswith("  stichwerk run skat-4 -b aer:boston") for line in lines)


NAME = "endless-fun:three: won"


def test_panels_show_colons_as_they_are():
    panels = [
        Lines(NAME, [NAME]),
        Bars(NAME, [(NAME, Fraction(1, 2))]),
        Grid(NAME, (NAME, NAME), []),
    ]
    assert drawn(panels, 200, colour=False).count(NAME) == 7


@pytest.mark.parametrize(("pause", "lines"), [(3600, 0), (0, 250)])
def test_backends_show_progress_at_intervals(capsys, monkeypatch, pause, lines):
    monkeypatch.setattr(printing, "PAUSE_SECONDS", pause)
    log = logging.getLogger("backends.any")
    with backend_progress():
        for done in range(4, 1001, 4):
            log.info("%d of 1000 shots", done)
    log.info("not listened to")
    assert len(capsys.readouterr().err.splitlines()) == lines


def test_progress_is_one_line_of_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr("sys.stderr.isatty", lambda: True, raising=False)
    monkeypatch.setenv("COLUMNS", "10")
    printing.progress("a long first stage")
    printing.progress(Interim("left out"))
    printing.progress("second")
    printing.say("a message")
    assert capsys.readouterr().err == "\r\x1b[Ka long f…\r\x1b[Ksecond\r\x1b[Ka message\n"


class Document(BaseModel):
    """Document with single values, and with a list of objects."""

    scores: dict[str, float]
    empty: None
    rows: list[dict[str, str | int | None]]


def test_details_are_the_fields_that_are_set(capsys):
    rows = [{"name": "a", "size": 1}, {"name": "b", "size": None}]
    document = {"scores": {"win": 0.5}, "empty": None, "rows": rows}
    printing.print_result(Document.model_validate(document), lambda _: None, as_json=False,
                          details=True)  # fmt: skip
    shown = capsys.readouterr().out
    assert "scores.win" in shown
    assert "empty" not in shown
    assert "│ a    │    1 │" in shown


@pytest.mark.parametrize(
    ("file", "elsewhere", "lines"),
    [("beam.cpython-311.pyc", "", 1), ("beam.best-8.py311.nbi", "", 0),
     ("beam.cpython-311.pyc", "/somewhere", 0)],
)  # fmt: skip
def test_where_nothing_is_compiled_it_is_said(
    tmp_path, monkeypatch, capsys, file, elsewhere, lines
):
    monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
    if elsewhere:
        monkeypatch.setenv("NUMBA_CACHE_DIR", elsewhere)
    folder = tmp_path / "compiler" / "lowering" / "hub" / "__pycache__"
    folder.mkdir(parents=True)
    (folder / file).touch()
    say_if_first("compiler", tmp_path)
    assert len(capsys.readouterr().err.splitlines()) == lines
