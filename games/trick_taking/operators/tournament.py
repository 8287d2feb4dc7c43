"""Tournament among the cards of a hand: draws between two groups at a time.

A draw between two groups takes the winner of the right one with probability r / (l + r), where
l and r are the numbers of *marked* cards; where no card is marked, l and r are the sizes. So
the winner is uniform among the marked cards, and among all if there are none: suit following
needs no case of its own for a void hand.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cache

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.synthesis.coin import toss
from compiler.synthesis.permutations import Conjunction, Count, add, xor_and


@frozen
class Draw:
    """A group of cards, drawn from its two halves.

    Args:
        left: the first half, None for a single card.
        right: the second half, None for a single card.
    """

    left: "Draw | None" = None
    right: "Draw | None" = None

    @property
    def cards(self) -> int:
        """Number of cards in the group."""
        if self.left is None or self.right is None:
            return 1
        return self.left.cards + self.right.cards

    @property
    def coins(self) -> int:
        """Number of coins that are tossed, one for every draw."""
        if self.left is None or self.right is None:
            return 0
        return 1 + self.left.coins + self.right.coins

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
    """Return for every bit of a sum but the last whether a carry leaves it."""
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


def tournament(cards: int) -> Draw:
    """Return the cheapest way to draw one of `cards`, the size of the hand."""
    return cheapest_draw(cards, last=True)[1]


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
    prices = []
    for right in range(1, cards // 2 + 1):
        left = cards - right
        (price_left, draw_left), (price_right, draw_right) = (
            cheapest_draw(left, last=False, counted=counted),
            cheapest_draw(right, last=False, counted=counted),
        )
        coins = 2 if cards == 2 else (left + 1) * (right + 1) - 1
        counts = 0 if last else counted * _sum_price(left, right)
        prices.append((price_left + price_right + coins + counts, Draw(draw_left, draw_right)))
    return min(prices, key=lambda option: option[0])


def _sum_price(left: int, right: int) -> int:
    carry, price = False, 0
    for i, leaves in enumerate([*_carries(left, right), False]):
        terms = (left.bit_length() > i) + (right.bit_length() > i) + carry
        price += {1: 0, 2: 1 + 3 * leaves, 3: 8 if leaves else 2}[terms]
        carry = leaves
    return price


Tosser = Callable[[QuantumCircuit, Sequence[int], int, Mapping[int, Fraction]], None]
"""Turns a clean qubit to 1 with a probability by the values of others, as `toss` does."""


def toss_coins(
    circuit: QuantumCircuit,
    draw: Draw,
    marks: Sequence[int],
    coins: Sequence[int],
    ancillas: Sequence[int],
    *,
    tosser: Tosser = toss,
    conjunction: Conjunction = xor_and,
) -> None:
    """Toss the coin of every draw, those of the halves before that of the whole.

    A coin is 1 if the left half wins.

    Args:
        circuit: circuit to append to.
        draw: the tournament.
        marks: one qubit per card, 1 if it is marked; they come back.
        coins: clean qubits, `draw.coins` of them.
        ancillas: clean qubits, `draw.ancillas` of them; they come back.
        tosser: function that tosses a coin.
        conjunction: writes carries into clean qubits.
    """
    _Tossing(circuit, iter(coins).__next__, iter(ancillas).__next__, [], tosser, conjunction).whole(
        draw, marks
    )


@frozen
class _Tossing:
    """A tournament under construction.

    Args:
        circuit: circuit to append to.
        coin: returns the next coin.
        ancilla: returns the next clean qubit.
        later: operations after the last coin has been tossed, last first.
        tosser: function that tosses a coin.
        conjunction: writes carries into clean qubits.
    """

    circuit: QuantumCircuit
    coin: Callable[[], int]
    ancilla: Callable[[], int]
    later: list[Callable[[], None]]
    tosser: Tosser
    conjunction: Conjunction

    def whole(self, draw: Draw, marks: Sequence[int]) -> None:
        """Toss all coins, and take all counts apart."""
        if draw.left is not None and draw.right is not None:
            self._toss(*self._halves(draw, marks))
        for action in reversed(self.later):
            action()

    def _halves(self, draw: Draw, marks: Sequence[int]) -> tuple[Count, Count]:
        if draw.left is None or draw.right is None:
            raise AssertionError("a single card has no halves")
        middle = draw.left.cards
        return self._count(draw.left, marks[:middle]), self._count(draw.right, marks[middle:])

    def _count(self, draw: Draw, marks: Sequence[int]) -> Count:
        """Toss the coins within a group and count its marked cards."""
        if draw.left is None or draw.right is None:
            return Count((marks[0],), 1)
        left, right = self._halves(draw, marks)
        self._toss(left, right)
        return self._sum(left, right)

    def _toss(self, left: Count, right: Count) -> None:
        probabilities = draw_probabilities(left.most, right.most)
        self.tosser(self.circuit, [*left.bits, *right.bits], self.coin(), probabilities)

    def _sum(self, left: Count, right: Count) -> Count:
        summing = self.circuit.copy_empty_like()
        total = add(summing, left, right, self.ancilla, conjunction=self.conjunction)
        self.circuit.compose(summing, inplace=True)
        self.later.append(lambda: self.circuit.compose(summing.inverse(), inplace=True))
        return total
