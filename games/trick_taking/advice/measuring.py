"""The winning chance of each card as a backend measures it: a circuit for each of them."""

from collections.abc import Mapping

from attrs import frozen

from compiler.errors import GameError
from games.commands import Means, Run
from games.trick_taking.advice.adviser import Advice
from games.trick_taking.advice.shares import Estimate
from games.trick_taking.play.following import after_play
from games.trick_taking.toml.writing import game_toml


@frozen(eq=False)
class Measured:
    """What a backend has measured.

    Args:
        backend: its spec.
        shots: of each circuit.
        chances: by card, as places in the deck.
        jobs: number of the record of each card's job.
        two_qubit_gates: of each card's circuit.
    """

    backend: str
    shots: int
    chances: Mapping[int, Estimate]
    jobs: Mapping[int, int]
    two_qubit_gates: Mapping[int, int]


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
        after, name = after_play(game, card), f"{game.deck[card]}"
        if not after.hand:
            raise GameError(f"{game.name}: {name} ends the game, no circuit is needed")
        means.say(f"{name}, card {number} of {len(advice.cards)}: compiling it for {backend}")
        ran = means.run(Run(f"after-{name}.toml", game_toml(after), backend, shots, seed))
        win = ran.observables["win"]
        found = Estimate(win["measured"], win["low"], win["high"])
        chances[card] = found if advice.for_party else found.other()
        jobs[card], gates[card] = ran.job, ran.two_qubit_gates
        means.say(
            f"{name}: P(win) on {backend} {chances[card].value:.3f} ({chances[card].low:.3f} to "
            f"{chances[card].high:.3f}), {ran.two_qubit_gates} two-qubit gates"
        )
    return Measured(backend, shots, chances, jobs, gates)
