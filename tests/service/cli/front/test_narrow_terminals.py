"""On narrow terminals nothing is cut off: cells take several lines, or each row is a block."""

import re
from fractions import Fraction

import pytest

from games.playing.panels import Bars, Cell, Grid, Lines
from service.cli.front.application import start_page
from service.cli.output.narrow_tables import column_widths
from service.cli.output.printing import print_table
from service.cli.play.screen import drawn

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
    assert any(line.startswith('  stichwerk skat bid --hand "CARDS"') for line in lines)


def test_rows_are_blocks_where_words_have_no_room(capsys):
    columns = ("name", "what it does", "where")
    print_table("t", columns, [["state-peephole", "removes gates", "everywhere"]], width=40)
    shown = capsys.readouterr().out
    assert [words(line) for line in shown.splitlines()[2:5]] == [
        ["name", "state-peephole"],
        sorted(["what", "it", "does", "removes", "gates"]),
        ["everywhere", "where"],
    ]


def test_only_words_beyond_any_column_are_broken():
    assert column_widths([["a b", "cc"], ["d" * 40]], 40) == [3, 37]
    assert column_widths([["name"], ["d" * 40]], 20) == [4, 16]
    assert column_widths([["name"], ["d" * 40]], 19) is None


def test_titles_and_bars_keep_within_the_line():
    panels = [
        Lines("a title that is longer than a line", ["x"]),
        Bars("", [("wins", Fraction(1, 3))]),
    ]
    shown = drawn(panels, 30, colour=False)
    assert max(map(len, shown.splitlines())) <= 30
    assert {"longer", "line", "33.3%", "1/3"} <= set(words(shown))


def test_boards_are_never_taken_apart():
    board = Grid("", ("", *"ABCDEFGH"), [[Cell(str(row))] + [Cell("·")] * 8 for row in range(3)])
    assert "A  B  C" in drawn([board], 40, colour=False)
