"""Tournament among the cards of a hand: draws between two groups at a time.

A draw between two groups takes the winner of the right one with probability r / (l + r), where
l and r are the numbers of *marked* cards; where no card is marked, l and r are the sizes. So
the winner is uniform among the marked cards, and among all if there are none: suit following
needs no case of its own for a void hand.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
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
        halves: the two; none for a single card.
    """

    halves: tuple["Draw", ...] = ()

    @property
    def cards(self) -> int:
        """Number of cards in the group."""
        return sum(half.cards for half in self.halves) or 1

    @property
    def coins(self) -> int:
        """Number of coins that are tossed, one for every draw."""
        return self.cards - 1

    @property
    def ancillas(self) -> int:
        """Clean qubits for the carries of all counts below the last draw."""
        return sum(half.ancillas + half.carries for half in self.halves)

    @property
    def carries(self) -> int:
        """Carries of the sum that counts this group's marked cards."""
        return sum(_carries(*(half.cards for half in self.halves))) if self.halves else 0


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


def tournament(cards: int, *, undone: bool = True) -> Draw:
    """Return the cheapest way to draw one of `cards`, the size of the hand.

    Args:
        cards: size of the hand.
        undone: whether counts are taken apart again.
    """
    return _cheapest(cards, last=True, counted=1 + undone)[1]


@cache
def _cheapest(cards: int, *, last: bool, counted: int) -> tuple[int, Draw]:
    """Return the two-qubit gates for coins and counts of the cheapest draw, and the draw.

    Args:
        cards: size of the hand.
        last: whether its marks need not be counted.
        counted: how often a count is written.
    """
    if cards == 1:
        return 0, Draw()
    prices = []
    for right in range(1, cards // 2 + 1):
        left = cards - right
        prices_of_halves, halves = zip(
            *(_cheapest(half, last=False, counted=counted) for half in (left, right)), strict=True
        )
        coins = 2 if cards == 2 else (left + 1) * (right + 1) - 1
        counts = 0 if last else counted * _sum_price(left, right)
        prices.append((sum(prices_of_halves) + coins + counts, Draw(halves)))
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
    ancillas: Iterable[int],
    *,
    tosser: Tosser = toss,
    conjunction: Conjunction = xor_and,
    undone: bool = True,
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
        undone: whether marks and ancillas come back.
    """
    coin, ancilla = iter(coins).__next__, iter(ancillas).__next__
    sums: list[QuantumCircuit] = []

    def count(group: Draw, marks: Sequence[int]) -> Count:
        """Toss the coins within a group, and count its marked cards unless it is the whole."""
        if not group.halves:
            return Count((marks[0],), 1)
        middle = group.halves[0].cards
        left, right = map(count, group.halves, (marks[:middle], marks[middle:]))
        chances = draw_probabilities(left.most, right.most)
        tosser(circuit, [*left.bits, *right.bits], coin(), chances)
        if group is draw:
            return left
        sums.append(circuit.copy_empty_like())
        total = add(sums[-1], left, right, ancilla, conjunction=conjunction)
        circuit.compose(sums[-1], inplace=True)
        return total

    count(draw, marks)
    for summing in reversed(sums) if undone else ():
        circuit.compose(summing.inverse(), inplace=True)
