"""Counting what a party takes."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from random import Random

from compiler.synthesis.operator import Operator, example, operator
from games.trick_taking.operators.lists import pack, unpack

SKAT_POINTS = (2, 2, 2, 2, 11, 10, 4, 3, 0, 0, 0)
"""Of the lanes of trumps, strongest first."""


@operator("trick_score")
class TrickScore(Operator):
    """Adds the points of a trick's cards to a score if the party takes the trick.

    |party, lanes, score⟩ → |party, lanes, score + party · Σ points[lane] mod 2^S⟩. With the
    score prepared at 2^(S-1) less the points still wanted, its top bit says "won".

    Operands: the party flag of the winner, `lane_bits` for each card, the score (S > bits of
    the largest points), clean ancillas.

    Args:
        cards: cards in the trick.
        lane_bits: qubits of a card's lane.
        score_bits: S.
        points: of each lane; lanes beyond the last do not occur.
    """

    exact_phases = False
    examples = (
        example("list: points of one of 4 lanes", 1, 2, 3, (2, 1, 0, 0)),
        example("list: points of a trick", 3, 4, 7, SKAT_POINTS),
    )

    def __init__(self, cards: int, lane_bits: int, score_bits: int, points: Sequence[int]) -> None:
        self.cards, self.lane_bits, self.score_bits = cards, lane_bits, score_bits
        self.points = tuple(points)
        size = 1 + cards * lane_bits + score_bits
        super().__init__(size, [cards, lane_bits, score_bits, *points])

    def _input(self, party: int, lanes: Sequence[int], score: int) -> int:
        cards = pack(lanes, self.lane_bits, 1)
        return party | cards | score << 1 + self.cards * self.lane_bits

    def legal_inputs(self) -> Iterator[int]:
        """Yield every party flag with all lanes and every score."""
        for lanes in product(range(len(self.points)), repeat=self.cards):
            for score in range(1 << self.score_bits):
                yield self._input(0, lanes, score)
                yield self._input(1, lanes, score)

    def random_legal_input(self, random: Random) -> int:
        """Return random values."""
        lanes = [random.randrange(len(self.points)) for _ in range(self.cards)]
        return self._input(random.getrandbits(1), lanes, random.getrandbits(self.score_bits))

    def action(self, basis_state: int) -> Mapping[int, Fraction]:
        """Return the one output that a legal input is mapped to."""
        lanes = unpack(basis_state, self.cards, self.lane_bits, 1)
        score = basis_state >> 1 + self.cards * self.lane_bits
        if basis_state & 1:
            score += sum(self.points[lane] for lane in lanes)
        return {self._input(basis_state & 1, lanes, score % (1 << self.score_bits)): Fraction(1)}
