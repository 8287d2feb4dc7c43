"""Operators of a game laid out on lists, with the fewest gates that we know."""

from collections.abc import Iterator

from qiskit import QuantumCircuit

from compiler.synthesis.operator import Operator
from games.encoding import encoding
from games.trick_taking.encodings.card_codes import card_codes
from games.trick_taking.encodings.list_dealing import DealPlan, Slot, deal_plan
from games.trick_taking.encodings.list_decoding import HistoryEncoding, judged, played_game
from games.trick_taking.encodings.list_program import ListProgram
from games.trick_taking.encodings.wide_dealing import WideDealing
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.operators.list_play import WideFollow
from games.trick_taking.operators.list_trick import WideTrick
from games.trick_taking.operators.trick_score import WideScore
from games.trick_taking.play.replay import Played


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


class _WideLists(HistoryEncoding):
    """Lists as in `lists`, by operators that uncompute nothing.

    What a comparison, a mark or a count has written stays where it is: as nothing interferes after
    the deal, it is history like any other. Cards are dealt to groups of owners first. Measured are
    the same registers; the bits of a trick say whether the first follower has beaten the leader,
    and the second one the better of the two.
    """

    scored: bool

    def supports(self, game: TrickTakingGame) -> bool:
        """Games in which suit is followed, without class counts that leave a choice."""
        plan = deal_plan(game)
        return (
            plan is not None
            and len(plan.groups) == 1
            and game.winner_leads
            and card_codes(game).class_bits > 0
        )

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        return WideProgram(game, card_codes(game), scored=self.scored).build()

    def history(self, game: TrickTakingGame, measured: int) -> Played:
        """Replay the game that was measured; see `Encoding`."""
        exchanged = ((0, 1), (0, 2))[: game.players - 1]
        found = played_game(
            game, card_codes(game), measured, scored=self.scored, exchanged=exchanged
        )
        return Played(found.deal, found.plays, judged(game, found).owners)


@encoding("lists-wide")
class WideLists(_WideLists):
    """The fewest gates for large games, without a score on qubits."""

    place = 103
    scored = False


@encoding("lists-win-wide")
class WideListsWithWin(_WideLists):
    """The same with the party's score and a bit that says whether it has won."""

    place = 104
    scored = True
