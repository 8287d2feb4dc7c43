"""How the cards of a hand are drawn against each other, two groups at a time.

A draw between two groups takes the winner of the right one with probability r / (l + r), where
l and r are the numbers of *marked* cards; where no card is marked, l and r are the sizes. So
the winner is uniform among the marked cards, and among all if there are none: suit following
needs no case of its own for a void hand.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from attrs import frozen

EIGHT = 8


@frozen
class Draw:
    """A group of cards, drawn from its two halves.

    Args:
        left: the first half, None for a single card.
        right: the second half, None for a single card.
        indexed: eight cards whose winner is found by halving: its place is the history, three
            qubits in the place of seven, for some fifty gates more.
    """

    left: "Draw | None" = None
    right: "Draw | None" = None
    indexed: bool = False

    @property
    def cards(self) -> int:
        """Number of cards in the group."""
        if self.left is None or self.right is None:
            return 1
        return self.left.cards + self.right.cards

    @property
    def coins(self) -> int:
        """Number of coins that are tossed: one for every draw, or three for an index."""
        if self.left is None or self.right is None:
            return 0
        return 3 if self.indexed else 1 + self.left.coins + self.right.coins

    @property
    def ancillas(self) -> int:
        """Clean qubits for the carries of all counts below the last draw."""
        if self.left is None or self.right is None:
            return 0
        return sum(part.ancillas + part.carries for part in (self.left, self.right))

    @property
    def carries(self) -> int:
        """Carries of the sum that counts this group's marked cards."""
        if self.left is None or self.right is None:
            return 0
        return sum(_carries(self.left.cards, self.right.cards))


def _carries(left: int, right: int) -> list[bool]:
    """Tell for every bit of a sum but the last whether a carry leaves it."""
    width = (left + right).bit_length()
    carries: list[bool] = []
    for i in range(width - 1):
        terms = (left.bit_length() > i) + (right.bit_length() > i) + bool(carries and carries[-1])
        carries.append(terms > 1)
    return carries


def draw_probabilities(left: int, right: int) -> Mapping[int, Fraction]:
    """Return the probability that the *left* group wins, by the numbers of marked cards.

    Args:
        left: cards in the left group.
        right: cards in the right group.

    Returns:
        By l + r·2^b, with b the bits of `left`.
    """
    shift = left.bit_length()
    return {
        l | r << shift: Fraction(l, l + r) if l + r else Fraction(left, left + right)
        for l in range(left + 1)  # noqa: E741 - the formula's l and r
        for r in range(right + 1)
    }


@cache
def tournament(cards: int, *, narrow: bool = False) -> Draw:
    """Return the cheapest way to draw one of `cards`.

    Args:
        cards: size of the hand.
        narrow: draw eight cards by index, so that fewer history qubits are needed.
    """
    if not narrow or cards < EIGHT:
        return cheapest_draw(cards, last=True)[1]
    two = Draw(Draw(), Draw())
    eight = Draw(Draw(two, two), Draw(two, two), indexed=True)
    return eight if cards == EIGHT else Draw(eight, tournament(cards - EIGHT, narrow=True))


@cache
def cheapest_draw(cards: int, *, last: bool, counted: int = 2) -> tuple[int, Draw]:
    """Return the two-qubit gates for coins and counts of the cheapest draw, and the draw.

    Args:
        cards: size of the hand.
        last: whether its marks need not be counted.
        counted: 2 if counts are taken apart again, else 1.
    """
    if cards == 1:
        return 0, Draw()
    found = []
    for right in range(1, cards // 2 + 1):
        left = cards - right
        (price_left, draw_left), (price_right, draw_right) = (
            cheapest_draw(left, last=False, counted=counted),
            cheapest_draw(right, last=False, counted=counted),
        )
        coins = 2 if cards == 2 else (left + 1) * (right + 1) - 1
        counts = 0 if last else counted * _sum_price(left, right)
        found.append((price_left + price_right + coins + counts, Draw(draw_left, draw_right)))
    return min(found, key=lambda option: option[0])


def _sum_price(left: int, right: int) -> int:
    carry, price = False, 0
    for i, leaves in enumerate([*_carries(left, right), False]):
        terms = (left.bit_length() > i) + (right.bit_length() > i) + carry
        price += {1: 0, 2: 1 + 3 * leaves, 3: 8 if leaves else 2}[terms]
        carry = leaves
    return price
