"""Panels of a view in HTML."""

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from games.match import Match
from games.playing.panels import Bars, Cell, Circuit, Grid, Lines, Panel
from service.play.html.circuit import circuit_picture
from service.report.markup import Html, element

NUMBERED = re.compile(r"(\w+)(\(\w+\))")
"""A text such as `53(1)`: what stands in brackets is set smaller."""


def drawn(panel: Panel, match: Match[Any]) -> Html:
    """Return a panel; the circuit is drawn from the match's program."""
    match panel:
        case Grid():
            return table_of(panel)
        case Bars():
            return _bars(panel)
        case Circuit():
            # An empty circuit counts as false.
            shown = match.program().circuit if panel.picture is None else panel.picture
            return box("Circuit", circuit_picture(shown, match.known), "circuit")
        case Lines():
            return box(panel.title, _lines(panel.lines), "lines")


def table_of(panel: Grid) -> Html:
    """Return a table with its title."""
    return box(panel.title, _grid(panel), "grid")


def box(title: str, content: Html, kind: str) -> Html:
    """Return a titled part of a page."""
    return element("section", element("h2", title), content, class_=f"panel {kind}")


def face(cell: Cell) -> Html:
    """Return what is written in a cell."""
    if cell.lean:
        side = "left" if cell.lean < 0 else "right"
        return element("span", cell.text, class_=f"tone {cell.tone} card leans-{side}")
    found = NUMBERED.fullmatch(cell.text)
    if found is None:
        return element("span", cell.text, class_=f"tone {cell.tone}")
    return element("span", found[1], element("small", found[2]), class_=f"tone {cell.tone} card")


def _grid(panel: Grid) -> Html:
    rows = [element("tr", *map(_cell, range(len(row)), row)) for row in panel.rows]
    head = []
    if any(panel.columns):
        cells = (element("th", name, scope="col") for name in panel.columns)
        head = [element("thead", element("tr", *cells))]
    table = element("table", *head, element("tbody", *rows))
    return element(
        "div", table, class_="scroll", tabindex="0", role="group", aria_label=panel.title
    )


def _cell(place: int, cell: Cell) -> Html:
    attributes = {"class_": "first"} if not place else {}
    if cell.action:
        attributes["data_action"] = cell.action
    return element("td", face(cell) if cell.text else "", **attributes)


def _bars(panel: Bars) -> Html:
    rows = [_bar(name, chance) for name, chance in panel.bars]
    table = element("table", element("tbody", *rows))
    return element(
        "details", element("summary", element("h2", panel.title)), table, class_="panel bars",
        open="",
    )  # fmt: skip


def _bar(name: str, chance: Fraction) -> Html:
    share = f"{float(chance):.1%}".replace("%", " %")
    meter = element("meter", share, min="0", max="1", value=f"{float(chance):.4f}", aria_label=name)
    return element(
        "tr",
        element("th", name, scope="row"),
        element("td", meter, class_="meter"),
        element("td", str(chance)),
        element("td", share, class_="n"),
    )


def _lines(lines: Sequence[str]) -> Html:
    if not lines:
        return element("p", "nothing yet", class_="soft")
    aligned = any("  " in line for line in lines)
    items = (element("li", line) for line in lines)
    return element("ul", *items, **({"class_": "aligned"} if aligned else {}))
