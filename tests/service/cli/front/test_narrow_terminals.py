"""On narrow terminals nothing is cut off: cells take several lines, or each row is a block."""

import re

import pytest

from games.playing.panels import Cell, Grid
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


def test_only_words_beyond_any_column_are_broken():
    assert column_widths([["a b", "cc"], ["d" * 40]], 40) == [3, 37]
    assert column_widths([["name"], ["d" * 40]], 20) == [4, 16]
    assert column_widths([["name"], ["d" * 40]], 19) is None
