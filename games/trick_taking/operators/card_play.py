"""CP_k^n: a seat plays each of its k hand cards at once."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb

from qiskit.circuit import CircuitInstruction

from compiler.synthesis.method import widened
from compiler.synthesis.operator import Fusion, GateKind, LiteralOperator, example, operator
from games.trick_taking.operators.fusion import last_round
from games.trick_taking.synthesis.literal_card_play import literal_card_play


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

    def _basis_state(self, owners: list[int], table: list[int], stack: list[int]) -> int:
        bits = sum(owner << (i * self.owner_bits) for i, owner in enumerate(owners))
        offset = self.cards * self.owner_bits
        for i in range(self.cards):
            bits |= table[i] << (offset + i) | stack[i] << (offset + self.cards + i)
        return bits

    def legal_inputs(self) -> Iterator[int]:
        """Yield every legal basis state: hand, other seats' cards anywhere, stacks."""
        others = [owner for owner in range(1 << self.owner_bits) if owner != self.seat]
        elsewhere = [(owner, t, 0) for owner in others for t in (0, 1)]
        if not self.opening:
            elsewhere += [(owner, 1, 1) for owner in range(1 << self.owner_bits)]
        for hand in combinations(range(self.cards), self.hand):
            for rest in product(elsewhere, repeat=self.cards - self.hand):
                other = iter(rest)
                cards = [(self.seat, 0, 0) if i in hand else next(other) for i in range(self.cards)]
                owners, table, stack = (list(column) for column in zip(*cards, strict=True))
                yield self._basis_state(owners, table, stack)

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
