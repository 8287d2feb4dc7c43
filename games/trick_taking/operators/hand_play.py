"""Card play on hand flags: one bit per card says whether it is in the hand."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import asin, ceil, pi, sin, sqrt
from random import Random

from qiskit import QuantumCircuit

from compiler.circuits.tolerances import ROUNDING
from compiler.synthesis.dicke import append_dicke
from compiler.synthesis.givens import angle_of, exchange, exchange_if, reflect_if
from compiler.synthesis.method import (
    Operands,
    Operator,
    SynthesisMethod,
    example,
    operator,
    synthesis_method,
    widened,
)
from compiler.synthesis.registers import split


@operator("hand_play")
class HandPlay(Operator):
    """Lays one of the k cards of a hand on the table, all k in equal superposition.

    |h⟩|0⟩|0⟩ → Σ_{i ∈ h} |h⟩|eᵢ⟩|·⟩ / √k, on every h of weight k, up to branch phases; with
    `leaves`, the card's flag is cleared: |h − eᵢ⟩ instead of |h⟩.

    Operands: `hand` (n flags), `table` (n, |0⟩ before), `choice` (1, history).

    Args:
        cards: n, the deck's size.
        hand: k, cards in the hand.
        leaves: whether the card leaves the hand; n gates more. The papers' operator keeps the
            owner; table and stack bits define the hand.

    References:
        Armbrüster et al., AAMAS 2026, equations 6 to 10, on flags instead of owners.
    """

    exact_phases = False
    examples = (
        example("CP_2^4, hand flags", 4, 2),
        example("CP_3^9, hand flags", 9, 3),
        example("CP_5^32, hand flags", 32, 5),
        example("CP_10^32, hand flags", 32, 10),
        example("CP_2^4, flag leaves", 4, 2, leaves=True),
        example("CP_3^9, flag leaves", 9, 3, leaves=True),
        example("CP_5^32, flag leaves", 32, 5, leaves=True),
        example("CP_10^32, flag leaves", 32, 10, leaves=True),
    )

    def __init__(self, cards: int, hand: int, *, leaves: bool = False) -> None:
        self.cards, self.hand, self.leaves = cards, hand, leaves
        self.history = (2 * cards,)
        super().__init__(2 * cards + 1, [cards, hand, int(leaves)])

    def _define(self) -> None:
        amplified = amplified_hand_play(self.cards, self.hand, leaves=self.leaves)
        self.definition = widened(amplified, self.num_qubits)

    def legal_inputs(self) -> Iterator[int]:
        """Yield every hand of k cards."""
        for cards in combinations(range(self.cards), self.hand):
            yield sum(1 << card for card in cards)

    def random_legal_input(self, random: Random) -> int:
        """Return a random hand of k cards."""
        return sum(1 << card for card in random.sample(range(self.cards), self.hand))

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return k outputs of probability 1/k, one for each hand card."""
        held = [card for card in range(self.cards) if basis_state >> card & 1]
        return {
            basis_state ^ self.leaves << card | 1 << (self.cards + card): Fraction(1, self.hand)
            for card in held
        }

    def interchangeable(self) -> list[Sequence[Operands]]:
        """All cards."""
        return [[(card, self.cards + card) for card in range(self.cards)]]


@synthesis_method("hand_play.amplified")
class AmplifiedHandPlay(SynthesisMethod):
    """Qiskit plugin `hand_play.amplified`.

    The choice qubit is one more card, which is in no hand. A mark starts there and spreads to
    all table qubits, two gates a card. The test "is the card with the mark in the hand?" is one
    CZ a card; "is the mark at the start again?" is one Z. With the right probability for the
    extra card, m rounds of amplification are exact, m the least with sin²(π/(4m+2)) ≤ k/n.

    Four shortcuts: the first step leaves a known state, one gate; the Z and the two steps around
    it are one step, two gates; so are the last card's CZ and the two steps around that, four
    gates; and in the end the remaining amplitude at the start belongs to the last card, one gate.

    Cost: 2n − 2 + m(5n − 3) gates, 2n − 3 if all cards are in the hand; n more if the card
    leaves the hand.

    References:
        Long, Phys. Rev. A 64, 022307 (2001), for exactness.
    """

    def two_qubit_gates(self, cards: int, hand: int, leaves: int) -> int:
        """2n − 2 + m(5n − 3), or 2n − 3 without a round; n more if the card leaves the hand."""
        rounds = rounds_for(cards, hand)
        choice = 2 * cards - 2 + rounds * (5 * cards - 3) if rounds else max(0, 2 * cards - 3)
        return choice + leaves * cards

    def build(self, cards: int, hand: int, leaves: int) -> QuantumCircuit:
        """Return the circuit on the operands of a `hand_play` gate."""
        return amplified_hand_play(cards, hand, leaves=bool(leaves))


