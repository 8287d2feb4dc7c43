"""What a view of a match looks like, before anybody says on what: a terminal, a page."""

from collections.abc import Sequence
from fractions import Fraction

from attrs import frozen
from qiskit import QuantumCircuit


@frozen
class Cell:
    """A piece of text.

    Args:
        text: what is written.
        tone: `plain`, `faint`, or from `good` over `fair` and `bad` to `worst`; everything can be
            read without it.
        move: with what the moves begin that are about it, such as the card in a hand.
        lean: to which side it is tilted, −1 for the left; everything can be read without it.
        action: with what the moves end that put a piece here; its part before a point for pieces
            with which no move ends so.
    """

    text: str
    tone: str = "plain"
    move: str = ""
    lean: int = 0
    action: str = ""


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
    """The program so far in characters, for those who cannot draw it.

    Args:
        title: above it.
        lines: from top to bottom.
        picture: what is drawn; None for `Match.program()`.
    """

    picture: QuantumCircuit | None = None


Panel = Grid | Bars | Lines
