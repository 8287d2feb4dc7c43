"""Card play on hand flags: exact amplitude amplification, and shorter ways for one or two cards."""

from collections.abc import Sequence
from math import asin, ceil, pi, sin, sqrt

from qiskit import QuantumCircuit

from compiler.synthesis.dicke import append_dicke
from compiler.synthesis.givens import exchange, reflect_if
from compiler.synthesis.method import SynthesisMethod
from compiler.synthesis.registers import split


class AmplifiedHandPlay(SynthesisMethod):
    """Qiskit plugin `hand_play.amplified`.

    The choice qubit is one more card, which nobody holds. A mark starts there and spreads to
    all table qubits, two gates a card; "is the card with the mark in the hand?" is one CZ a
    card, "is the mark at the start again?" one Z. With the right probability for the card that
    nobody holds, m rounds of amplification are exact, m the least with
    sin²(π/(4m+2)) ≤ k/n, and the choice qubit ends in |0⟩. Last, the card leaves the hand.

    Cost: 3n + m(5n − 2) gates, once the two exchanges around each Z are merged, which Qiskit
    does from level 2; 3n − 3 if all cards are in the hand.

    References:
        Long, Phys. Rev. A 64, 022307 (2001), for exactness.
    """

    def two_qubit_gates(self, *params: int) -> int:
        """3n + m(5n − 2), or 3n − 3 without a round."""
        cards, hand = params
        rounds = rounds_for(cards, hand)
        return 3 * cards + rounds * (5 * cards - 2) if rounds else max(1, 3 * cards - 3)

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the operands of a `hand_play` gate."""
        return amplified_hand_play(*params)


def rounds_for(cards: int, hand: int) -> int:
    """Return m, the rounds of amplification that find one of `hand` among `cards`."""
    if hand == cards:
        return 0
    return ceil((pi / asin(sqrt(hand / cards)) - 2) / 4 - 1e-12)


def amplified_hand_play(cards: int, hand: int) -> QuantumCircuit:
    """Return the circuit on `hand`, `table` and the choice qubit."""
    circuit = QuantumCircuit(2 * cards + 1)
    held, table, (start,) = split(range(2 * cards + 1), cards, cards, 1)
    rounds = rounds_for(cards, hand)
    if rounds == 0:
        append_dicke(circuit, table, 1)
        circuit.cx(table, held)
        return circuit
    shares = _shares(cards, hand, rounds)
    circuit.x(start)
    _spread(circuit, start, table, shares)
    for _ in range(rounds):
        circuit.cz(held, table)
        _spread(circuit, start, table, shares, gather=True)
        circuit.z(start)
        _spread(circuit, start, table, shares)
    circuit.cx(table, held)
    return circuit


def _shares(cards: int, hand: int, rounds: int) -> list[float]:
    """Return what part of the mark that is still at the start goes to each card."""
    share = sin(pi / (4 * rounds + 2)) ** 2 / hand
    return [min(1.0, share / (1 - card * share)) for card in range(cards)]


def _spread(
    circuit: QuantumCircuit,
    start: int,
    table: Sequence[int],
    shares: Sequence[float],
    *,
    gather: bool = False,
) -> None:
    """Spread the mark from the start to the table, or take exactly that back."""
    steps = list(zip(table, shares, strict=True))
    for target, share in reversed(steps) if gather else steps:
        exchange(circuit, start, target, share)


class TwoCardHandPlay(SynthesisMethod):
    """Qiskit plugin `hand_play.lower_or_higher`, for k = 2.

    The choice qubit decides whether the lower or the higher card is played, and remembers it.
    Between two controlled Hadamard gates on its table qubit, a hand card gets the sign that
    plays it: 5n − 2 gates.
    """

    def two_qubit_gates(self, *params: int) -> int | None:
        """5n − 2."""
        cards, hand = params
        return 5 * cards - 2 if hand == 2 else None

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the operands of a `hand_play` gate."""
        cards, _ = params
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
        circuit.cx(table, held)
        return circuit


class OneCardHandPlay(SynthesisMethod):
    """Qiskit plugin `hand_play.move`, for k = 1: the registers change places, for nothing."""

    def two_qubit_gates(self, *params: int) -> int | None:
        """None: swaps are relabelling."""
        _, hand = params
        return 0 if hand == 1 else None

    def build(self, *params: int) -> QuantumCircuit:
        """Return the circuit on the operands of a `hand_play` gate."""
        cards, _ = params
        circuit = QuantumCircuit(2 * cards + 1)
        circuit.swap(range(cards), range(cards, 2 * cards))
        return circuit
