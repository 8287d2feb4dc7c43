"""Trick taking by comparing two cards at a time and swapping what belongs to them."""

from collections.abc import Callable, Sequence

from attrs import frozen
from qiskit import QuantumCircuit

from compiler.synthesis.counted import CountedMethod
from compiler.synthesis.method import synthesis_method
from compiler.synthesis.permutations import flipped, less_than, swap_words_if, xor_all
from compiler.synthesis.registers import split


def trick_ancillas(class_bits: int, lane_bits: int, trumps: int) -> tuple[int, int, int]:
    """Return the clean ancillas: flags of one card, of another, and those of classes."""
    flags = 0 if class_bits == 0 else 1 + bool(trumps)
    return flags, flags, max(0, class_bits - 2)


@synthesis_method("trick_winner.compare")
class ComparedTrick(CountedMethod):
    """Plugin `trick_winner.compare`: flags for trump and led class, then carry chains.

    A card's strength is the number (trump, follows, complement of the lane), compared with
    10n-12 gates for n bits; a swap takes 4 gates a qubit.
    """

    def ancillas(self, *params: int) -> int:
        """Flags of one card, of another, and what classes need."""
        _, class_bits, lane_bits, _, trumps = params
        return sum(trick_ancillas(class_bits, lane_bits, trumps))

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the players' columns, history and ancillas."""
        players, class_bits, lane_bits, luggage, trumps = params
        width = class_bits + lane_bits
        column = width + luggage
        sizes = (players * column, players - 1, *trick_ancillas(class_bits, lane_bits, trumps))
        circuit = QuantumCircuit(sum(sizes))
        _, history, first, second, inner = split(range(circuit.num_qubits), *sizes)
        columns = [list(range(i * column, (i + 1) * column)) for i in range(players)]
        cards = [
            _Card(columns[i][:lane_bits], columns[i][lane_bits:width], columns[i][width:])
            for i in range(players)
        ]
        comparison = _Comparison(circuit, bool(trumps), cards[0].kind, inner)
        if players == 3:
            comparison.rank(cards[1], first)
            comparison.rank(cards[2], second)
            comparison.better(cards[1], first, cards[2], second, history[0])
            swap_words_if(circuit, history[0], [*columns[1], *first], [*columns[2], *second])
            comparison.rank(cards[2], second, undo=True)
        else:
            comparison.rank(cards[1], first)
        comparison.rank_leader(cards[0], second)
        comparison.better(cards[0], second, cards[1], first, history[-1])
        comparison.rank_leader(cards[0], second, undo=True)
        comparison.rank(cards[1], first, undo=True)
        swap_words_if(circuit, history[-1], cards[0].luggage, cards[1].luggage)
        return circuit


@frozen
class _Card:
    """A card's qubits and what travels with it."""

    lane: list[int]
    kind: list[int]
    luggage: list[int]


@frozen
class _Comparison:
    """Ranks cards of one trick: the qubits of the led class are those of the leader's card."""

    circuit: QuantumCircuit
    trumps: bool
    led: list[int]
    ancillas: list[int]

    def rank(self, card: _Card, flags: Sequence[int], *, undo: bool = False) -> None:
        """Set the flags of a follower's card: follows, then trump."""
        steps = [lambda: self._follows(card, flags[0]), lambda: self._trump(card, flags[-1])]
        for step in self._chosen(flags, steps, undo=undo):
            step()

    def rank_leader(self, card: _Card, flags: Sequence[int], *, undo: bool = False) -> None:
        """Set the flags of the leader's card, which follows itself."""
        steps = [lambda: self.circuit.x(flags[0]), lambda: self._trump(card, flags[-1])]
        for step in self._chosen(flags, steps, undo=undo):
            step()

    def _chosen(
        self, flags: Sequence[int], steps: Sequence[Callable[[], object]], *, undo: bool
    ) -> Sequence[Callable[[], object]]:
        chosen = steps[: len(flags)]
        return chosen[::-1] if undo else chosen

    def _follows(self, card: _Card, flag: int) -> None:
        for led, bit in zip(self.led, card.kind, strict=True):
            self.circuit.cx(led, bit)
        with flipped(self.circuit, card.kind):
            xor_all(self.circuit, card.kind, flag, self.ancillas)
        for led, bit in zip(self.led, card.kind, strict=True):
            self.circuit.cx(led, bit)

    def _trump(self, card: _Card, flag: int) -> None:
        with flipped(self.circuit, card.kind):
            xor_all(self.circuit, card.kind, flag, self.ancillas)

    def better(
        self,
        one: _Card,
        one_flags: Sequence[int],
        other: _Card,
        other_flags: Sequence[int],
        result: int,
    ) -> None:
        """Flip `result` if the other card is the better one."""
        with flipped(self.circuit, [*one.lane, *other.lane]):
            less_than(
                self.circuit,
                [*one.lane, *one_flags],
                [*other.lane, *other_flags],
                result,
            )
