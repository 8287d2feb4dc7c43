"""Legal moves of a seat, and their notation."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from attrs import frozen

from compiler.errors import GameError
from games.endless_fun.rules.gates import GATES, Card, Gate, Hand, gate_named, gates_of
from games.endless_fun.rules.round import Columns

PASS = "pass"
SIDES = ("left", "right")
_LAY = re.compile(r"(\S+) (\d)", re.ASCII)
_CANCEL = re.compile(r"cancel (\d)\.(\d\d?)", re.ASCII | re.IGNORECASE)
_STEAL = re.compile(r"steal from (\d)", re.ASCII | re.IGNORECASE)


class Lay(NamedTuple):
    """A card is laid beneath a qudit, counted from 1; written `X1 2`."""

    card: Card
    gate: Gate
    qudit: int

    def __str__(self) -> str:
        return f"{self.gate} {self.qudit}"

    def on(self, table: Columns, seat: int) -> Columns:
        """Return the table after it; see `Columns.laid`."""
        return table.laid(self.gate, self.qudit, seat)


class Cancel(NamedTuple):
    """A card on the table becomes an identity; written `Cancel 2.1`, qudit and row."""

    qudit: int
    row: int

    def __str__(self) -> str:
        return f"Cancel {self.qudit}.{self.row}"

    @property
    def card(self) -> Card:
        """The card that is played."""
        return Card.CANCEL

    def on(self, table: Columns, seat: int) -> Columns:
        """Return the table after it; see `Columns.cancelled`."""
        return table.cancelled(self.qudit, self.row)


class Steal(NamedTuple):
    """A random card of another hand is drawn, and must be played next; `Steal from 3`."""

    victim: int

    def __str__(self) -> str:
        return f"Steal from {self.victim}"

    @property
    def card(self) -> Card:
        """The card that is played."""
        return Card.STEAL

    def on(self, table: Columns, seat: int) -> Columns:
        """Return the table as it is: the card that is drawn is laid by the next move."""
        return table


Move = Lay | Cancel | Steal


def read_move(text: str, dimension: int) -> Move:
    """Read a move with a card.

    Raises:
        GameError: naming the notation of moves.
    """
    move = " ".join(text.split())
    if match := _CANCEL.fullmatch(move):
        return Cancel(int(match[1]), int(match[2]))
    if match := _STEAL.fullmatch(move):
        return Steal(int(match[1]))
    if match := _LAY.fullmatch(move):
        try:
            gate = gate_named(match[1], dimension)
        except GameError:
            pass
        else:
            card = next(card for card in Card if gate in gates_of(card, dimension))
            return Lay(card, gate, int(match[2]))
    raise GameError(
        f"{text[:40]!r}: {_several(move, dimension)}write a gate and a qudit such as "
        f"'{GATES[dimension][3]} 2', 'Cancel 2.1' (qudit and row), or 'Steal from 3'"
    )


def _several(move: str, dimension: int) -> str:
    """Return which gates a card may be that is named instead of one of them."""
    named = [card for card in Card if card.lower() == move.partition(" ")[0].lower()]
    gates = [gate for card in named for gate in gates_of(card, dimension)]
    return f"{named[0]} is {' or '.join(gates)}; " if len(gates) > 1 else ""


@frozen
class LegalMoves:
    """Legal moves of a seat with its cards.

    Args:
        seat: the seat to move.
        hand: its cards.
        stolen: a stolen card, which must be played; None if there is none.
        table: the cards on the table.
        victims: the seats from which a card may be stolen.
        dimension: levels of a qudit.
        own: the only qudit beneath which cards may be played; None for any.
    """

    seat: int
    hand: Hand
    stolen: Card | None
    table: Columns
    victims: tuple[int, ...]
    dimension: int
    own: int | None

    def moves(self) -> Iterator[Move]:
        """Yield all that may be done with one of the cards, each once."""
        qudits = range(1, len(self.table.columns) + 1) if self.own is None else (self.own,)
        for card in dict.fromkeys(self._playable):
            if card is Card.CANCEL:
                yield from (Cancel(*at) for at in self.table.cancellable() if at[0] in qudits)
            elif card is Card.STEAL:
                yield from map(Steal, self.victims)
            for gate in gates_of(card, self.dimension):
                yield from (Lay(card, gate, at) for at in qudits if self.table.fits(gate, at))

    def check(self, move: Move) -> None:
        """Refuse a move that is not legal.

        Raises:
            GameError: naming the reason.
        """
        if move in set(self.moves()):
            return
        if move.card not in self._playable:
            raise GameError(self._lacking(move.card))
        if isinstance(move, Steal):
            whose = "is you" if move.victim == self.seat else "has no card that you could steal"
            raise GameError(f"player {move.victim} {whose}")
        move.on(self.table, self.seat)
        raise GameError(
            f"{move}: in the rookie version your cards go beneath qudit {self.own} only"
        )

    @property
    def _playable(self) -> Hand:
        return self.hand if self.stolen is None else (self.stolen,)

    def _lacking(self, card: Card) -> str:
        if self.stolen is not None:
            return f"{card}: you have stolen {self.stolen}, which must be played first"
        if not self.hand:
            return f"you have no {card} card, and no other one: pass"
        return f"you have no {card} card: you hold {', '.join(self.hand)}; play one of these"
