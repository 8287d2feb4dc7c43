"""Panels of a match on a terminal, or as plain text."""

from collections.abc import Iterator, Sequence
from io import StringIO

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.panel import Panel as Box
from rich.table import Table as RichTable
from rich.text import Text

from games.panels import Bars, Grid, Lines, Panel
from service.cli.output.printing import BLOCK, as_blocks, column_widths, printable

STYLES = {
    "plain": "",
    "faint": "dim",
    "good": "green",
    "fair": "yellow",
    "bad": "red",
    "worst": "bold magenta",
}
BAR, MIN_BAR = 20, 5
"""Characters of a probability of 1, and where there is little room."""
GAP = 1
"""Characters between panels that stand side by side."""
GAP_OF_COLUMNS = 2
"""Characters between the columns of a panel."""
FRAME = 5
"""Characters beside a panel's contents: its frame, and the gap after it."""
LONGEST_OF_A_BOARD = 2
"""Characters above a column of a board."""


def drawn(panels: Sequence[Panel], width: int, *, colour: bool) -> str:
    """Return panels as text.

    Args:
        panels: from top to bottom; narrow ones stand side by side.
        width: of a line, in characters.
        colour: whether the terminal may be told colours.
    """
    written = StringIO()
    console = Console(
        file=written, width=width, force_terminal=colour, markup=False, emoji=False, highlight=False
    )
    for boxes in _side_by_side([_boxed(panel, width) for panel in panels], console):
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


def _boxed(panel: Panel, width: int) -> Box:
    title, content = printable(panel.title), _content(panel, width - FRAME)
    if cell_len(title) > width - FRAME:
        return Box.fit(Group(Text(title, "bold"), content))
    return Box.fit(content, title=Text(title), title_align="left")


def _content(panel: Panel, room: int) -> RenderableType:
    match panel:
        case Grid():
            return _grid(panel, room)
        case Bars():
            return _bars(panel, room)
        case Lines():
            return Text("\n".join(map(printable, panel.lines)) or "nothing yet")


def _grid(panel: Grid, room: int) -> RichTable:
    """Return cells in rows; those below headings of words keep within the room.

    Where letters or nothing stand above columns, it is a board, which no line can be taken from.
    """
    headings = [printable(column) for column in panel.columns]
    widest = max((len(row) for row in panel.rows), default=0)
    headings += [""] * (widest - len(headings))
    texts = [[printable(cell.text) for cell in row] for row in panel.rows]
    shared = [
        [heading, *(row[place] for row in texts if place < len(row))]
        for place, heading in enumerate(headings)
    ]
    between = GAP_OF_COLUMNS * (len(headings) - 1)
    table = RichTable(box=None, show_header=any(headings), pad_edge=False)
    wide = sum(max(map(cell_len, column)) for column in shared) + between > room
    if wide and max(map(cell_len, headings)) > LONGEST_OF_A_BOARD:
        widths = column_widths(shared, room - between)
        if widths is None:
            table.show_header = False
            for _ in BLOCK:
                table.add_column(overflow="fold")
            for line in as_blocks(headings, texts):
                table.add_row(*map(Text, line))
            return table
        for heading, width in zip(headings, widths, strict=True):
            table.add_column(heading, overflow="fold", width=width)
    else:
        for heading in headings:
            table.add_column(heading, no_wrap=True)
    for row in panel.rows:
        table.add_row(*(Text(printable(cell.text), STYLES[cell.tone]) for cell in row))
    return table


def _bars(panel: Bars, room: int) -> RichTable:
    table = RichTable(box=None, show_header=False, pad_edge=False)
    rows = [(printable(name), str(chance), f"{float(chance):.1%}") for name, chance in panel.bars]
    beside = sum(max((cell_len(row[place]) for row in rows), default=0) for place in range(3))
    most = min(BAR, max(MIN_BAR, room - beside - 3 * GAP_OF_COLUMNS))
    for (name, exact, share), (_, chance) in zip(rows, panel.bars, strict=True):
        full = round(chance * most)
        bar = Text().append("█" * full, "cyan").append("░" * (most - full), "dim")
        table.add_row(name, bar, exact, share)
    return table
