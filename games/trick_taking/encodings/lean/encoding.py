"""The leanest encoding: what chance decides lies on qubits, and little besides."""

from qiskit import QuantumCircuit

from games.encoding import Encoding, encoding
from games.trick_taking.encodings.lean.choices import Choices
from games.trick_taking.encodings.lean.orders import Orders
from games.trick_taking.encodings.lean.ranks import Ranks
from games.trick_taking.game import TrickTakingGame

WAYS: tuple[Encoding[TrickTakingGame], ...] = (Ranks(), Orders(), Choices())
"""The first one that supports a game is its own."""


@encoding("lean")
class LeanEncoding(Encoding[TrickTakingGame]):
    """The fewest two-qubit gates of all encodings, for games of up to nine cards and some larger.

    - `Ranks`, the papers' toy: the deal, everybody's first card, and who took each trick.
    - `Orders`, all other games in paper rules: the deal, and in which order each seat plays.
      Nobody reacts to anybody there, so the judge takes the tricks.
    - `Choices`, games in which suit is followed: as much of `lists` as the outcome needs.
    """

    family = TrickTakingGame
    judges = True
    small = True

    def rank(self, game: TrickTakingGame) -> int:
        """Return its place among the encodings; see `Encoding`."""
        return 2

    def supports(self, game: TrickTakingGame) -> bool:
        """In paper rules up to nine cards; where suit is followed, few enough states."""
        return any(way.supports(game) for way in WAYS)

    def simulated(self, game: TrickTakingGame) -> bool:
        """Tell whether suit is followed; see `Encoding`."""
        return _way(game).simulated(game)

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        return _way(game).program(game)

    def outcome(self, game: TrickTakingGame, measured: int) -> int | None:
        """Return the owners that the bits stand for; see `Encoding`."""
        return _way(game).outcome(game, measured)


def _way(game: TrickTakingGame) -> Encoding[TrickTakingGame]:
    return next(way for way in WAYS if way.supports(game))
