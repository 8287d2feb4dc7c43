"""The command `estimate`: the probability of an event, with fewer runs than sampling takes."""

from time import perf_counter
from typing import Annotated

import typer

from compiler.compilation import Options
from compiler.errors import InputError
from compiler.words import estimator_names
from compiler.words.held_inputs import count_text
from games import DEFAULT_ENCODING
from service.cli.compile_options import Encoding, MaxCost, Method
from service.cli.devices import Backend, BackendTarget
from service.cli.estimate.plot import draw_estimate
from service.cli.estimate.ready import Estimated, ReadyEstimate, hand_over_estimate, ready_estimate
from service.cli.options import Details, HandOver, Json, Seed, ServiceDatabase, Tag
from service.cli.output.plots import Plot, write_figure
from service.cli.output.printing import print_result, print_table, say
from service.cli.program_argument import Program, read_source
from service.cli.queue.sending import print_submitted
from service.results.jobs.estimates import EstimateResult
from workers.estimation.request import Estimation
from workers.jobs.states import State
from workers.jobs.submission import checked
from workers.jobs.without_queue import check_account


def estimate_command(
    *,
    program: Program,
    observable: str = "",
    estimator: estimator_names.EstimatorName = estimator_names.EstimatorName.BAYESIAN,
    error: float = estimator_names.ERROR,
    confidence: float = 0.95,
    backend: Backend = "aer",
    target: BackendTarget = "",
    shots: int = estimator_names.ROUND_SHOTS,
    most_iterates: int = estimator_names.MAX_ITERATES,
    together: Annotated[
        int | None,
        typer.Option(show_default=f"{estimator_names.PROVIDER_ROUNDS} at a provider, otherwise 1"),
    ] = None,
    encoding: Encoding = DEFAULT_ENCODING,
    method: Method = "fast",
    seed: Seed = 0,
    queue: HandOver = False,
    tag: Tag = "",
    max_cost: MaxCost = "",
    database: ServiceDatabase = "",
    plot: Plot = None,
    details: Details = False,
    as_json: Json = False,
) -> int | None:
    """Estimate the probability of an event, or a mean, by amplitude estimation.

    Each Grover iterate consists of the program's own gates, compiled and proven like any program.
    The command first prints the expected effort and its limits, then the estimate, the exact value,
    and the calls that sampling needs for the same error. An estimate is a job with child jobs. The
    exit code is 1 if the interval is wider than requested.

    Examples:
    - `stichwerk estimate skat-4 --encoding lean --observable win`

    - `stichwerk estimate skat-4 --encoding lean --observable points --error 0.5`

    - `stichwerk estimate skat-4 --encoding lean --estimator counting --error 0.2`

    - `stichwerk estimate skat-4 --encoding lean --backend aer:boston`

    - `stichwerk estimate skat-4 --encoding lean --queue --backend ibm:boston --max-cost 20USD`

    Options:
        observable: Event whose probability is estimated, by default the program's first event; or
            number whose expected value is estimated, such as points.
        estimator: {estimator_names.ESTIMATORS}.
        error: Requested half width of the interval; for a number, in its units.
        confidence: Confidence of the interval.
        shots: Shots of each round.
        most_iterates: Maximum number of Grover iterates in a circuit; not for counting, which uses
            2^t − 1 with t = ⌈log2(1/(2 · error))⌉ bits of phase.
        together: Maximum number of rounds chosen at once; at a provider they are one job.
    """
    started = perf_counter()
    request = Estimation(observable, estimator, error, confidence, shots, most_iterates)
    ready = ready_estimate(
        read_source(program), request, backend, Options(method, seed=seed), target=target,
        encoding=encoding, together=together,
    )  # fmt: skip
    submission = checked(ready.submission(tag, max_cost))
    if queue:
        if plot is not None:
            raise InputError("--queue: leave out --plot, and draw it with 'stichwerk result'")
        # There is always one round; the number of further ones depends on the counts.
        job, cost = hand_over_estimate(ready, submission, database)
        print_submitted({job: State.QUEUED}, [job], cost, as_json=as_json)
        return None
    check_account(backend)
    estimated = ready.estimated_here(submission, database)
    if plot is not None:
        write_figure(draw_estimate(estimated.job), plot)
    result = _result(ready, estimated, perf_counter() - started)
    print_result(result, print_estimate, as_json=as_json, details=details)
    if plot is not None:
        say(f"written to {plot}")
    return None if result.reached else 1


def _result(ready: ReadyEstimate, estimated: Estimated, seconds: float) -> EstimateResult:
    planned, own, iterate = ready.planned, estimated.own, estimated.iterate
    return EstimateResult.from_objects(
        estimated.result,
        estimated,
        ready.asked,
        ready,
        program=ready.program.name,
        seed=ready.options.seed,
        planned=planned.expected,
        never_beyond=planned.limits,
        classical_calls=ready.sampling,
        program_two_qubit_gates=own,
        iterate_two_qubit_gates=iterate,
        iterate_in_programs=iterate / own if own else None,
        seconds=seconds,
    )


def print_estimate(result: EstimateResult) -> None:
    """Print an estimate beside the exact value, and the effort beside that of sampling."""
    low, high, from_zero = result.low, result.high, result.from_zero
    print(
        f"{result.title} of {result.program} on {result.backend} is {result.estimate:.5f} "
        f"({result.confidence:.0%}: {low:.5f} to {high:.5f}), exact {result.exact:.5f}; "
        f"{result.calls:,} calls of the program, sampling needs {result.classical_calls:,}."
    )
    if not result.reached:
        half = (high - low) / 2
        print(f"Wider than requested: ±{half:.5f} instead of ±{result.error:g}.")
    if not low <= result.exact <= high:
        print("The exact value is outside: noise that the estimator does not model, or chance.")
    print_table(
        f"{result.encoding} encoding, {result.estimator} estimation",
        ("circuits", "shots", "deepest, in iterates", "two-qubit gates", "added by an iterate",
         "proofs"),
        [
            (
                result.circuits, result.shots, result.deepest,
                count_text(result.program_two_qubit_gates, from_zero=from_zero),
                count_text(result.iterate_two_qubit_gates, from_zero=from_zero),
                ", ".join(result.verified),
            )
        ],
    )  # fmt: skip
