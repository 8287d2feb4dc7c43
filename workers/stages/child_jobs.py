"""Child jobs: submitted once each, by keys that follow from the parent's.

A parent job keeps nothing between two looks but its child jobs' rows. An estimator or a training
requests the same runs again for the same counts, up to the first run that has not ended. So a
worker that dies loses nothing, and nothing is run, or paid for, twice.
"""

from collections.abc import Sequence

from attrs import define, evolve, field, frozen

from compiler.errors import StichwerkError
from workers.compilation.orders import CompileOrder
from workers.jobs.journal import note
from workers.jobs.lookup import keyed_job, round_key
from workers.jobs.request import Submission, recorded_key
from workers.jobs.states import FINAL, State
from workers.jobs.submission import MAX_SEED, checked, submit
from workers.records.tables import Job
from workers.stages.context import StageContext


class OpenChildError(StichwerkError):
    """A child job has not ended yet."""


class FailedChildError(StichwerkError):
    """A child job has failed or was cancelled, and its parent needs its result."""


@frozen
class ChildRun:
    """A run that follows from the results of earlier ones.

    Args:
        order: of its circuit.
        shots: of the run.
        detail: description for the parent's events.
    """

    order: CompileOrder
    shots: int
    detail: str


def child_job(context: StageContext, submission: Submission, place: int, detail: str) -> Job:
    """Return the child job at a place, submitted unless it is recorded.

    Args:
        context: of the parent job.
        submission: without the values that the parent decides.
        place: of the job among the parent's.
        detail: description for the parent's events.
    """
    session, parent = context.session, context.job
    key = recorded_key(submission.idempotency_key or "", parent.token_id)
    recorded = keyed_job(session, key)
    if recorded is not None:
        return recorded
    context.lease.require()
    ready = checked(
        evolve(
            submission,
            token_id=parent.token_id,
            parent_id=parent.id,
            provider_key=round_key(parent.key, place),
        )
    )
    note(session, parent, detail)
    (job,) = submit(session, context.settings, ready, due=parent.due_at is not None)
    return job


@define
class ChildRuns:
    """Runs of an estimation or a training, one call after the other.

    Args:
        context: of the parent job.
    """

    context: StageContext
    _place: int = field(default=0, init=False)

    def ended(self, runs: Sequence[ChildRun]) -> list[Job]:
        """Return the jobs of runs that do not depend on each other, all of them done.

        Raises:
            OpenChildError: if one is not; all of them are under way then.
            FailedChildError: if one never will be.
        """
        first = self._place
        self._place += len(runs)
        jobs = [self._job(run, place) for place, run in enumerate(runs, start=first)]
        for place, job in enumerate(jobs, start=first):
            if job.state in FINAL and job.state != State.DONE:
                why = f": {job.error}" if job.error else ""
                raise FailedChildError(f"round {place + 1}, job {job.id}, is {job.state}{why}")
        for place, job in enumerate(jobs, start=first):
            if job.state != State.DONE:
                raise OpenChildError(f"round {place + 1}, job {job.id}, is {job.state}")
        return jobs

    def _job(self, run: ChildRun, place: int) -> Job:
        parent = self.context.job
        submission = Submission(
            run.order,
            parent.backend,
            run.shots,
            (parent.seed + place) & MAX_SEED,
            tag=parent.tag,
            idempotency_key=f"{parent.kind}-{parent.id}-{place}",
            run_options=parent.run_options,
        )
        return child_job(self.context, submission, place, f"round {place + 1}: {run.detail}")
