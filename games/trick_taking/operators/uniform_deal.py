"""U_ini: the superposition of all deals."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb, factorial, prod

from qiskit.circuit import CircuitInstruction

from compiler.synthesis.method import widened
from compiler.synthesis.operator import (
    Fusion,
    GateKind,
    LiteralOperator,
    Operands,
    example,
    operator,
)
from games.trick_taking.operators.fusion import opening_places, opening_plays
from games.trick_taking.synthesis.literal_deal import literal_deal


@operator("uniform_deal")
class UniformDeal(LiteralOperator):
    """Deals n cards: |0…0⟩ → Σ_deals |owners⟩ / √deals.

    Phases are branch phases.

    Operands: `owner` (n·b bits, card-major, low bit first, b = ⌈log₂ owners⌉), then clean
    ancillas.

    Cost: one Dicke preparation for b = 1; for b = 2 one on the high bits and up to two
    controlled ones for each subset of cards they select.

    Args:
        hands: cards dealt to each owner, 2 to 4 owners; the skat is the last owner.
        known: owner of each card, or None where it is unknown.

    References:
        Armbrüster et al., AAMAS 2026, equations 1 and 20.
    """

    exact_phases = False
    colour = "#009E73"
    examples = (
        example("deal D(4,2)", (2, 2), (None,) * 4),
        example("deal D(6,3)", (3, 3), (None,) * 6),
        example("deal D(8,4)", (4, 4), (None,) * 8),
        example("deal D(32,10)", (22, 10), (None,) * 32),
        example("deal of 3 x 3", (3, 3, 3), (None,) * 9),
        example("deal of 10, 10, 10, 2", (10, 10, 10, 2), (None,) * 32),
    )

    def __init__(self, hands: Sequence[int], known: Sequence[int | None]) -> None:
        self.hands = tuple(hands)
        self.known = tuple(known)
        self.owner_bits = (len(hands) - 1).bit_length()
        params = [len(hands), *hands, *(-1 if owner is None else owner for owner in known)]
        super().__init__(len(known) * self.owner_bits, params)

    def _define(self) -> None:
        self.definition = widened(literal_deal(self.hands, self.known), self.num_qubits)

    def legal_inputs(self) -> Iterator[int]:
        """Yield the only legal input, all qubits 0."""
        yield 0

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the uniform distribution over all deals."""
        deals = [
            sum(owner << (i * self.owner_bits) for i, owner in enumerate(owners))
            for owners in product(range(len(self.hands)), repeat=len(self.known))
            if all(k in (None, o) for k, o in zip(self.known, owners, strict=True))
            and all(owners.count(o) == size for o, size in enumerate(self.hands))
        ]
        return dict.fromkeys(deals, Fraction(1, len(deals)))

    def interchangeable(self) -> list[Sequence[Operands]]:
        """Cards with the same known owner, and those of unknown owners."""
        bits = self.owner_bits
        cards: dict[int | None, list[Operands]] = defaultdict(list)
        for card, known in enumerate(self.known):
            cards[known].append(tuple(range(card * bits, (card + 1) * bits)))
        return list(cards.values())

    def fused(self, items: Sequence[CircuitInstruction]) -> Fusion | None:
        """One state preparation for the deal and everybody's first card."""
        plays = opening_plays(items)
        if plays is None:
            return None
        cards, hand = len(self.known), self.hands[0]
        operator = UniformDeal((hand - 1, hand - 1, 1, 1), (None,) * cards)
        return Fusion(3, [CircuitInstruction(operator, opening_places(items[0], plays[0]))])

    @property
    def deals(self) -> int:
        """Number of deals: a multinomial coefficient."""
        left = [size - self.known.count(owner) for owner, size in enumerate(self.hands)]
        return factorial(sum(left)) // prod(factorial(size) for size in left)

    @property
    def declared_cost(self) -> Mapping[GateKind, int]:
        """Flips of known bits, state preparations, and conditions for every selected subset."""
        left = [size - self.known.count(owner) for owner, size in enumerate(self.hands)]
        zero, one, two, three = left + [0] * (4 - len(left))
        cost: Counter[GateKind] = Counter()
        cost["x", 0] = sum(owner.bit_count() for owner in self.known if owner is not None)
        if self.owner_bits == 1:
            cost["state_preparation", 0] = int(one > 0)
            return +cost
        selected, rest = two + three, zero + one
        inner = int(one > 0) + int(three > 0)
        subsets = comb(selected + rest, selected) if inner else 0
        cost["state_preparation", 0] = int(selected > 0)
        cost["state_preparation", 1] = subsets * inner
        cost["x", selected + rest] += 2 * subsets
        return +cost

    @property
    def declared_depth(self) -> int:
        """One: the papers draw the deal as a single gate."""
        return 1
