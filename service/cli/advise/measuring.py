"""Measurement of the cards that the command `advise` compares: estimates, or samples."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from attrs import frozen
from sqlalchemy.orm import Session

from backends import target_on
from compiler.compilation import Options
from compiler.compilation.listener import each_here
from compiler.words.estimator_names import ERROR, MAX_ITERATES, ROUND_SHOTS
from compiler.words.plurals import how_many
from games.trick_taking.advice.adviser import Advice, choices_of
from games.trick_taking.advice.measuring import CardEstimate, Measured, game_after
from games.trick_taking.advice.shares import Estimate
from games.trick_taking.rules.setup import Setup
from service.cli.advise.options import SHOTS, Measurement
from service.cli.estimate.ready import ReadyEstimate, hand_over_estimate, ready_estimate
from service.cli.output.printing import say
from service.cli.output.progress import backend_progress
from service.cli.queue.sending import batch_of, finish_batch
from workers.batches.submitting import least_cost_of
from workers.compilation.orders import CompileOrder
from workers.estimation.request import Estimation
from workers.jobs.request import Submission
from workers.jobs.submission import checked
from workers.jobs.without_queue import check_account
from workers.records.database import open_database
from workers.settings import exact_usd, settings

CONFIDENCE = 0.95


@frozen(eq=False)
class CardEstimates:
    """Checked estimates of all cards, before the first one begins.

    Args:
        measurement: options of the estimates.
        estimates: by card, as places in the deck, each with its job.
    """

    measurement: Measurement
    estimates: Mapping[int, tuple[ReadyEstimate, Submission]]

    @classmethod
    def of(cls, game: Setup, measurement: Measurement, seed: int) -> "CardEstimates":
        """Return the estimates of all legal cards.

        Raises:
            GameError: if a card ends the game, or the hand is not known.
            InputError: if a number is out of its range.
        """
        options, estimator = measurement, measurement.estimator
        assert estimator is not None, "only estimates are prepared"
        request = Estimation(
            "win",
            estimator,
            ERROR if options.error is None else options.error,
            CONFIDENCE,
            ROUND_SHOTS if options.shots is None else options.shots,
            MAX_ITERATES if options.most_iterates is None else options.most_iterates,
        )
        estimates = {}
        for card in choices_of(game):
            estimate = ready_estimate(
                game_after(game, card), request, options.backend, Options("fast", seed=seed)
            )
            job = checked(estimate.submission(options.tag, options.max_cost))
            estimates[card] = estimate, job
        return cls(measurement, estimates)

    def measured(self, advice: Advice) -> Measured:
        """Estimate one card after the other, or hand all to the workers."""
        first, _ = next(iter(self.estimates.values()))
        jobs, chances, gates, efforts = {}, {}, {}, {}
        for number, card in enumerate(advice.cards, start=1):
            estimate, job = self.estimates[card]
            name = advice.game.deck[card]
            if self.measurement.queue:
                jobs[card], _ = hand_over_estimate(estimate, job, "")
                say(f"{name}: job {jobs[card]}")
                continue
            say(f"{name}, card {number} of {len(advice.cards)}: estimated on {estimate.backend}")
            done = estimate.estimated_here(job)
            result, jobs[card], gates[card] = done.result, done.job.id, done.own
            chance = advice.own(Estimate(result.estimate, result.low, result.high))
            say(
                f"{name}: P(win) on {estimate.backend} {chance.value:.3f} "
                f"({chance.low:.3f} to {chance.high:.3f}) by {how_many(result.calls, 'call')} in "
                f"{how_many(result.shots, 'shot')}"
            )
            chances[card] = chance
            efforts[card] = CardEstimate(
                result.reached, result.calls, estimate.sampling, result.shots, result.circuits,
                result.deepest, done.iterate, tuple(done.verified),
            )  # fmt: skip
        return Measured(
            first.backend,
            first.asked.shots,
            chances,
            jobs,
            gates,
            self.measurement.estimator,
            first.asked.error,
            efforts,
        )


def measuring(position: Setup, options: Measurement, seed: int) -> Callable[[Advice], Measured]:
    """Return the function that measures each card, its options checked before it is called."""
    backend = options.backend
    target_on(backend)
    if options.estimator is None or not options.queue:
        check_account(backend)
    if options.estimator is not None:
        return CardEstimates.of(position, options, seed).measured
    target, compiler = target_on(backend, ""), Options("fast", seed=seed)
    orders = (
        CompileOrder(game_after(position, card), target, compiler) for card in choices_of(position)
    )
    shots = options.shots or SHOTS
    return partial(_counted, [checked(Submission(each, backend, shots, seed)) for each in orders])


def _counted(runs: Sequence[Submission], advice: Advice) -> Measured:
    """Run the circuits of all cards as one job, of one provider job where circuits share one."""
    backend, shots = runs[0].backend, runs[0].shots
    key, batch = batch_of(runs, ())
    if cost := least_cost_of(batch):
        say(f"{batch.name}: costs at least {exact_usd(cost)} USD")
    with Session(open_database(settings().database)) as session, backend_progress():
        _, jobs = finish_batch(session, key, batch, None, each_here)
        chances, numbers, gates = {}, {}, {}
        for card, job in zip(advice.cards, jobs, strict=True):
            # Shots without an outcome count as lost by the party.
            win = job.scored["raw"].observables["win"]
            two_qubit_gates = job.compiled.chosen.two_qubit_gates
            assert win.measured is not None, "each shot counts"
            assert win.low is not None
            assert win.high is not None
            assert two_qubit_gates is not None, "the circuit of a run has been lowered"
            chances[card] = advice.own(Estimate(win.measured, win.low, win.high))
            numbers[card], gates[card] = job.id, two_qubit_gates
        return Measured(backend, shots, chances, numbers, gates)
