"""What a view of a match looks like, before anybody says on what: a terminal, a page."""

from collections.abc import Sequence
from fractions import Fraction

from attrs import frozen


@frozen
class Cell:
    """A piece of text.

    Args:
        text: what is written.
        tone: `plain`, `faint`, or from `good` over `fair` and `bad` to `worst`; everything can be
            read without it.
        move: with what the moves begin that are about it, such as the card in a hand.
    """

    text: str
    tone: str = "plain"
    move: str = ""


@frozen
class Grid:
    """Cells in rows.

    Args:
        title: above it.
        columns: headings; empty for none.
        rows: of cells; short ones end early.
    """

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]


@frozen
class Bars:
    """Probabilities.

    Args:
        title: above them.
        bars: name and probability of each.
    """

    title: str
    bars: Sequence[tuple[str, Fraction]]


@frozen
class Lines:
    """Lines of text, in which columns may be aligned by blanks.

    Args:
        title: above them.
        lines: from top to bottom.
    """

    title: str
    lines: Sequence[str]


@frozen
class Circuit(Lines):
    """The program so far in characters, for those who cannot draw `Match.program()`."""


Panel = Grid | Bars | Lines
