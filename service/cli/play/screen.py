"""Panels of a match on a terminal, or as plain text."""

from collections.abc import Iterator, Sequence
from io import StringIO

from rich.console import Console, RenderableType
from rich.panel import Panel as Box
from rich.table import Table as RichTable
from rich.text import Text

from games.playing.panels import Bars, Grid, Lines, Panel
from service.cli.output.printing import printable

STYLES = {
    "plain": "",
    "faint": "dim",
    "good": "green",
    "fair": "yellow",
    "bad": "red",
    "worst": "bold magenta",
}
BAR = 20
"""Characters of a probability of 1."""
GAP = 1
"""Characters between panels that stand side by side."""


def drawn(panels: Sequence[Panel], width: int, *, colour: bool) -> str:
    """Return panels as text.

    Args:
        panels: from top to bottom; narrow ones stand side by side.
        width: of a line, in characters.
        colour: whether the terminal may be told colours.
    """
    written = StringIO()
    console = Console(
        file=written,
        width=width,
        force_terminal=colour,
        markup=False,
        emoji=False,
        highlight=False,
    )
    for boxes in _side_by_side([_boxed(panel) for panel in panels], console):
        line = RichTable.grid(padding=(0, GAP, 0, 0))
        line.add_row(*boxes)
        console.print(line)
    return "\n".join(line.rstrip() for line in written.getvalue().splitlines())


def _side_by_side(boxes: Sequence[Box], console: Console) -> Iterator[list[Box]]:
    """Yield as many boxes as fit on a line, in their order."""
    line: list[Box] = []
    left = console.width
    for box in boxes:
        wide = console.measure(box).maximum + GAP
        if line and wide > left:
            yield line
            line, left = [], console.width
        line.append(box)
        left -= wide
    if line:
        yield line


def _boxed(panel: Panel) -> Box:
    return Box.fit(_content(panel), title=Text(printable(panel.title)), title_align="left")


def _content(panel: Panel) -> RenderableType:
    match panel:
        case Grid():
            return _grid(panel)
        case Bars():
            return _bars(panel)
        case Lines():
            return Text("\n".join(map(printable, panel.lines)) or "nothing yet")


def _grid(panel: Grid) -> RichTable:
    table = RichTable(box=None, show_header=any(panel.columns), pad_edge=False)
    widest = max((len(row) for row in panel.rows), default=0)
    for column in [*panel.columns, *[""] * (widest - len(panel.columns))]:
        table.add_column(printable(column), no_wrap=True)
    for row in panel.rows:
        table.add_row(*(Text(printable(cell.text), STYLES[cell.tone]) for cell in row))
    return table


def _bars(panel: Bars) -> RichTable:
    table = RichTable(box=None, show_header=False, pad_edge=False)
    for name, chance in panel.bars:
        full = round(chance * BAR)
        bar = Text().append("█" * full, "cyan").append("░" * (BAR - full), "dim")
        table.add_row(printable(name), bar, str(chance), f"{float(chance):.1%}")
    return table
