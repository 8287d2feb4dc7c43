"""The cards of a round as they are laid: a column beneath each qudit, without gaps."""

from collections.abc import Iterator

from attrs import evolve, frozen

from compiler.errors import GameError
from games.endless_fun.rules.gates import Gate
from games.endless_fun.rules.round import Row


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
