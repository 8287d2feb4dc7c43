"""The 104 cards, what each costs, and how they are dealt."""

from collections.abc import Sequence
from random import Random

from compiler.errors import GameError

CARDS = 104
ROWS = 4
HAND = 10
FULL = 5
"""Cards of a row that takes no further one."""
FEWEST_PLAYERS, MOST_PLAYERS = 2, 10

Deck = tuple[int, ...]
"""All cards in the order in which they are dealt."""


def penalty(number: int) -> int:
    """Return the points that a card costs: 7, 5, 3, 2 or 1."""
    if number == 55:
        return 7
    for divisor, points in ((11, 5), (10, 3), (5, 2)):
        if number % divisor == 0:
            return points
    return 1


PENALTIES = (0, *(penalty(number) for number in range(1, CARDS + 1)))
"""By the number of a card."""


def shuffled_deck(seed: int, number: int) -> Deck:
    """Return the deck of a round.

    It is made of `Random.random` alone, whose numbers Python promises never to change.

    Args:
        seed: of the match.
        number: of the round, from 0.
    """
    random = Random(f"six-nimmt {seed} {number}")
    keys = [random.random() for _ in range(CARDS)]
    return tuple(sorted(range(1, CARDS + 1), key=lambda card: keys[card - 1]))


def checked_deck(cards: object) -> Deck:
    """Return a deck that somebody has written down.

    Raises:
        GameError: if it does not hold every card once.
    """
    if not isinstance(cards, Sequence) or isinstance(cards, str):
        raise GameError(f"deck = {cards!r}: give a list of all cards from 1 to {CARDS}")
    for card in cards:
        if type(card) is not int or not 1 <= card <= CARDS:
            raise GameError(f"deck: {card!r} is no card; cards are whole numbers from 1 to {CARDS}")
    missing = set(range(1, CARDS + 1)) - set(cards)
    if missing or len(cards) != CARDS:
        what = f"card {min(missing)} is missing" if missing else f"{len(cards)} cards"
        raise GameError(f"deck: {what}; name every card from 1 to {CARDS} once")
    return tuple(cards)


def dealt(deck: Deck, players: int) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Return the hands, each in ascending order, and the first card of each row."""
    hands = tuple(tuple(sorted(deck[HAND * p : HAND * (p + 1)])) for p in range(players))
    return hands, deck[HAND * players : HAND * players + ROWS]


def check_players(players: object) -> int:
    """Return the number of players.

    Raises:
        GameError: if so many cannot play.
    """
    if type(players) is not int or not FEWEST_PLAYERS <= players <= MOST_PLAYERS:
        raise GameError(
            f"players = {players!r}: must be a whole number from {FEWEST_PLAYERS} to {MOST_PLAYERS}"
        )
    return players
