"""Winning chance of each card on a backend: a circuit for each, by counted shots or estimates."""

from collections.abc import Mapping

from attrs import frozen

from compiler.errors import GameError
from compiler.words.estimator_names import EstimatorName
from games.sources import Source
from games.trick_taking.advice.shares import Estimate
from games.trick_taking.play.positions import after_play
from games.trick_taking.rules.setup import Setup
from games.trick_taking.toml.writing import game_toml


@frozen
class CardEstimate:
    """Effort of the amplitude estimation of a card's chance.

    Args:
        reached: whether the interval is as narrow as requested.
        calls: calls of the program or its inverse.
        sampling_calls: calls of sampling for the same error.
        shots: shots of all rounds.
        circuits: number of different circuits.
        deepest: largest number of iterates of a circuit.
        iterate_two_qubit_gates: two-qubit gates that an iterate adds.
        verified: proofs of the circuits.
    """

    reached: bool
    calls: int
    sampling_calls: int
    shots: int
    circuits: int
    deepest: int
    iterate_two_qubit_gates: int
    verified: tuple[str, ...]


@frozen(eq=False)
class Measured:
    """Chances of cards on a backend, or the jobs that are going to measure them.

    Args:
        backend: spec of the backend.
        shots: shots of each circuit; of an estimate, of each round.
        chances: chances by card, as places in the deck; empty if workers estimate them later.
        jobs: number of each card's job; an estimate on this machine has none.
        two_qubit_gates: two-qubit gates of each card's circuit.
        estimator: method of amplitude estimation; None if shots are counted.
        error: half the width of the interval that was requested of an estimate.
        estimates: effort of each card's estimate.
    """

    backend: str
    shots: int
    chances: Mapping[int, Estimate] = {}
    jobs: Mapping[int, int] = {}
    two_qubit_gates: Mapping[int, int] = {}
    estimator: EstimatorName | None = None
    error: float | None = None
    estimates: Mapping[int, CardEstimate] = {}

    @property
    def method(self) -> str:
        """The method in words."""
        if self.estimator is None:
            return f"{self.shots:,} shots"
        return f"{self.estimator} amplitude estimation, error {self.error:g}"

    @property
    def reached(self) -> bool:
        """Return whether each interval is as narrow as requested, as counted shots always are."""
        return all(estimate.reached for estimate in self.estimates.values())


def game_after(game: Setup, card: int) -> Source:
    """Return the game after a card as a game file.

    Args:
        game: the position.
        card: the card, as its place in the deck.

    Raises:
        GameError: if the card ends the game, so that no circuit is left.
    """
    after, name = after_play(game, card), game.deck[card]
    if not after.hand:
        raise GameError(f"{game.name}: {name} ends the game, no circuit is needed")
    return Source(f"after-{name}.toml", game_toml(after).encode())
