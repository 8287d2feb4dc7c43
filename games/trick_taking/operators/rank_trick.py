"""TT_2 for hands of two cards that are named by their rank: a comparison onto a fresh qubit."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations, product

from compiler.synthesis.operator import Operator, example, operator

CARDS = 4


@operator("rank_trick")
class RankTrick(Operator):
    """Marks who takes a trick of two seats that were dealt two of four cards each.

    *The holder* is the seat that was dealt card 0, the strongest. Operands:

    - `owner` (4): the seat that each card was dealt to, strongest card first; two cards each;
    - `rank` (2): bit 0 is 1 if the holder plays its lower card first, bit 1 is 1 if the other
      seat plays the lower one against a higher, or the higher one against a lower;
    - `taken` (2): bit k is 1 if trick k is taken by the other seat, 0 if by the holder.

    A permutation up to branch phases that changes `taken` only:

        trick 0: |owner, rank, 0, 0⟩ → |owner, rank, w₀, w₀ ⊕ w₁⟩,
        trick 1: |owner, rank, w₀, w₀ ⊕ w₁⟩ → |owner, rank, w₀, w₁⟩,

    where w_k is 1 if the other seat's card in trick k is the stronger one. In between the
    second qubit says whether the tricks are split: the last cards being forced, that is known
    once two cards lie on the table, and it makes both comparisons cheap.

    Args:
        trick: 0 for the first trick, 1 for the last one.
    """

    exact_phases = False
    examples = (
        example("TT_2^4, rank bits, first trick", 0),
        example("TT_2^4, rank bits, last trick", 1),
    )

    def __init__(self, trick: int) -> None:
        self.trick = trick
        super().__init__(CARDS + 4, [trick])

    def legal_inputs(self) -> Iterator[int]:
        """Yield every deal with every choice of ranks, as the steps before leave them."""
        for theirs in combinations(range(CARDS), 2):
            owners = sum(1 << card for card in theirs)
            for rank in product((0, 1), repeat=2):
                dealt = owners | rank[0] << CARDS | rank[1] << (CARDS + 1)
                yield dealt if self.trick == 0 else _split(dealt)

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the one output that a legal input is mapped to."""
        dealt = basis_state & ((1 << (CARDS + 2)) - 1)
        first, second = _winners(dealt)
        output = _split(dealt) if self.trick == 0 else _with_taken(dealt, first, second)
        return {output: Fraction(1)}


def cards_played(owners: Sequence[int], rank: Sequence[int], trick: int) -> tuple[int, int]:
    """Return the cards that lie on the table in a trick.

    Args:
        owners: the seat that each of four cards was dealt to, two cards each.
        rank: the two rank bits; see `RankTrick`.
        trick: 0 or 1.

    Returns:
        The holder's card and the other seat's; the lower number is the stronger card.
    """
    holders = [card for card, owner in enumerate(owners) if owner == owners[0]]
    others = [card for card, owner in enumerate(owners) if owner != owners[0]]
    return holders[rank[0] ^ trick], others[rank[0] ^ rank[1] ^ trick]


def _winners(dealt: int) -> tuple[int, int]:
    owners = [dealt >> card & 1 for card in range(CARDS)]
    rank = [dealt >> CARDS & 1, dealt >> (CARDS + 1) & 1]
    (holders, others), (holders_last, others_last) = (
        cards_played(owners, rank, trick) for trick in range(2)
    )
    return int(others < holders), int(others_last < holders_last)


def _split(dealt: int) -> int:
    first, second = _winners(dealt)
    return _with_taken(dealt, first, first ^ second)


def _with_taken(dealt: int, first: int, second: int) -> int:
    return dealt | first << (CARDS + 2) | second << (CARDS + 3)
