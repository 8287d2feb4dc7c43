"""The winning chance of each card as a backend measures it: a circuit for each of them."""

from collections.abc import Mapping

from attrs import frozen

from compiler.errors import GameError
from compiler.words.estimator_names import EstimatorName
from games.commands import Estimated, Means, Run
from games.trick_taking.advice.adviser import Advice
from games.trick_taking.advice.shares import Estimate
from games.trick_taking.play.following import after_play
from games.trick_taking.rules.setup import Setup
from games.trick_taking.toml.writing import game_toml


@frozen
class Asking:
    """How a chance is estimated.

    Args:
        estimator: by which.
        error: half the width of the interval of 95 % that is wanted.
    """

    estimator: EstimatorName
    error: float

    @property
    def told(self) -> str:
        """For people."""
        return f"{self.estimator} amplitude estimation, error {self.error:g}"


@frozen(eq=False)
class Measured:
    """What a backend has measured.

    Args:
        backend: its spec.
        shots: of each circuit, of an estimate of each round.
        chances: by card, as places in the deck.
        jobs: number of the record of each card's job; an estimate that is asked here has none.
        two_qubit_gates: of each card's circuit.
        asking: by which estimator, and how well; None if shots were counted.
        estimates: of each card, if they were not.
    """

    backend: str
    shots: int
    chances: Mapping[int, Estimate]
    jobs: Mapping[int, int]
    two_qubit_gates: Mapping[int, int]
    asking: Asking | None = None
    estimates: Mapping[int, Estimated] = {}

    @property
    def reached(self) -> bool:
        """Whether each interval is as narrow as was wanted; of counted shots none was."""
        return all(one.reached for one in self.estimates.values())


def continued(game: Setup, card: int, backend: str, shots: int, seed: int) -> Run:
    """Return the game after a card, as something to be compiled and run.

    Args:
        game: the position.
        card: that is played, as its place in the deck.
        backend: that runs it.
        shots: how often.
        seed: of the compiler and of the backend, if it takes one.

    Raises:
        GameError: if the card ends the game, so that nothing is left to be superposed.
    """
    after, name = after_play(game, card), game.deck[card]
    if not after.hand:
        raise GameError(f"{game.name}: {name} ends the game, no circuit is needed")
    return Run(f"after-{name}.toml", game_toml(after), backend, shots, seed)


def measured(advice: Advice, backend: str, shots: int, seed: int, means: Means) -> Measured:
    """Compile the game after each card, run it, and return how often the seat's side wins.

    All shots count; those that stand for no outcome the party has not won. What is measured of a
    card is said before the next one is compiled.

    Args:
        advice: the position and the cards.
        backend: that runs the circuits.
        shots: of each.
        seed: of the compiler and of the backend, if it takes one.
        means: what compiles and runs.

    Raises:
        GameError: if the card ends the game, so that nothing is left to be superposed.
    """
    game = advice.game
    chances, jobs, gates = {}, {}, {}
    for number, card in enumerate(advice.cards, start=1):
        run, name = continued(game, card, backend, shots, seed), game.deck[card]
        means.say(f"{name}, card {number} of {len(advice.cards)}: compiling it for {backend}")
        ran = means.run(run)
        win = ran.observables["win"]
        found = Estimate(win["measured"], win["low"], win["high"])
        chances[card] = found if advice.for_party else found.other()
        jobs[card], gates[card] = ran.job, ran.two_qubit_gates
        means.say(
            f"{name}: P(win) on {backend} {chances[card].value:.3f} ({chances[card].low:.3f} to "
            f"{chances[card].high:.3f}), {ran.two_qubit_gates} two-qubit gates"
        )
    return Measured(backend, shots, chances, jobs, gates)
