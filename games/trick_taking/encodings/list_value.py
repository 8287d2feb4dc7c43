"""Operators of a game laid out on lists, up to what the game counts."""

from games.trick_taking.encodings.card_codes import card_codes
from games.trick_taking.encodings.list_program import ListProgram
from games.trick_taking.encodings.list_score import score_of
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.payoff.levels import Levels
from games.trick_taking.payoff.operators import OneSide, Schneider
from games.trick_taking.rules.rules import NULL


def open_levels(game: TrickTakingGame) -> tuple[str, ...]:
    """Return the levels that the rules leave open, lowest classical bit first."""
    levels = Levels(game)
    possible = {"schneider": levels.may_be_schneider, "schwarz": levels.may_be_schwarz}
    return tuple(name for name, may_be in possible.items() if may_be)


def value_bits(game: TrickTakingGame, outcome: int) -> int:
    """Return what is measured of an outcome: the score, then the open levels; of a null, the win.

    The score is points − threshold + 2^(S-1), lowest bit first, so that its top bit says "won".
    """
    if game.rules.contract == NULL:
        return int(game.is_win(outcome))
    size, levels = score_of(game, card_codes(game)).bits, Levels(game)
    bits = game.points(outcome) - game.threshold + (1 << size - 1)
    for place, name in enumerate(open_levels(game), start=size):
        found = levels.schneider(outcome) if name == "schneider" else levels.schwarz(outcome)
        bits |= found << place
    return bits


class ListValueProgram(ListProgram):
    """A program with a score that also finds the levels that are open, and measures both.

    The score's value is points − threshold + 2^(S-1), so that the points themselves take no gate.
    Whether it is schneider follows from the score in the end; whether it is schwarz is kept trick
    by trick: the first trick's side is copied, and an AND with "the same side" taken at each
    later one.

    Args:
        game: what is played.
    """

    def __init__(self, game: TrickTakingGame) -> None:
        super().__init__(game, card_codes(game), scored=True, narrow=False)
        self.open = open_levels(game)
        self.first: int | None = None
        self.one_side: int | None = None

    def _take(self, cards: int, score: list[int]) -> int | None:
        side = super()._take(cards, score)
        if "schwarz" in self.open and side is not None:
            self._compare(side)
        return side

    def _compare(self, side: int) -> None:
        """Remember the first trick's side, and whether all tricks so far have gone to it."""
        if self.first is None:
            before = Levels(self.game).first_side
            (self.first,) = self._fresh(1)
            self.history.append(self.first)
            if before is None:
                self.operations.append(("cx", [side, self.first]))
                return
            if before:
                self.operations.append(("x", [self.first]))
        before_this = [] if self.one_side is None else [self.one_side]
        (now,) = self._fresh(1)
        if self.one_side is not None:
            self.history.append(self.one_side)
        operator = OneSide(second=self.one_side is None)
        self.operations.append((operator, [side, self.first, *before_this, now]))
        self.one_side = now

    def _end(self, score: list[int]) -> None:
        super()._end(score)
        if "schneider" in self.open:
            (found,) = self._fresh(1)
            operator = Schneider(len(score), self.game.threshold)
            history = self._fresh(len(operator.history))
            self.history += history
            self.operations.append((operator, [*score, *history, found]))
            self.levels.append(found)
        if self.one_side is not None:
            self.levels.append(self.one_side)

    def _measured(self, score: list[int]) -> list[tuple[str, list[int]]]:
        *others, win = super()._measured(score)
        if self.game.rules.contract == NULL:
            return [*others, win]
        return [*others, ("score", score), ("levels", self.levels)]
