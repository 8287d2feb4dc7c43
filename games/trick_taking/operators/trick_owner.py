"""TT_2 on the owners alone: the loser's card of a trick changes hands."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from random import Random

from compiler.synthesis.operator import Operator, example, operator


@operator("trick_owner")
class TrickOwner(Operator):
    """Gives both cards of a trick of two players to the owner of the stronger one.

    A permutation up to branch phases: |owner, table⟩ → |owner ⊕ eⱼ, table⟩, where j is the
    weaker, hence later one of the two cards on the table. Their owners differ, so that the
    winner owns both; all other owners are arbitrary and stay.

    Operands: `owner` (n), `table` (n flags, exactly two of them 1).

    Cost: 5n − 14 gates for n ≥ 4, 2 for n = 3, none for n = 2.

    Args:
        cards: n, the deck's size, strongest card first.

    References:
        Armbrüster et al., AAMAS 2026, equation 11, without the stack.
    """

    exact_phases = False
    examples = (example("TT_2^4, owner bits", 4),)

    def __init__(self, cards: int) -> None:
        self.cards = cards
        super().__init__(2 * cards, [cards])

    def legal_inputs(self) -> Iterator[int]:
        """Yield every pair of table cards with all owners for which theirs differ."""
        for first, second in combinations(range(self.cards), 2):
            for owners in range(1 << self.cards):
                if owners >> first & 1 != owners >> second & 1:
                    yield owners | (1 << first | 1 << second) << self.cards

    def random_legal_input(self, random: Random) -> int:
        """Return a random trick with random other owners."""
        first, second = random.sample(range(self.cards), 2)
        owners = random.getrandbits(self.cards) & ~(1 << first | 1 << second) | 1 << first
        return owners | (1 << first | 1 << second) << self.cards

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the one output that a legal input is mapped to."""
        weaker = (basis_state >> self.cards).bit_length() - 1
        return {basis_state ^ 1 << weaker: Fraction(1)}
