"""The coins of a tournament: tossed on counts of marked cards, which are then taken apart."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.synthesis.coin import toss
from compiler.synthesis.permutations import Conjunction, Count, add, swap_words_if, xor_and
from games.trick_taking.synthesis.tournament import Draw, draw_probabilities

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

    A coin is 1 if the left half wins; the three of an index say, lowest bit first, how far the
    winner is from the last place.

    Args:
        circuit: what is appended to.
        draw: the tournament.
        marks: one qubit per card, 1 if it is marked; they come back.
        coins: clean qubits, `draw.coins` of them.
        ancillas: clean qubits, `draw.ancillas` of them; they come back.
        tosser: how a coin is tossed.
        conjunction: by which carries are written into clean qubits.
    """
    _Tossing(circuit, iter(coins).__next__, iter(ancillas).__next__, [], tosser, conjunction).whole(
        draw, marks
    )


@frozen
class _Tossing:
    """One tournament in the making.

    Args:
        circuit: what is appended to.
        coin: gives the next coin.
        ancilla: gives the next clean qubit.
        later: what is to be done, last first, once the last coin has been tossed.
        tosser: how a coin is tossed.
        conjunction: by which carries are written into clean qubits.
    """

    circuit: QuantumCircuit
    coin: Callable[[], int]
    ancilla: Callable[[], int]
    later: list[Callable[[], None]]
    tosser: Tosser
    conjunction: Conjunction

    def whole(self, draw: Draw, marks: Sequence[int]) -> None:
        """Toss all coins, and take all counts apart."""
        if draw.indexed:
            self._index(draw, marks)
        elif draw.left is not None and draw.right is not None:
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
        if draw.indexed:
            return self._sum(*self._index(draw, marks))
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
        self.later.append(lambda: self._append(summing.inverse()))
        return total

    def _append(self, circuit: QuantumCircuit) -> None:
        self.circuit.compose(circuit, inplace=True)

    def _index(self, draw: Draw, marks: Sequence[int]) -> tuple[Count, Count]:
        """Toss the top bit of an index of eight cards, and the lower ones later.

        The lower bits are tossed on the counts of the half, and then of the pair, that the
        higher ones chose: controlled swaps bring these to the end.
        """
        low, middle, top = (self.coin() for _ in range(draw.coins))
        pairs = [tuple(marks[i : i + 2]) for i in range(0, len(marks), 2)]
        counts = [self._sum(Count((a,), 1), Count((b,), 1)) for a, b in pairs]
        self.later.append(lambda: self._lower_bits(low, middle, top, pairs, counts))
        far, near = self._sum(*counts[:2]), self._sum(*counts[2:])
        self.tosser(
            self.circuit, [*far.bits, *near.bits], top, draw_probabilities(far.most, near.most)
        )
        return far, near

    def _lower_bits(
        self,
        low: int,
        middle: int,
        top: int,
        pairs: Sequence[tuple[int, ...]],
        counts: Sequence[Count],
    ) -> None:
        words = [[*count.bits, pair[0]] for count, pair in zip(counts, pairs, strict=True)]
        choosing = self.circuit.copy_empty_like()
        swap_words_if(choosing, top, words[0], words[2])
        swap_words_if(choosing, top, words[1], words[3])
        self._append(choosing)
        far, near = counts[2:]
        self.tosser(
            self.circuit, [*far.bits, *near.bits], middle, draw_probabilities(far.most, near.most)
        )
        pair = pairs[3]
        chosen = self.circuit.copy_empty_like()
        swap_words_if(chosen, middle, pairs[2], pair)
        # The second mark of a pair now holds the sum of both.
        chosen.cx(*pair)
        self._append(chosen)
        self.tosser(self.circuit, pair, low, draw_probabilities(1, 1))
        self._append(chosen.inverse())
        self._append(choosing.inverse())
