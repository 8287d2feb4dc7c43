"""A round: where the qudits start, and the cards beneath them, column by column."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

from attrs import evolve, field, frozen

from compiler.errors import GameError
from compiler.words.plurals import how_many
from games.endless_fun.rules.amplitude import DIMENSIONS
from games.endless_fun.rules.gates import Gate, gate_named
from games.options import RuleOptions


@frozen
class Options(RuleOptions):
    """The version of the game.

    Args:
        dimension: levels of a qudit; the rookie version always has two.
        rookie: whether every round starts from 0…0, and a seat plays beneath its own qubit only.
        pauli: whether Y of 2D is Pauli's matrix, |1⟩ → −i|0⟩; the paper prints |1⟩ → i|0⟩.

    Raises:
        GameError: if an option has no such value.
    """

    dimension: Literal["3", "2"] = "3"
    rookie: Literal["no", "yes"] = "no"
    pauli: Literal["no", "yes"] = "no"

    @property
    def levels(self) -> int:
        """Levels of a qudit."""
        return 2 if self.is_rookie else int(self.dimension)

    @property
    def is_rookie(self) -> bool:
        """Return whether it is the rookie version."""
        return self.rookie == "yes"

    @property
    def is_pauli(self) -> bool:
        """Return whether Y of 2D is Pauli's matrix."""
        return self.pauli == "yes"


MAX_QUDITS = 7
"""Maximum number of players."""

Row = tuple[Gate, ...]


class Step(NamedTuple):
    """A gate at its place.

    Args:
        gate: the gate.
        qudits: its qudits; a card on two lies under the first, and points at the second.
    """

    gate: Gate
    qudits: tuple[int, ...]


def _as_rows(rows: Iterable[Iterable[Gate]]) -> tuple[Row, ...]:
    return tuple(map(tuple, rows))


@frozen
class Round:
    """The cards of a round, all of them placed.

    Args:
        dimension: levels of a qudit, 2 or 3.
        start: the value that each qudit starts with, from left to right.
        rows: from top to bottom; each has a gate for every qudit, I where no card lies.
        pauli: whether Y of 2D is Pauli's matrix; see `games.endless_fun.rules.gates.matrix`.

    Raises:
        GameError: naming the invalid part.
    """

    dimension: int
    start: tuple[int, ...]
    rows: tuple[Row, ...] = field(default=(), converter=_as_rows)
    pauli: bool = False

    def __attrs_post_init__(self) -> None:
        if self.dimension not in DIMENSIONS:
            raise GameError(f"dimension = {self.dimension!r}: must be 2 or 3")
        if not 1 <= len(self.start) <= MAX_QUDITS:
            raise GameError(
                f"{how_many(len(self.start), 'start value')}; give 1 to {MAX_QUDITS}, one a qudit"
            )
        for value in self.start:
            if value not in range(self.dimension):
                raise GameError(
                    f"start value {value!r}: a qudit is 0 to {self.dimension - 1} "
                    f"in {self.dimension}D"
                )
        for number, row in enumerate(self.rows, start=1):
            _check_row(row, number, self.qudits, self.dimension)

    @classmethod
    def parsed(
        cls, start: str, gates: str | Sequence[str], dimension: int = 3, pauli: bool = False
    ) -> "Round":
        """Read a round in the notation of the paper's software.

        Args:
            start: a digit for each qudit, such as `0210`.
            gates: names row by row, each from left to right, separated by blanks; or a text for
                each row.
            dimension: levels of a qudit.
            pauli: see `Round`.

        Raises:
            GameError: naming the invalid part.
        """
        if type(dimension) is not int or dimension not in DIMENSIONS:
            raise GameError(f"dimension = {dimension!r}: must be 2 or 3")
        if not start or any(letter not in "0123456789" for letter in start):
            raise GameError(f"start {start[:20]!r}: write a digit for each qudit, such as 0210")
        width, rows = len(start), [row.split() for row in gates]
        if isinstance(gates, str):
            names = gates.split()
            if len(names) % width:
                raise GameError(
                    f"{how_many(len(names), 'gate')}: a row has {width}; write {width} gates a "
                    "row, I where no card lies"
                )
            rows = [names[at : at + width] for at in range(0, len(names), width)]
        named = [[gate_named(name, dimension) for name in row] for row in rows]
        return cls(dimension, tuple(map(int, start)), named, pauli)

    @property
    def qudits(self) -> int:
        """Number of qudits."""
        return len(self.start)

    def steps(self) -> Iterator[Step]:
        """Yield the gates in the order in which they act, the identities left out."""
        for row in self.rows:
            for at, gate in enumerate(row):
                if gate is not Gate.I:
                    yield Step(gate, (at, at + gate.reach) if gate.reach else (at,))


