"""Hands as lists of card codes, relative to who leads: the fewest gates for games of any size."""

from collections.abc import Sequence

from qiskit import QuantumCircuit

from compiler.errors import VerificationError
from compiler.judge import Kind, Observable
from games.encoding import encoding
from games.trick_taking.encodings.card_codes import card_codes
from games.trick_taking.encodings.levels import Levels
from games.trick_taking.encodings.list_dealing import deal_plan
from games.trick_taking.encodings.list_decoding import HistoryEncoding, judged, played_game
from games.trick_taking.encodings.list_program import ListProgram, score_of
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.operators.levels import OneSide, Schneider
from games.trick_taking.play.replay import Played
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
        super().__init__(game, card_codes(game), scored=True)
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


class _Lists(HistoryEncoding):
    """Every hand is a list of slots; a played card is swapped into the last slot and stays.

    The hands lie in the order of play of the current trick, so no operator needs to know who
    leads: taking a trick brings the winner's hand to first place.

    Registers, m seats with h cards of w bits: `hand_0` … (h·w each, the leader's first),
    `skat`, `party` (a flag that travels with each hand), `history` (what a unitary cannot
    forget), `score`, `work` (clean ancillas). Measured are `hands` (all slots), `skat`, `tricks`
    (who was swapped at each trick) and `win`; the owners follow classically.
    """

    scored: bool

    def supports(self, game: TrickTakingGame) -> bool:
        """Games in any rules, with class counts that can be dealt owner by owner."""
        return deal_plan(game) is not None

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        return ListProgram(game, card_codes(game), scored=self.scored).build()

    def history(self, game: TrickTakingGame, measured: int) -> Played:
        """Replay the game that was measured; see `Encoding`."""
        found = played_game(game, card_codes(game), measured, scored=self.scored)
        return Played(found.deal, found.plays, judged(game, found).owners)


@encoding("lists")
class Lists(_Lists):
    """Hands as lists, without a score on qubits."""

    place = 0
    scored = False


@encoding("lists-win")
class ListsWithWin(_Lists):
    """Hands as lists, with the party's score and a bit that says whether it has won."""

    place = 1
    scored = True


@encoding("lists-value")
class ListsWithValue(_Lists):
    """Like `lists-win`, with all that a game's value depends on: the score and its levels.

    Measured besides are `score`, points − threshold + 2^(S-1), whose top bit says "won", and
    `levels`: whether it is schneider, and whether it is schwarz, where the rules leave that open.
    """

    place = 101
    scored = False

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        return ListValueProgram(game).build()

    def observables(self, game: TrickTakingGame) -> Sequence[Observable]:
        """Return the game's, and its levels and value; see `Levels`."""
        levels = Levels(game)
        counted = (
            Observable("schneider", Kind.EVENT, levels.schneider),
            Observable("schwarz", Kind.EVENT, levels.schwarz),
        )
        value = Observable("value", Kind.NUMBER, levels.value, bounds=levels.bounds)
        return (*game.observables, *(counted if levels.counted else ()), value)

    def history(self, game: TrickTakingGame, measured: int) -> Played:
        """Replay the game that was measured, and hold its score and levels to the rules."""
        played = super().history(game, measured)
        slots = game.players * game.hand + game.skat
        others = slots * card_codes(game).width + game.hand * (game.players - 1)
        if measured >> others != value_bits(game, game.outcome(played.owners)):
            raise VerificationError("the measured score or levels are not those of the game")
        return played
