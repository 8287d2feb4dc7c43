"""Encodings whose measured bits tell how a game went."""

from abc import abstractmethod

from compiler.errors import VerificationError
from games.encoding import Encoding
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.play.replay import Played


class HistoryEncoding(Encoding[TrickTakingGame]):
    """An encoding whose measured bits tell how the game went.

    Barriers lie where all qubits could be measured without changing any outcome.
    """

    family = TrickTakingGame
    judges = True

    @abstractmethod
    def history(self, game: TrickTakingGame, measured: int) -> Played:
        """Return the game that measured classical bits tell, once the rules have judged it.

        Raises:
            VerificationError: naming the first thing that is illegal.
        """

    def outcome(self, game: TrickTakingGame, measured: int) -> int | None:
        """Return the outcome of the game that was played; see `Encoding`."""
        try:
            return game.outcome(self.history(game, measured).owners)
        except VerificationError:
            return None