def rounds_for(cards: int, hand: int) -> int:
    """Return m, the rounds of amplification that find one of `hand` among `cards`."""
    if hand == cards:
        return 0
    return ceil((pi / asin(sqrt(hand / cards)) - 2) / 4 - ROUNDING)


def amplified_hand_play(cards: int, hand: int, *, leaves: bool = False) -> QuantumCircuit:
    """Return the circuit on `hand`, `table` and the choice qubit."""
    circuit = QuantumCircuit(2 * cards + 1)
    held, table, (start,) = split(range(2 * cards + 1), cards, cards, 1)
    if rounds := rounds_for(cards, hand):
        angles = _angles(cards, hand, rounds)
        _put_mark(circuit, list(zip(held, table, angles, strict=True)), start, rounds)
    else:
        append_dicke(circuit, table, 1)
    if leaves:
        circuit.cx(table, held)
    return circuit


def _angles(cards: int, hand: int, rounds: int) -> list[float]:
    """Return the exchange that gives each card its share of the mark that is still at the start."""
    share = sin(pi / (4 * rounds + 2)) ** 2 / hand
    return [angle_of(min(1.0, share / (1 - card * share))) for card in range(cards)]


def _put_mark(
    circuit: QuantumCircuit, cards: Sequence[tuple[int, int, float]], start: int, rounds: int
) -> None:
    """Put a mark on the table, in equal superposition of the hand cards.

    Args:
        circuit: circuit to append to.
        cards: hand flag and table qubit of every card, and the angle of its exchange.
        start: clean qubit; afterwards it is 1 on some branches that play the last card.
        rounds: rounds of amplification, at least one.
    """
    (_, first, first_angle), *inner, (last_held, last, last_angle) = cards
    circuit.x(start)
    circuit.ry(2 * (pi - first_angle), first)
    circuit.cx(first, start)
    for _, table, angle in inner:
        exchange(circuit, start, table, angle)
    for _ in range(rounds):
        for held, table, _ in cards[:-1]:
            circuit.cz(held, table)
        exchange_if(circuit, last_held, start, last, 2 * last_angle + pi)
        for _, table, angle in reversed(inner):
            exchange(circuit, start, table, angle)
        exchange(circuit, start, first, 2 * first_angle)
        for _, table, angle in inner:
            exchange(circuit, start, table, angle)
    circuit.cx(start, last)


@synthesis_method("hand_play.lower_or_higher")
class TwoCardHandPlay(SynthesisMethod):
    """Qiskit plugin `hand_play.lower_or_higher`, for k = 2.

    The choice qubit decides whether the lower or the higher card is played, and remembers it.
    Between two controlled Hadamard gates on its table qubit, a hand card gets the sign that
    plays it: 4n − 2 gates, n more if the card leaves the hand.
    """

    def two_qubit_gates(self, cards: int, hand: int, leaves: int) -> int | None:
        """4n − 2, n more if the card leaves the hand."""
        return (4 + leaves) * cards - 2 if hand == 2 else None

    def build(self, cards: int, _hand: int, leaves: int) -> QuantumCircuit:
        """Return the circuit on the operands of a `hand_play` gate."""
        circuit = QuantumCircuit(2 * cards + 1)
        held, table, (choice,) = split(range(2 * cards + 1), cards, cards, 1)
        circuit.h(choice)
        for flag, target in zip(held, table, strict=True):
            reflect_if(circuit, flag, target, pi / 4)
        circuit.cz(choice, table[0])
        circuit.cz(choice, table[-1])
        circuit.z(table[-1])
        for card in range(1, cards - 1):
            circuit.cx(held[card - 1], choice)
            circuit.cz(choice, table[card])
        for flag, target in zip(held, table, strict=True):
            reflect_if(circuit, flag, target, pi / 4)
        if leaves:
            circuit.cx(table, held)
        return circuit


@synthesis_method("hand_play.move")
class OneCardHandPlay(SynthesisMethod):
    """Qiskit plugin `hand_play.move`, for k = 1: the flags are copied, n gates.

    If the card leaves the hand, the registers change places, for nothing.
    """

    def two_qubit_gates(self, cards: int, hand: int, leaves: int) -> int | None:
        """One gate a card, or none: swaps are relabelling."""
        return (0 if leaves else cards) if hand == 1 else None

    def build(self, cards: int, _hand: int, leaves: int) -> QuantumCircuit:
        """Return the circuit on the operands of a `hand_play` gate."""
        circuit = QuantumCircuit(2 * cards + 1)
        append = circuit.swap if leaves else circuit.cx
        append(range(cards), range(cards, 2 * cards))
        return circuit
