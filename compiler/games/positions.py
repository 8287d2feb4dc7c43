"""The `paper` rules on whole positions: deal, play any card, the strongest card takes the trick.

This is the reference the operators are tested against. It knows nothing of qubits.
"""

from collections.abc import Iterator, Sequence
from enum import IntEnum
from itertools import combinations


class Place(IntEnum):
    """Where a card lies; the value's bit 0 is the table qubit, bit 1 the stack qubit."""

    HAND = 0b00
    TABLE = 0b01
    STACK = 0b11


Position = tuple[tuple[int, Place], ...]
"""Owner and place of every card, strongest card first."""


def deals(hands: Sequence[int], known: Sequence[int | None]) -> Iterator[Position]:
    """Yield every deal once.

    Args:
        hands: number of cards of each owner; the last one may be the skat.
        known: owner of each card, or None where it is unknown.
    """
    for owners in _owners(tuple(known), tuple(hands), 0):
        yield tuple((owner, Place.HAND) for owner in owners)


def _owners(
    known: tuple[int | None, ...], hands: tuple[int, ...], owner: int
) -> Iterator[tuple[int, ...]]:
    if owner == len(hands):
        yield tuple(o for o in known if o is not None)
        return
    free = [card for card, o in enumerate(known) if o is None]
    for chosen in combinations(free, hands[owner] - known.count(owner)):
        dealt = tuple(owner if card in chosen else o for card, o in enumerate(known))
        yield from _owners(dealt, hands, owner + 1)


def plays(position: Position, seat: int) -> list[Position]:
    """Return the positions after `seat` has played each of its hand cards."""
    hand = [card for card, (owner, place) in enumerate(position) if (owner, place) == (seat, 0)]
    return [_replace(position, {card: (seat, Place.TABLE)}) for card in hand]


def take_trick(position: Position) -> Position:
    """Return the position after the owner of the strongest table card has taken the trick."""
    table = [card for card, (_, place) in enumerate(position) if place is Place.TABLE]
    winner = position[table[0]][0]
    return _replace(position, dict.fromkeys(table, (winner, Place.STACK)))


def _replace(position: Position, changes: dict[int, tuple[int, Place]]) -> Position:
    return tuple(changes.get(card, state) for card, state in enumerate(position))
