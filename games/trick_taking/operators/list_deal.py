"""Dealing hands that are lists of card codes."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from math import comb
from random import Random

from compiler.synthesis.operator import Operator, example, operator
from games.trick_taking.operators.lists import lists_of, pack, random_list, unpack


@operator("sorted_deal")
class SortedDeal(Operator):
    """Splits known cards into a hand and the rest, in all ways at once.

    |0…0⟩ → Σ_{k-subsets} |the subset, in the order given⟩ |the rest⟩ |history⟩ / √C(n,k).

    Operands: k slots, n-k slots, n history qubits (card i is in the hand), clean ancillas.

    Args:
        width: qubits per slot.
        chosen: k, cards of the hand.
        codes: of the n cards, none twice.
    """

    exact_phases = False
    examples = (
        example("list: 2 of 4 known cards", 2, 2, range(4)),
        example("list: 10 of 22 known cards", 6, 10, range(22)),
    )

    def __init__(self, width: int, chosen: int, codes: Sequence[int]) -> None:
        self.width, self.chosen, self.codes = width, chosen, tuple(codes)
        cards = len(self.codes)
        self.history = tuple(range(cards * width, cards * (width + 1)))
        super().__init__(cards * (width + 1), [width, chosen, *codes])

    def legal_inputs(self) -> Iterator[int]:
        """Yield the only legal input, all qubits 0."""
        yield 0

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the uniform distribution over all subsets."""
        deals = []
        for hand in combinations(self.codes, self.chosen):
            rest = [code for code in self.codes if code not in hand]
            deals.append(pack([*hand, *rest], self.width))
        return dict.fromkeys(deals, Fraction(1, len(deals)))


@operator("list_split")
class ListSplit(Operator):
    """Splits a list into a hand and the rest, in all ways at once.

    |list⟩ → Σ_{k-subsets} |the subset⟩ |the rest⟩ |history⟩ / √C(n,k), up to the order of the
    cards in each part.

    Operands: n slots, the first k for the hand; history qubits.

    Args:
        width: qubits per slot.
        cards: n, cards on the list.
        chosen: k, cards of the hand.
    """

    exact_phases = False
    examples = (
        example("list: 2 of 4 unknown cards", 2, 4, 2),
        example("list: 10 of 22 unknown cards", 6, 22, 10),
    )

    def __init__(self, width: int, cards: int, chosen: int) -> None:
        self.width, self.cards, self.chosen = width, cards, chosen
        self.history = tuple(range(cards * width, cards * width + split_coins(cards, chosen)))
        super().__init__(cards * width + len(self.history), [width, cards, chosen])

    def legal_inputs(self) -> Iterator[int]:
        """Yield every list of distinct codes."""
        for codes in lists_of(range(1 << self.width), self.cards):
            yield pack(codes, self.width)

    def random_legal_input(self, random: Random) -> int:
        """Return a random list of distinct codes."""
        return pack(random_list(random, range(1 << self.width), self.cards), self.width)

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the uniform distribution over all subsets."""
        codes = unpack(basis_state, self.cards, self.width)
        splits = []
        for hand in combinations(sorted(codes), self.chosen):
            rest = [code for code in sorted(codes) if code not in hand]
            splits.append(pack([*hand, *rest], self.width))
        return dict.fromkeys(splits, Fraction(1, comb(self.cards, self.chosen)))

    def canonical(self, basis_state: int) -> int:
        """Return an output with both parts in ascending order and without its history."""
        codes = unpack(basis_state, self.cards, self.width)
        parts = [*sorted(codes[: self.chosen]), *sorted(codes[self.chosen :])]
        return pack(parts, self.width)


def split_coins(cards: int, chosen: int) -> int:
    """Return the history qubits of a split: an index and a coin for every card beyond the hand."""
    return (cards - chosen) * (1 + (chosen - 1).bit_length())
