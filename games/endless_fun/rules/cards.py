"""The cards: the deck, the hands, and the possible gates of each card."""

from collections.abc import Mapping
from enum import StrEnum
from functools import cache
from random import Random

from games.endless_fun.rules.gates import GATES, Gate

FEWEST_PLAYERS, MAX_PLAYERS = 2, 7
HAND = 7
"""Cards that each player gets."""


class Card(StrEnum):
    """The print on a card."""

    I = "I"  # noqa: E741
    X = "X"
    Y = "Y"
    Z = "Z"
    H1 = "H1"
    H2 = "H2"
    H3 = "H3"
    CNOT = "CNOT"
    SWAP = "SWAP"
    STEAL = "Steal"
    CANCEL = "Cancel"


DECK: Mapping[Card, int] = {
    Card.I: 4, Card.X: 4, Card.Y: 4, Card.Z: 4,
    # The paper leaves the split of the 15 Hadamards into kinds open.
    Card.H1: 5, Card.H2: 5, Card.H3: 5,
    Card.CNOT: 9, Card.SWAP: 8, Card.STEAL: 2, Card.CANCEL: 5,
}  # fmt: skip
"""Number of cards of each kind; in 2D the H3 are removed."""

Hand = tuple[Card, ...]


@cache
def gates_of(card: Card, dimension: int) -> tuple[Gate, ...]:
    """Return the gates that a card may be; none for Steal and Cancel."""
    wanted = {card.value} | {card.value + end for end in ("1", "2", "l", "r")}
    if card in (Card.H1, Card.H2, Card.H3, Card.I):
        wanted = {card.value}
    return tuple(gate for gate in GATES[dimension] if gate.value in wanted)


def dealt(players: int, dimension: int, seed: int) -> tuple[Hand, ...]:
    """Return the cards of all players, each hand in the order of the kinds.

    Args:
        players: number of players.
        dimension: levels of a qudit.
        seed: shuffles the cards.
    """
    cards = [
        card
        for card, number in DECK.items()
        for _ in range(number)
        if dimension == 3 or card is not Card.H3
    ]
    Random(f"endless fun cards {seed}").shuffle(cards)
    hands = (cards[HAND * seat : HAND * (seat + 1)] for seat in range(players))
    return tuple(tuple(sorted(hand, key=list(Card).index)) for hand in hands)


def without(hand: Hand, card: Card) -> Hand:
    """Return a hand after one of its cards has left it."""
    place = hand.index(card)
    return hand[:place] + hand[place + 1 :]
