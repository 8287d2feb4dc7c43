"""CP_k for hands of two cards that are named by their rank: the lower or the higher."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from compiler.synthesis.operator import Operator, example, operator


@operator("rank_play")
class RankPlay(Operator):
    """A seat plays each of its k hand cards at once; a rank says which of its two came first.

    k = 2: |0⟩ → (|0⟩ + |1⟩)/√2, so that both cards are played with equal amplitude.
    k = 1: the identity, since the rank says already which card is left.

    Operands: `rank` (1). No other qubit is needed: whatever two cards the seat holds, each rank
    names one of them.

    Args:
        hand: k, cards in the seat's hand, 1 or 2.
    """

    examples = (
        example("CP_2^2, rank bit", 2),
        example("CP_1^2, rank bit", 1),
    )

    def __init__(self, hand: int) -> None:
        self.hand = hand
        super().__init__(1, [hand])

    def legal_inputs(self) -> Iterator[int]:
        """Yield |0⟩ before the first play; both ranks before the second."""
        yield from range(3 - self.hand)

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return both ranks for the first play, the same rank for the second."""
        if self.hand == 1:
            return {basis_state: Fraction(1)}
        return {0: Fraction(1, 2), 1: Fraction(1, 2)}
