"""Jobs that ask for rounds: led to their end by whatever knows what the rounds are."""

from collections.abc import Callable, Mapping

from workers.batches.leading import run_batch
from workers.jobs.journal import Passed, move, wait
from workers.jobs.states import JobKind, State
from workers.stages.context import StageContext
from workers.stages.estimating import estimate
from workers.stages.rounds import OpenRoundError
from workers.stages.training import train

LEADERS: Mapping[JobKind, Callable[[StageContext], None]] = {
    JobKind.ESTIMATION: estimate,
    JobKind.TRAINING: train,
    JobKind.BATCH: run_batch,
}
"""Functions that submit child jobs and record the parent's result, by the parent's kind."""


def lead(context: StageContext) -> bool:
    """Take a job with rounds as far as its rounds have come."""
    session, job = context.session, context.job
    if job.state == State.QUEUED:
        move(session, job, State.RUNNING, by=Passed(State.SUBMITTING))
    try:
        LEADERS[JobKind(job.kind)](context)
    except OpenRoundError:
        wait(session, job, context.settings.poll_seconds)
        return False
    job.error = None
    move(session, job, State.DONE, by=Passed(State.SCORING))
    return False
