"""The command `advise`."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from attrs import frozen

from backends import target_on
from compiler.compilation import Options
from compiler.words.estimator_names import ERROR, MOST_ITERATES, ROUND_SHOTS
from compiler.words.plurals import how_many
from games import DEFAULT_ENCODING
from games.sources import Source
from games.training import CircuitRun
from games.trick_taking.advice.adviser import Advice, advise, choices_of
from games.trick_taking.advice.effort import Effort
from games.trick_taking.advice.measuring import CardEstimate, Measured, game_after, measured
from games.trick_taking.advice.panels import panels, recommendation
from games.trick_taking.advice.picture import picture
from games.trick_taking.advice.review import Review, reviewed
from games.trick_taking.advice.review_panels import review_panels, review_picture
from games.trick_taking.advice.shares import Estimate
from games.trick_taking.advice.source import Announced, position_of, whole_record
from games.trick_taking.rules.setup import Setup
from service.cli.advise.options import (
    SHOTS,
    EveryMove,
    Game,
    Measurement,
    RecordGame,
    RecordMove,
    announced_options,
    effort_options,
    measurement_options,
)
from service.cli.compiling.recorded import run_game
from service.cli.estimate.ready import ReadyEstimate, hand_over, ready_estimate
from service.cli.options import Json, Plot
from service.cli.output.first_time import say_if_first
from service.cli.output.panels import on_figure, write_result
from service.cli.output.plots import plot_path
from service.cli.output.printing import say
from service.cli.program_argument import read_source
from service.results.games.advice import CardsAdvice, GameReview
from workers.estimation.oracle import local_backend
from workers.jobs.request import Submission
from workers.jobs.submission import checked
from workers.jobs.without_queue import check_account


@effort_options
@announced_options
@measurement_options
def advise_command(
    *,
    source: Game,
    game: RecordGame = 1,
    move: RecordMove = 0,
    every_move: EveryMove = False,
    effort: Effort,
    announced: Announced,
    measurement: Measurement,
    plot: Plot = "",
    as_json: Json = False,
) -> int:
    """Advise which card to play in a game of tricks: superposed, measured, and with open cards.

    Superposed: everybody plays any legal card, which is what the circuits do. With open cards:
    all see all cards and play at their best; in a game of Skat also the expected game value.
    With an estimator the exit code is 1 if an interval stays wider than requested.

    Examples:
    - `stichwerk advise skat-9`

    - `stichwerk advise examples/advice-ten-cards.toml --contract "S hand" --plot advice.png`

    - `stichwerk advise skat-9 --backend sparse --shots 2000`

    - `stichwerk advise examples/two-cards.toml --backend sparse --estimator bayesian --error 0.02`

    - `stichwerk advise games.sgf --game 3 --move 10`

    - `stichwerk advise games.sgf --game 3 --every-move --seconds 2 --plot game.png`
    """
    path = plot_path(plot)
    given = read_source(source)
    measurement.check()
    if every_move:
        announced.refuse(given)
        record = whole_record(given, game, move, measurement.backend)
        say_if_first("games")
        _write_review(reviewed(record, effort, say), path, as_json=as_json)
        return 0
    position, stakes, recorded = position_of(given, game, move, announced)
    measure = _measurement(position, measurement, effort.seed)
    say_if_first("games")
    advice = advise(position, effort, say, stakes)
    found = measure(advice)
    write_result(
        panels(advice, found, recorded),
        CardsAdvice.of(advice, effort.seed, recommendation(advice), found, recorded),
        path,
        on_figure(partial(picture, advice, found)),
        as_json=as_json,
    )
    return 0 if found is None or found.reached else 1


def _measurement(
    position: Setup, options: Measurement, seed: int
) -> Callable[[Advice], Measured | None]:
    """Return the function that measures each card, its options checked before it is called."""
    backend = options.backend
    if not backend:
        return lambda _: None
    target_on(backend)
    if options.estimator is not None:
        return CardEstimates.of(position, options, seed).measured
    check_account(backend)
    shots, compiler = options.shots or SHOTS, Options("fast", seed=seed)

    def run(source: Source) -> CircuitRun:
        return run_game(source, backend, shots, compiler)

    return lambda advice: measured(advice, backend, shots, run, say)


def _write_review(review: Review, path: Path | None, *, as_json: bool) -> None:
    messages = [
        [] if move.choice is None else recommendation(move.choice.advice) for move in review.moves
    ]
    write_result(
        review_panels(review),
        GameReview.of(review, messages),
        path,
        on_figure(partial(review_picture, review)),
        as_json=as_json,
    )


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
            InputError: if a number is out of its range, or the backend is not on this machine.
        """
        options, estimator = measurement, measurement.estimator
        assert estimator is not None, "only estimates are prepared"
        if not options.queue:
            local_backend(options.backend)
        estimates = {}
        for card in choices_of(game):
            estimate = ready_estimate(
                game_after(game, card),
                encoding=DEFAULT_ENCODING,
                observable="win",
                estimator=estimator,
                error=ERROR if options.error is None else options.error,
                confidence=CONFIDENCE,
                backend=options.backend,
                target="",
                shots=ROUND_SHOTS if options.shots is None else options.shots,
                most_iterates=(
                    MOST_ITERATES if options.most_iterates is None else options.most_iterates
                ),
                options=Options("fast", seed=seed),
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
                jobs[card] = hand_over(estimate, job, "")
                say(f"{name}: job {jobs[card]}")
                continue
            say(f"{name}, card {number} of {len(advice.cards)}: estimated on {estimate.backend}")
            chances[card], gates[card], efforts[card] = _estimated(advice, card, estimate)
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


def _estimated(
    advice: Advice, card: int, ready: ReadyEstimate
) -> tuple[Estimate, int, CardEstimate]:
    """Return the chance of a card, its circuit's two-qubit gates, and the effort."""
    found = ready.asked_here(say)
    estimate = found.estimate
    chance = advice.own(Estimate(estimate.value, estimate.low, estimate.high))
    say(
        f"{advice.game.deck[card]}: P(win) on {ready.backend} {chance.value:.3f} "
        f"({chance.low:.3f} to {chance.high:.3f}) by {how_many(estimate.calls, 'call')} in "
        f"{how_many(estimate.shots, 'shot')}"
    )
    effort = CardEstimate(
        reached=estimate.reached,
        calls=estimate.calls,
        sampling_calls=ready.sampling,
        shots=estimate.shots,
        circuits=estimate.circuits,
        deepest=estimate.deepest,
        iterate_two_qubit_gates=found.iterate,
        verified=tuple(found.verified),
    )
    return chance, found.own, effort
