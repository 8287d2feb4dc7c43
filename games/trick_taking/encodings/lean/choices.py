"""Games in which suit is followed: hands as lists, and nothing done that nobody needs."""

from functools import lru_cache

from qiskit import QuantumCircuit

from compiler.readouts import FewReadouts, fewest_readouts
from games.encoding import Encoding, encoded
from games.trick_taking.encodings.list_deal_plan import deal_plan
from games.trick_taking.game import TrickTakingGame

MOST_STATES = 50_000
"""Bound of the states of games whose circuits are simulated to find out what must be read."""


class Choices(Encoding[TrickTakingGame]):
    """The game of `lists` up to its last choice; what follows from the choices is worked out.

    Read are a few qubits that tell who owns the cards at the end, usually those that remember
    how was dealt and which of the legal cards were played. Tricks that nobody can influence any
    more are taken by the judge, who knows what would have become of every state, and a choice on
    which no outcome depends is not made. Raw counts suffer from fewer errors than those of
    `lists`, but fewer of them are seen to be wrong, and noise alone scores higher.
    """

    family = TrickTakingGame
    judges = True

    def supports(self, game: TrickTakingGame) -> bool:
        """Games in which suit is followed, with few enough states."""
        few = game.follows_suit and game.most_states() <= MOST_STATES
        return few and deal_plan(game) is not None

    def simulated(self, game: TrickTakingGame) -> bool:
        """Return True: what is left out is found out by simulating `lists`."""
        return True

    def program(self, game: TrickTakingGame) -> QuantumCircuit:
        """Return the program; see `Encoding`."""
        return _read(game).circuit.copy()

    def outcome(self, game: TrickTakingGame, measured: int) -> int | None:
        """Return the owners that the bits stand for; see `Encoding`."""
        return _read(game).outcomes.get(measured)


@lru_cache(maxsize=16)
def _read(game: TrickTakingGame) -> FewReadouts:
    whole = encoded(game, "lists")
    return fewest_readouts(whole.circuit, whole.outcome)
