"""Hands as lists of card codes, relative to who leads: the fewest gates for games of any size."""

from collections.abc import Sequence

from qiskit import QuantumCircuit

from compiler.errors import VerificationError
from compiler.judge import Kind, Observable
from games.encoding import encoding
from games.trick_taking.encodings.card_codes import card_codes
from games.trick_taking.encodings.history import HistoryEncoding
from games.trick_taking.encodings.list_deal_plan import deal_plan
from games.trick_taking.encodings.list_decoding import judged, played_game
from games.trick_taking.encodings.list_program import ListProgram
from games.trick_taking.encodings.list_value import ListValueProgram, value_bits
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.payoff.levels import Levels
from games.trick_taking.play.replay import Played


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
    narrow: bool = False

    def supports(self, game: TrickTakingGame) -> bool:
        """Games in any rules, with class counts that can be dealt owner by owner."""
        return deal_plan(game) is not None

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        return ListProgram(game, card_codes(game), scored=self.scored, narrow=self.narrow).build()

    def history(self, game: TrickTakingGame, measured: int) -> Played:
        """Replay the game that was measured; see `Encoding`."""
        found = played_game(game, card_codes(game), measured, scored=self.scored)
        return Played(found.deal, found.plays, judged(game, found).owners)


@encoding("lists")
class Lists(_Lists):
    """Hands as lists, without a score on qubits."""

    scored = False

    def rank(self, game: TrickTakingGame) -> int:
        """Return its place among the encodings; see `Encoding`."""
        return 0


@encoding("lists-win")
class ListsWithWin(_Lists):
    """Hands as lists, with the party's score and a bit that says whether it has won."""

    scored = True

    def rank(self, game: TrickTakingGame) -> int:
        """Return its place among the encodings; see `Encoding`."""
        return 1


@encoding("lists-win-narrow")
class NarrowListsWithWin(_Lists):
    """Like `lists-win`, with fewer history qubits and more gates where hands are large."""

    scored = True
    narrow = True


@encoding("lists-value")
class ListsWithValue(_Lists):
    """Like `lists-win`, with all that a game's value depends on: the score and its levels.

    Measured besides are `score`, points − threshold + 2^(S-1), whose top bit says "won", and
    `levels`: whether it is schneider, and whether it is schwarz, where the rules leave that open.
    """

    scored = False

    def rank(self, game: TrickTakingGame) -> int:
        """Return its place among the encodings; see `Encoding`."""
        return 101

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        return ListValueProgram(game).build()

    def observables(self, game: TrickTakingGame) -> Sequence[Observable]:
        """Return the game's, and its levels and value; see `games.trick_taking.payoff.levels`."""
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
