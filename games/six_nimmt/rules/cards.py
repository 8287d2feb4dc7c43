"""The 104 cards, the cost of each, and the deal."""

import re
from collections.abc import Sequence
from enum import StrEnum
from random import Random
from typing import Literal, NamedTuple

from attrs import frozen

from compiler.errors import GameError
from games.options import RuleOptions

CARDS = 104
ROWS = 4
HAND = 10
FULL = 5
"""Cards of a row that takes no further one."""
FEWEST_PLAYERS, MAX_PLAYERS = 2, 10

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
"""Penalty by the number of a card."""


def shuffled_deck(seed: int, number: int) -> Deck:
    """Return the deck of a round.

    It is made of `Random.random` alone, whose numbers Python promises never to change.

    Args:
        seed: seed of the match.
        number: number of the round, from 0.
    """
    random = Random(f"six-nimmt {seed} {number}")
    keys = [random.random() for _ in range(CARDS)]
    return tuple(sorted(range(1, CARDS + 1), key=lambda card: keys[card - 1]))


def checked_deck(cards: object) -> Deck:
    """Return a deck that a user has written down.

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
        error = f"card {min(missing)} is missing" if missing else f"{len(cards)} cards"
        raise GameError(f"deck: {error}; name every card from 1 to {CARDS} once")
    return tuple(cards)


def dealt(deck: Deck, players: int) -> tuple[tuple[tuple[int, ...], ...], tuple[int, ...]]:
    """Return the hands, each in ascending order, and the first card of each row."""
    hands = tuple(tuple(sorted(deck[HAND * p : HAND * (p + 1)])) for p in range(players))
    return hands, deck[HAND * players : HAND * players + ROWS]


class Operation(StrEnum):
    """Operation of a card on qubits, by its written name."""

    NONE = ""
    H = "H"
    Z = "Z"
    CNOT = "CNOT"
    HSWAP = "hSwap"

    @property
    def takes_two_rows(self) -> bool:
        """Return whether it acts on another row's qubit, too, and so costs an mqop."""
        return self in (Operation.CNOT, Operation.HSWAP)


CARD = re.compile("[1-9][0-9]{0,2}")
_BY_NAME = {operation.value.lower(): operation for operation in Operation}


class Choice(NamedTuple):
    """A card of a hand, and its operation.

    Args:
        card: number of the card.
        operation: operation on the qubit of the card's row.
    """

    card: int
    operation: Operation = Operation.NONE

    def __str__(self) -> str:
        return f"{self.card} {self.operation}".rstrip()

    @classmethod
    def parse(cls, text: object) -> "Choice":
        """Read a choice such as `53`, `53 H` or `53 hSwap`, in upper or lower case.

        Raises:
            GameError: if it is none.
        """
        number, _, operation = str(text).strip().partition(" ")
        if not CARD.fullmatch(number) or int(number) > CARDS:
            raise GameError(f"{text!r}: write a card from 1 to {CARDS} and, optionally, "
                            "H, Z, CNOT or hSwap, such as '53 H'")  # fmt: skip
        if operation.strip().lower() not in _BY_NAME:
            raise GameError(f"{text!r}: '{operation.strip()}' is no operation; write H, Z, CNOT, "
                            "hSwap or nothing")  # fmt: skip
        return cls(int(number), _BY_NAME[operation.strip().lower()])


@frozen
class Options(RuleOptions):
    """Options where the paper is silent or wrong; the defaults are our reading of it.

    Args:
        two_qubit_operations: whether CNOT and hSwap `act` on the qubits, or, as line 41 of the
            pseudo-code read literally has it, stay `idle`.
        payer: the player who loses points when 0 is measured: the `taker` of the row, or the
            `owners` of its cards; the taker pays for cards without an owner.
        low_card_mqop: whether the mqop of a card below all rows is `lost` or comes `back`.
        without_mqops: whether CNOT and hSwap are `refused` to a player without mqops, or
            the number of mqops may become `negative`.
        fillers: whether CNOT and hSwap fill rows up with cards worth nothing. Without them only
            a target row that is replaced gets one, because a row is never empty.
        measured_qubit: whether it `stays` in the state to which it has collapsed, or is `reset`
            to |0⟩.

    Raises:
        GameError: if an option has no such value.
    """

    two_qubit_operations: Literal["act", "idle"] = "act"
    payer: Literal["taker", "owners"] = "taker"
    low_card_mqop: Literal["lost", "back"] = "lost"
    without_mqops: Literal["refused", "negative"] = "refused"
    fillers: Literal["yes", "no"] = "yes"
    measured_qubit: Literal["stays", "reset"] = "stays"
