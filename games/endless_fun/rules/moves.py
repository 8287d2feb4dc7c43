"""What a seat may do, and how it is written."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from compiler.errors import GameError
from games.endless_fun.rules.cards import Card, Hand, gates_of
from games.endless_fun.rules.columns import Columns
from games.endless_fun.rules.gates import GATES, Gate

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


class Cancel(NamedTuple):
    """A card on the table becomes an identity; written `Cancel 2.1`, qudit and row."""

    qudit: int
    row: int

    def __str__(self) -> str:
        return f"Cancel {self.qudit}.{self.row}"

    @property
    def card(self) -> Card:
        """What is played."""
        return Card.CANCEL


class Steal(NamedTuple):
    """A random card of another hand is drawn, and to be played at once; `Steal from 3`."""

    victim: int

    def __str__(self) -> str:
        return f"Steal from {self.victim}"

    @property
    def card(self) -> Card:
        """What is played."""
        return Card.STEAL


Move = Lay | Cancel | Steal


def read_move(text: str, dimension: int) -> Move:
    """Read a move with a card.

    Raises:
        GameError: saying how moves are written.
    """
    words = " ".join(text.split())
    if found := _CANCEL.fullmatch(words):
        return Cancel(int(found[1]), int(found[2]))
    if found := _STEAL.fullmatch(words):
        return Steal(int(found[1]))
    if found := _LAY.fullmatch(words):
        for gate in GATES[dimension]:
            if gate.value.lower() == found[1].lower():
                return Lay(_card_of(gate, dimension), gate, int(found[2]))
    raise GameError(
        f"{text[:40]!r}: write a gate and a qudit such as '{GATES[dimension][3]} 2', "
        "'Cancel 2.1' (qudit and row), or 'Steal from 3'"
    )


def _card_of(gate: Gate, dimension: int) -> Card:
    return next(card for card in Card if gate in gates_of(card, dimension))


def moves_with(
    hand: Hand, table: Columns, victims: Sequence[int], dimension: int, own: int | None
) -> Iterator[Move]:
    """Yield all that may be done with one of some cards, each once.

    Args:
        hand: the cards.
        table: the cards that lie.
        victims: the seats from which a card may be stolen.
        dimension: levels of a qudit.
        own: the qudit beneath which alone cards may be played; None for any.
    """
    qudits = range(1, len(table.columns) + 1) if own is None else (own,)
    for card in dict.fromkeys(hand):
        if card is Card.CANCEL:
            yield from (Cancel(*at) for at in table.cancellable() if at[0] in qudits)
        elif card is Card.STEAL:
            yield from map(Steal, victims)
        for gate in gates_of(card, dimension):
            yield from (Lay(card, gate, qudit) for qudit in qudits if table.fits(gate, qudit))
