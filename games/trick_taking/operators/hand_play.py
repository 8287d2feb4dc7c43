"""Card play on hand flags: one bit per card says whether it is in the hand."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from random import Random

from compiler.synthesis.method import widened
from compiler.synthesis.operator import Operands, Operator, example, operator
from games.trick_taking.synthesis.amplified_hand_play import amplified_hand_play


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
            owner and tells what is in a hand by the table and stack bits.

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
