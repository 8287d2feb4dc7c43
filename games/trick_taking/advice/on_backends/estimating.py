"""The winning chance of each card by amplitude estimation, asked here or handed to workers."""

from collections.abc import Mapping

from attrs import frozen

from compiler.errors import InputError
from compiler.words.estimator_names import ERROR, MOST_ITERATES, ROUND_SHOTS, EstimatorName
from compiler.words.plurals import how_many
from games.commands import AskedEstimate, Means, ReadyEstimate
from games.trick_taking.advice.adviser import Advice, choices_of
from games.trick_taking.advice.on_backends.measuring import Asking, Measured, continued
from games.trick_taking.advice.shares import Estimate
from games.trick_taking.rules.setup import Setup


@frozen
class Wish:
    """How each card's chance is to be estimated.

    Args:
        asking: by which estimator, and how well.
        backend: that is asked.
        shots: of each round.
        seed: of the compiler and of the first round.
        most_iterates: of a circuit.
        queue: whether workers ask the backend, and not this command.
        tag: of the workers' jobs; empty for none.
        max_cost: what each card's estimate may cost there, such as `20USD`; empty for any.
    """

    asking: Asking
    backend: str
    shots: int
    seed: int
    most_iterates: int
    queue: bool
    tag: str
    max_cost: str


@frozen
class HandedOver:
    """Estimates that workers have been given.

    Args:
        backend: that they ask.
        shots: of each round.
        asking: by which estimator, and how well.
        jobs: number of each card's job, by card as its place in the deck.
    """

    backend: str
    shots: int
    asking: Asking
    jobs: Mapping[int, int]


def wish(
    *,
    backend: str,
    shots: int | None,
    seed: int,
    estimator: EstimatorName | None,
    error: float | None,
    most_iterates: int | None,
    queue: bool,
    tag: str,
    max_cost: str,
) -> Wish | None:
    """Return how chances are to be estimated, None if shots are to be counted.

    Raises:
        InputError: if an option lacks the one that it goes with.
    """
    if (tag or max_cost) and not queue:
        raise InputError("--tag and --max-cost are for --queue: say that, too")
    if estimator is None:
        given = {"error": error, "most-iterates": most_iterates, "queue": queue or None}
        for name, value in given.items():
            if value is not None:
                raise InputError(f"--{name} is for estimates: say by which --estimator, too")
        return None
    if not backend:
        raise InputError(f"--estimator {estimator}: asks a backend; say which one by --backend")
    return Wish(
        Asking(estimator, ERROR if error is None else error),
        backend,
        ROUND_SHOTS if shots is None else shots,
        seed,
        MOST_ITERATES if most_iterates is None else most_iterates,
        queue,
        tag,
        max_cost,
    )


def ready(game: Setup, wanted: Wish, means: Means) -> Mapping[int, ReadyEstimate]:
    """Return the estimate of each card that may be played, checked, before anything is computed.

    Raises:
        GameError: if a card cannot be asked for, see `choices_of` and `continued`.
        InputError: if a number is out of its range, or the backend cannot be asked.
    """
    return {card: means.estimate(_asked(game, card, wanted)) for card in choices_of(game)}


def _asked(game: Setup, card: int, wanted: Wish) -> AskedEstimate:
    run = continued(game, card, wanted.backend, wanted.shots, wanted.seed)
    asking = wanted.asking
    return AskedEstimate(
        run, "win", asking.estimator, asking.error, wanted.most_iterates, wanted.queue, wanted.tag,
        wanted.max_cost,
    )  # fmt: skip


def estimated(
    advice: Advice, wanted: Wish, estimates: Mapping[int, ReadyEstimate], means: Means
) -> Measured:
    """Ask for each card, one after the other, and say what came of it before the next one.

    Args:
        advice: the position and the cards.
        wanted: how they are estimated.
        estimates: of each card.
        means: what tells the user.
    """
    chances, found, backend = {}, {}, wanted.backend
    for number, card in enumerate(advice.cards, start=1):
        name = advice.game.deck[card]
        means.say(f"{name}, card {number} of {len(advice.cards)}: {wanted.asking.told}, {backend}")
        one = found[card] = estimates[card].begin()
        chance = Estimate(one.value, one.low, one.high)
        chances[card] = chance = chance if advice.for_party else chance.other()
        means.say(
            f"{name}: P(win) on {backend} {chance.value:.3f} ({chance.low:.3f} to "
            f"{chance.high:.3f}) by {how_many(one.calls, 'call')} in {how_many(one.shots, 'shot')}"
        )
    gates = {card: one.two_qubit_gates for card, one in found.items()}
    return Measured(backend, wanted.shots, chances, {}, gates, wanted.asking, found)


def handed_over(
    advice: Advice, wanted: Wish, estimates: Mapping[int, ReadyEstimate], means: Means
) -> HandedOver:
    """Hand each card's estimate to the workers, and say so at once.

    Args:
        advice: the position and the cards.
        wanted: how they are estimated.
        estimates: of each card.
        means: what tells the user.
    """
    jobs = {}
    for card in advice.cards:
        jobs[card] = estimates[card].hand_over()
        means.say(f"{advice.game.deck[card]}: job {jobs[card]}")
    return HandedOver(wanted.backend, wanted.shots, wanted.asking, jobs)
