"""Views of a match for any medium: cells, grids, bars, lines, circuits, boards."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from attrs import frozen
from qiskit import QuantumCircuit


@frozen
class Cell:
    """A piece of text.

    The text is complete without `tone` and `lean`.

    Args:
        text: the text.
        tone: `plain`, `faint`, or from `good` over `fair` and `bad` to `worst`.
        move: prefix of the moves that this cell is about, such as the card in a hand.
        lean: tilt, −1 for the left.
        action: suffix of the moves that put a piece here; its part before a point for pieces
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
        rows: rows of cells; short ones end early.
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
        lines: lines from top to bottom.
    """

    title: str
    lines: Sequence[str]


@frozen
class Circuit(Lines):
    """The program so far as text, for clients that cannot draw it.

    Args:
        title: heading.
        lines: lines from top to bottom.
        picture: circuit to draw; None for `Match.program()`.
    """

    picture: QuantumCircuit | None = None


Panel = Grid | Bars | Lines


@frozen
class Spot:
    """A point of a board.

    Args:
        name: name of the point in moves.
        pieces: possible pieces and their probabilities; None for a probability that is not shown.
        words: description of the point.
    """

    name: str
    pieces: Mapping[str, float | None]
    words: str


@frozen
class Layer:
    """One of the games that are superposed on a board.

    Args:
        number: its number in moves, from 0 on.
        words: known facts, such as its amplitude.
        pieces: pieces by the name of their point; empty points are left out.
    """

    number: int
    words: str
    pieces: Mapping[str, str]


@frozen
class Board(Grid):
    """A board, with a grid for clients that cannot draw it.

    Args:
        spots: its points, row by row as `rows`, without the row headings.
        signs: sign of each piece.
        layers: its games; not all of them, if there are very many.
    """

    spots: Sequence[Sequence[Spot]]
    signs: Mapping[str, str]
    layers: Sequence[Layer]

    def told(self, place: int) -> str:
        """Return the heading of one of the games."""
        return f"Game {place + 1} of {len(self.layers)}: {self.layers[place].words}"

    def alone(self, place: int) -> "Board":
        """Return the board of one game.

        Args:
            place: among `layers`.
        """
        pieces = self.layers[place].pieces
        rows = [
            [self._written(cell, pieces.get(cell.move)) if cell.move else cell for cell in row]
            for row in self.rows
        ]
        spots = [[_alone(spot, pieces.get(spot.name)) for spot in row] for row in self.spots]
        return Board(self.told(place), self.columns, rows, spots, self.signs, self.layers)

    def _written(self, cell: Cell, piece: str | None) -> Cell:
        text = self.signs["empty" if piece is None else piece]
        return Cell(text, "faint" if piece is None else "plain", cell.move)


def _alone(spot: Spot, piece: str | None) -> Spot:
    text = f"{spot.name}: {'empty' if piece is None else piece}"
    return Spot(spot.name, {} if piece is None else {piece: 1.0}, text)
