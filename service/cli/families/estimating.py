"""Estimates that commands of families ask for, by what the command `estimate` does."""

from compiler.compilation import Options
from games import DEFAULT_ENCODING
from games.commands import AskedEstimate, Estimated, ReadyEstimate
from games.sources import Source
from service.cli.estimate import ready as estimates
from service.cli.estimate.handing_over import hand_over
from service.cli.output.printing import say
from workers.estimation.oracle import local_backend
from workers.jobs.submission import checked

CONFIDENCE = 0.95


def ready(asked: AskedEstimate) -> ReadyEstimate:
    """Return an estimate that can be begun.

    Raises:
        InputError: if a name or a number cannot be, or the backend cannot be asked here.
    """
    run = asked.run
    if not asked.by_workers:
        local_backend(run.backend)
    one = estimates.ready_estimate(
        Source(run.name, run.document.encode()),
        encoding=DEFAULT_ENCODING,
        observable=asked.observable,
        estimator=asked.estimator,
        error=asked.error,
        confidence=CONFIDENCE,
        backend=run.backend,
        target="",
        shots=run.shots,
        most_iterates=asked.most_iterates,
        options=Options("fast", seed=run.seed, pipelines=run.pipelines),
    )
    job = checked(one.submission(asked.tag, asked.max_cost))
    return ReadyEstimate(lambda: _found(one), lambda: hand_over(one, job, ""))


def _found(one: estimates.ReadyEstimate) -> Estimated:
    found = one.asked_here(say)
    estimate = found.estimate
    return Estimated(
        value=estimate.value,
        low=estimate.low,
        high=estimate.high,
        reached=estimate.reached,
        calls=estimate.calls,
        sampling_calls=one.sampling,
        shots=estimate.shots,
        circuits=estimate.circuits,
        deepest=estimate.deepest,
        two_qubit_gates=found.own,
        iterate_two_qubit_gates=found.iterate,
        verified=found.verified,
    )