def _check_row(row: Row, number: int, qudits: int, dimension: int) -> None:
    if len(row) != qudits:
        raise GameError(
            f"row {number} has {how_many(len(row), 'gate')}; give {qudits}, one a qudit"
        )
    for at, gate in enumerate(row):
        gate_named(gate, dimension)
        if not 0 <= at + gate.reach < qudits:
            side = "left" if gate.reach < 0 else "right"
            raise GameError(
                f"row {number}: {gate} lies under qudit {at + 1}, and there is none "
                f"to the {side} of it"
            )


@frozen
class Laid:
    """A card on the table.

    Args:
        gate: the gate that it was played as.
        seat: the seat that has played it.
        cancelled: whether it has become an identity.
    """

    gate: Gate
    seat: int
    cancelled: bool = False

    @property
    def acting(self) -> Gate:
        """Effective gate of the card."""
        return Gate.I if self.cancelled else self.gate


@frozen
class Columns:
    """Cards beneath the qudits, which are counted from the left, from 1.

    Args:
        columns: for each qudit its cards from top to bottom.
    """

    columns: tuple[tuple[Laid, ...], ...]

    @classmethod
    def empty(cls, qudits: int) -> "Columns":
        """Return a table on which nothing lies."""
        return cls(((),) * qudits)

    def fits(self, gate: Gate, qudit: int) -> bool:
        """Return whether a gate may lie there: the qudit that it points at must exist."""
        return 1 <= qudit <= len(self.columns) and (1 <= qudit + gate.reach <= len(self.columns))

    def laid(self, gate: Gate, qudit: int, seat: int) -> "Columns":
        """Return the table with a card at the highest free place beneath a qudit.

        Raises:
            GameError: if it cannot lie there.
        """
        if not 1 <= qudit <= len(self.columns):
            raise GameError(f"there is no qudit {qudit}; they are 1 to {len(self.columns)}")
        if not self.fits(gate, qudit):
            side = "left" if gate.reach < 0 else "right"
            raise GameError(f"{gate} points {side}, and there is nothing {side} of qudit {qudit}")
        return self._with(qudit, (*self.columns[qudit - 1], Laid(gate, seat)))

    def cancelled(self, qudit: int, row: int) -> "Columns":
        """Return the table with a card turned into an identity.

        Raises:
            GameError: if none lies there that does anything.
        """
        if (qudit, row) not in self.cancellable():
            places = ", ".join(f"{q}.{r}" for q, r in self.cancellable()) or "nowhere"
            raise GameError(f"no card to cancel at {qudit}.{row}; there are some at {places}")
        column = list(self.columns[qudit - 1])
        column[row - 1] = evolve(column[row - 1], cancelled=True)
        return self._with(qudit, tuple(column))

    def cancellable(self) -> list[tuple[int, int]]:
        """Return qudit and row of all cards that are not cancelled yet."""
        return [
            (qudit, row)
            for qudit, column in enumerate(self.columns, start=1)
            for row, card in enumerate(column, start=1)
            if not card.cancelled
        ]

    def rows(self) -> Iterator[Row]:
        """Yield the gates row by row, I where no card lies."""
        for row in range(max(map(len, self.columns), default=0)):
            yield tuple(
                column[row].acting if row < len(column) else Gate.I for column in self.columns
            )

    def _with(self, qudit: int, column: tuple[Laid, ...]) -> "Columns":
        return Columns((*self.columns[: qudit - 1], column, *self.columns[qudit:]))
