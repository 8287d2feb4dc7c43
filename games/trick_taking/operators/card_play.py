"""CP_k^n: a seat plays each of its k hand cards at once."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, pairwise, product
from math import asin, comb, pi, sqrt
from typing import Any

from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction
from qiskit.circuit.library import RC3XGate, RYGate, XGate

from compiler.synthesis.controls import closed_controls
from compiler.synthesis.dicke import append_dicke
from compiler.synthesis.givens import exchange_if, reflect_if
from compiler.synthesis.method import (
    CountedMethod,
    Fusion,
    GateKind,
    LiteralOperator,
    SynthesisMethod,
    example,
    operator,
    synthesis_method,
    widened,
)
from compiler.synthesis.permutations import flipped, swap_if, xor_and
from compiler.synthesis.registers import bit_pattern, split
from games.trick_taking.operators.literal_prices import priced
from games.trick_taking.operators.uniform_deal import last_round


@operator("card_play")
class CardPlay(LiteralOperator):
    """Moves one of the k hand cards of a seat to the table, all k in equal superposition.

    |hand⟩ → Σ_{card ∈ hand} |hand, card on the table⟩ / √k, on every basis state in which
    exactly k cards are in the seat's hand and none of its cards is on the table.

    Phases are branch phases.

    Operands: `owner` (n·b bits, card-major, low bit first), `table` (n), `stack` (n, unless
    opening), then clean ancillas. A card is in the hand if its owner is the seat and its stack
    bit is 0; the table bits of such cards are 0 before the play.

    Cost: C(n,k) subsets, each with two n-controlled X and a controlled W state of k qubits;
    n controlled flips for k = 1.

    Args:
        cards: n, the deck's size.
        hand: k, cards in the seat's hand.
        seat: the seat that plays.
        owner_bits: b, bits per owner.
        opening: no card is on a stack yet, so that the stack bits are not needed.

    References:
        Armbrüster et al., AAMAS 2026, equations 6 to 10, with the W state put right.
    """

    exact_phases = False
    colour = "#0072B2"
    examples = (
        example("CP_2^4, owner bits", 4, 2, 0, 1, opening=True),
        example("CP_3^9, owner and stack bits", 9, 3, 0, 2),
        example("CP_10^32, owner and stack bits", 32, 10, 0, 2),
    )

    def __init__(
        self, cards: int, hand: int, seat: int, owner_bits: int, *, opening: bool = False
    ) -> None:
        self.cards, self.hand, self.seat = cards, hand, seat
        self.owner_bits, self.opening = owner_bits, opening
        size = cards * (owner_bits + 1 + (not opening))
        super().__init__(size, [cards, hand, seat, owner_bits, int(opening)])

    def _define(self) -> None:
        literal = literal_card_play(self.cards, self.hand, self.seat, self.owner_bits, self.opening)
        self.definition = widened(literal, self.num_qubits)

    def legal_inputs(self) -> Iterator[int]:
        """Yield every legal basis state: hand, other seats' cards anywhere, stacks."""
        others = [owner for owner in range(1 << self.owner_bits) if owner != self.seat]
        elsewhere = [(owner, t, 0) for owner in others for t in (0, 1)]
        if not self.opening:
            elsewhere += [(owner, 1, 1) for owner in range(1 << self.owner_bits)]
        offset = self.cards * self.owner_bits
        for hand in combinations(range(self.cards), self.hand):
            for remaining in product(elsewhere, repeat=self.cards - self.hand):
                state, other = 0, iter(remaining)
                for i in range(self.cards):
                    owner, table, stack = (self.seat, 0, 0) if i in hand else next(other)
                    state |= owner << i * self.owner_bits
                    state |= (table | stack << self.cards) << offset + i
                yield state

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return k outputs of probability 1/k, one for each hand card."""
        table = self.cards * self.owner_bits
        mask = (1 << self.owner_bits) - 1
        outputs = []
        for i in range(self.cards):
            owned = basis_state >> (i * self.owner_bits) & mask == self.seat
            stacked = not self.opening and basis_state >> (table + self.cards + i) & 1
            if owned and not stacked:
                outputs.append(basis_state | 1 << (table + i))
        return dict.fromkeys(outputs, Fraction(1, self.hand))

    def fused(self, items: Sequence[CircuitInstruction]) -> Fusion | None:
        """Copies instead of the last, forced round."""
        return last_round(items)

    @property
    def declared_cost(self) -> Mapping[GateKind, int]:
        """C(n,k)·(2 CⁿX + controlled W) + 2n hand flags where no qubit is one."""
        evidence = self.owner_bits + (not self.opening)
        cost: Counter[GateKind] = Counter()
        if self.hand == 1:
            cost["x", evidence] = self.cards
            return cost
        subsets = comb(self.cards, self.hand)
        cost["x", self.cards] = 2 * subsets
        cost["h" if self.hand == 2 else "ry", 1] += subsets
        for controls in range(2, self.hand):
            cost["ry", controls] += subsets
        cost["x", 2] += subsets * (self.hand - 1)
        cost["x", 1] += subsets
        if evidence > 1:
            cost["x", evidence] += 2 * self.cards
        return cost

    @property
    def declared_depth(self) -> int:
        """(2k+1)·C(n,k), plus 2 with hand flags; 1 for k = 1."""
        if self.hand == 1:
            return 1
        return (2 * self.hand + 1) * comb(self.cards, self.hand) + 2 * (
            self.owner_bits > 1 or not self.opening
        )


def work_qubits(cards: int, hand: int, owner_bits: int, *, opening: bool) -> int:
    """Return the clean ancillas: conditions, and hand flags where no qubit is one already.

    The literal construction needs one condition, a scan a rank of k qubits, or one for k = 2.
    """
    if hand == 1:
        return 0
    rank = 1 if hand == 2 else hand
    return rank if opening and owner_bits == 1 else rank + cards


def literal_card_play(
    cards: int, hand: int, seat: int, owner_bits: int, opening: bool
) -> QuantumCircuit:
    """Return the product over all k-subsets of the deck (papers, equations 8 to 10).

    An ancilla holds "these k cards, and no others, are the hand"; under it the table qubits of
    the subset go to a W state. The papers' `X…X·SP` leaves k-1 cards on the table, and their
    SP for k=2 none or two; here exactly one is. A hand of one card is flipped onto the table
    card by card.

    Args:
        cards: n, the deck's size.
        hand: k, cards in the hand of the seat.
        seat: the seat that plays.
        owner_bits: bits per card in `owner`.
        opening: whether no card has been taken yet, so that there are no stack operands.

    Returns:
        Qubits: `owner` (card-major, low bit first), `table`, `stack` unless opening, ancillas.
    """
    circuit, (owner, table, _, work), evidence = _registers(cards, hand, owner_bits, opening)
    in_hand = XGate().control(len(evidence[0]), ctrl_state=seat)
    if hand == 1:
        for card in range(cards):
            circuit.append(in_hand, [*evidence[card], table[card]])
        return circuit
    condition = work[0]
    flags = work[-cards:] if len(evidence[0]) > 1 else []
    for flag, qubits in zip(flags, evidence, strict=False):
        circuit.append(in_hand, [*qubits, flag])
    for subset in combinations(range(cards), hand):
        inverted = not flags and seat == 0
        pattern = bit_pattern([(card in subset) != inverted for card in range(cards)])
        exactly = XGate().control(cards, ctrl_state=pattern)
        circuit.append(exactly, [*(flags or owner), condition])
        _append_w_state(circuit, condition, [table[card] for card in subset])
        circuit.append(exactly, [*(flags or owner), condition])
    for flag, qubits in zip(flags, evidence, strict=False):
        circuit.append(in_hand, [*qubits, flag])
    return circuit


def _registers(
    cards: int, hand: int, bits: int, opening: bool
) -> tuple[QuantumCircuit, list[list[int]], list[list[int]]]:
    """Return a circuit, its registers, and for each card the qubits that say who holds it."""
    work_size = work_qubits(cards, hand, bits, opening=opening)
    sizes = (cards * bits, cards, 0 if opening else cards, work_size)
    registers = owner, _, stack, _ = split(range(sum(sizes)), *sizes)
    evidence = [[*owner[i * bits : (i + 1) * bits], *stack[i : i + 1]] for i in range(cards)]
    return QuantumCircuit(sum(sizes)), registers, evidence


def _append_w_state(circuit: QuantumCircuit, control: Any, qubits: Sequence[Any]) -> None:
    size = len(qubits)
    circuit.ch(control, qubits[0]) if size == 2 else circuit.cry(
        2 * asin(1 / sqrt(size)), control, qubits[0]
    )
    for i in range(1, size - 1):
        none_before = RYGate(2 * asin(1 / sqrt(size - i))).control(
            i + 1, ctrl_state=1, annotated=False
        )
        circuit.append(none_before, [control, *qubits[: i + 1]])
    for qubit in qubits[:-1]:
        circuit.ccx(control, qubit, qubits[-1])
    circuit.cx(control, qubits[-1])


@synthesis_method("card_play.literal")
class LiteralCardPlay(SynthesisMethod):
    """Qiskit plugin `card_play.literal`."""

    def two_qubit_gates(self, *params: int) -> int:
        """C(n,k)·(2 CⁿX + controlled W), plus the hand flags; an estimate."""
        *sizes, opening = params
        return priced(CardPlay(*sizes, opening=bool(opening)).declared_cost)

    def ancillas(self, cards: int, hand: int, _seat: int, owner_bits: int, opening: int) -> int:
        """See `work_qubits`."""
        return work_qubits(cards, hand, owner_bits, opening=bool(opening))

    def build(self, *params: int) -> QuantumCircuit:
        """Return the literal circuit of a `card_play` gate."""
        cards, hand, seat, owner_bits, opening = params
        return closed_controls(literal_card_play(cards, hand, seat, owner_bits, bool(opening)))


@synthesis_method("card_play.rank")
class RankCardPlay(CountedMethod):
    """Qiskit plugin `card_play.rank`.

    k = 1: the hand's only card is flipped onto the table, one relative-phase Toffoli a card.

    k ≥ 2: hand flags f, where no qubit is one already, and a one-hot rank register in a W state.
    At every hand card the register moves down one place. Rank 1 goes to the card's table qubit,
    and the register is empty in the end. 4(kn − k(k−1)/2) + 2k − 3 gates, 6 or 12 more a card for
    the flags.

    k = 2 with a single rank qubit r: r = 1 means "not played yet"; the first hand card takes
    half of it, the second the rest. About 10n gates.

    Phases are branch phases.
    """

    def ancillas(self, cards: int, hand: int, _seat: int, owner_bits: int, opening: int) -> int:
        """The rank, and hand flags where no qubit is one already."""
        return work_qubits(cards, hand, owner_bits, opening=bool(opening))

    def build(self, cards: int, hand: int, seat: int, bits: int, opening: int) -> QuantumCircuit:
        """Return the circuit on the operands of a `card_play` gate."""
        circuit, (owner, table, stack, work), evidence = _registers(
            cards, hand, bits, bool(opening)
        )
        zeros = [q for i, q in enumerate(owner) if not seat >> (i % bits) & 1] + stack
        if hand == 1:
            with flipped(circuit, zeros):
                for qubits, target in zip(evidence, table, strict=True):
                    _xor_all(circuit, qubits, target)
            return circuit
        if len(evidence[0]) == 1:
            with flipped(circuit, zeros):
                _play(circuit, owner, table, work, hand)
            return circuit
        flags = work[-cards:]
        marked = circuit.copy()
        with flipped(marked, zeros):
            for qubits, flag in zip(evidence, flags, strict=True):
                _xor_all(marked, qubits, flag)
        circuit.compose(marked, inplace=True)
        _play(circuit, flags, table, work[:-cards], hand)
        circuit.compose(marked.inverse(), inplace=True)
        return circuit


def _xor_all(circuit: QuantumCircuit, controls: Sequence[int], target: int) -> None:
    if len(controls) == 1:
        circuit.cx(controls[0], target)
    elif len(controls) == 2:
        xor_and(circuit, controls[0], controls[1], target)
    else:
        circuit.compose(RC3XGate().definition, [*controls, target], inplace=True)


def _play(
    circuit: QuantumCircuit,
    flags: Sequence[int],
    table: Sequence[int],
    rank: Sequence[int],
    hand: int,
) -> None:
    """Move one of `hand` flagged cards to the table; table qubits of flagged cards are |0⟩."""
    if len(rank) < hand:
        _play_one_of_two(circuit, flags, table, rank[0])
        return
    append_dicke(circuit, rank, 1)
    for card, (flag, target) in enumerate(zip(flags, table, strict=True)):
        lowest = [target, *rank[: len(flags) - card]]
        for lower, upper in pairwise(lowest):
            swap_if(circuit, flag, lower, upper)


def _play_one_of_two(
    circuit: QuantumCircuit, flags: Sequence[int], table: Sequence[int], waiting: int
) -> None:
    """Let the first of two flagged cards take half of a mark, and the second the remaining half.

    The first and the last card know which of the two they are, their neighbours know it from
    them, and the cards between from the parity of the flags before.
    """
    last = len(flags) - 1
    circuit.x(waiting)
    for card, (flag, target) in enumerate(zip(flags, table, strict=True)):
        if card == last:
            swap_if(circuit, flag, waiting, target)
        elif card == 0:
            exchange_if(circuit, flag, waiting, target, pi / 4)
        elif card == last - 1:
            with flipped(circuit, flags[last:]):
                _take(circuit, flag, flags[last], waiting, target)
        else:
            if card > 1:
                circuit.cx(flags[card - 2], flags[card - 1])
            _take(circuit, flag, flags[card - 1], waiting, target)
    for card in reversed(range(2, last - 1)):
        circuit.cx(flags[card - 2], flags[card - 1])


def _take(circuit: QuantumCircuit, flag: int, second: int, waiting: int, target: int) -> None:
    """Exchange as `exchange_if` does: with probability 1/2, or for certain where `second`."""
    for qubit in (waiting, target):
        circuit.ry(pi / 2, qubit)
    circuit.cz(waiting, target)
    for qubit, sign in ((waiting, 1), (target, -1)):
        mean, half = pi / 4 + sign * pi / 16, sign * pi / 16
        circuit.ry(-mean, qubit)
        circuit.cz(second, qubit)
        reflect_if(circuit, flag, qubit, half)
        circuit.cz(second, qubit)
        circuit.ry(mean, qubit)
    circuit.cz(waiting, target)
    for qubit in (waiting, target):
        circuit.ry(-pi / 2, qubit)
