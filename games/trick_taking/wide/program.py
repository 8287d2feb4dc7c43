"""Operators of a game laid out on lists, with the fewest gates that we know."""

from collections.abc import Iterator

from compiler.synthesis.operator import Operator
from games.trick_taking.encodings.list_deal_plan import DealPlan
from games.trick_taking.encodings.list_dealing import Slot
from games.trick_taking.encodings.list_program import ListProgram
from games.trick_taking.wide.dealing import WideDealing
from games.trick_taking.wide.follow import WideFollow
from games.trick_taking.wide.score import WideScore
from games.trick_taking.wide.trick import WideTrick


class WideProgram(ListProgram):
    """A program of operators that leave in history qubits whatever they have worked out."""

    def _dealing(
        self, plan: DealPlan, free: dict[int, list[Slot]]
    ) -> Iterator[tuple[Operator | int, list[int]]]:
        (cards,) = plan.groups.values()
        slots = {owner: free[owner] for owner in plan.order}
        return WideDealing(self.width, slots).operations([self.codes.codes[c] for c in cards])

    def _follow(self, cards: int) -> Operator:
        return WideFollow(self.codes.class_bits, self.codes.lane_bits, cards)

    def _winner(self, luggage: int) -> Operator:
        game, codes = self.game, self.codes
        return WideTrick(
            game.players, codes.class_bits, codes.lane_bits, luggage, trumps=codes.trumps
        )

    def _scoring(self, cards: int, bits: int, points: tuple[int, ...]) -> Operator:
        return WideScore(cards, self.codes.lane_bits, bits, points)
