"""CP_k for hands whose cards are named by their rank: which of them is played."""

from collections.abc import Iterator, Mapping
from fractions import Fraction

from compiler.synthesis.operator import Operator, example, operator


@operator("rank_play")
class RankPlay(Operator):
    """A seat plays each of its k hand cards at once; a rank says which one.

    k ≥ 2: |0…0⟩ → Σ_{r<k} |r⟩ / √k, so that every card is played with equal amplitude.
    k = 1: the identity, on the rank bit of a hand that had two cards: it says already which
    card is left.

    Phases are branch phases.

    Operands: `rank` (⌈log₂ k⌉ bits, low bit first; 1 for k = 1). No other qubit is needed:
    whatever cards the seat holds, each rank names one of them.

    Cost: none where k is a power of two, 1 for k = 3.

    Args:
        hand: k, cards in the seat's hand, 1 or more.
    """

    exact_phases = False
    examples = (
        example("CP_2^2, rank bit", 2),
        example("CP_1^2, rank bit", 1),
        example("CP_3^9, rank", 3),
        example("CP_6^18, rank", 6),
    )

    def __init__(self, hand: int) -> None:
        self.hand = hand
        super().__init__(rank_bits(hand) or 1, [hand])

    def legal_inputs(self) -> Iterator[int]:
        """Yield |0…0⟩ before a play that is a choice; both ranks before the last one."""
        yield from range(2 if self.hand == 1 else 1)

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return all ranks for a choice, the same rank for the last card."""
        if self.hand == 1:
            return {basis_state: Fraction(1)}
        return dict.fromkeys(range(self.hand), Fraction(1, self.hand))


def rank_bits(hand: int) -> int:
    """Return the bits that say which of `hand` cards is played."""
    return (hand - 1).bit_length()
