"""Jobs that ask for rounds: led to their end by whatever knows what the rounds are."""

from collections.abc import Callable, Mapping

from workers.batches.leading import run_batch
from workers.jobs.journal import Passed, move, wait
from workers.jobs.states import State
from workers.stages.context import StageContext
from workers.stages.estimating import estimate
from workers.stages.rounds import OpenRoundError
from workers.stages.training import train

ASKS: Mapping[str, Callable[[StageContext], None]] = {
    "estimate": estimate,
    "training": train,
    "batch": run_batch,
}
"""What asks for the rounds of a job, and records what came of them, by `Job.kind_of_rounds`."""


def lead(context: StageContext) -> bool:
    """Take a job with rounds as far as its rounds have come."""
    session, job = context.session, context.job
    assert job.kind_of_rounds is not None
    if job.state == State.QUEUED:
        move(session, job, State.RUNNING, by=Passed(State.SUBMITTING))
    try:
        ASKS[job.kind_of_rounds](context)
    except OpenRoundError:
        wait(session, job, context.settings.poll_seconds)
        return False
    job.error = None
    move(session, job, State.DONE, by=Passed(State.SCORING))
    return False
