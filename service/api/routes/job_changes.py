"""Changes of jobs, one or many: `POST /jobs/{id}/cancel`, `POST /jobs/cancel` and others."""

from collections.abc import Callable, Sequence

from fastapi import APIRouter
from sqlalchemy.orm import Session

from compiler.errors import InputError
from service.api.auth import TheCaller, guarded_router
from service.api.dependencies import TheService
from service.api.errors import refusals
from service.api.requests import Many
from service.api.routes.jobs import UNKNOWN, Id, own_job
from service.results.jobs.submission import ChangedJob, ManyChangedJobs, RefusedJob
from workers.accounts.tokens import Scope
from workers.jobs.control import (
    CANCELLABLE,
    RETRIABLE,
    Chosen,
    cancel,
    rescore,
    retry,
    to_cancel,
    to_each,
    to_retry,
)
from workers.jobs.states import State
from workers.queue.worker import queue_of_job
from workers.records.tables import Job

router: APIRouter = guarded_router(Scope.CANCEL)

CHANGES = {
    "cancel": (cancel, "Cancel a job, also at its provider"),
    "retry": (retry, "Retry a failed or cancelled job"),
    "rescore": (rescore, "Score a job again from its raw result"),
}


def _offer(name: str, change: Callable[[Session, int], Job], summary: str) -> None:
    @router.post(
        f"/jobs/{{job_id}}/{name}",
        name=f"{name}_job",
        summary=summary,
        responses=UNKNOWN | refusals({409: "The state of the job does not allow this change"}),
    )
    def change_job(job_id: Id, service: TheService, caller: TheCaller) -> ChangedJob:
        with service.writing() as session:
            own_job(session, caller, job_id)
            job = change(session, job_id)
            service.broker.tell(job.id, queue_of_job(job))
            return ChangedJob.of(job)


for _name, (_change, _summary) in CHANGES.items():
    _offer(_name, _change, _summary)

MAX_AT_ONCE = 1000
"""Jobs that one request changes, so that it has an answer within half a minute or so."""

MANY = {
    "cancel": (to_cancel, cancel, CANCELLABLE, "Cancel many jobs, the oldest first"),
    "retry": (to_retry, retry, RETRIABLE, "Retry many jobs, by default the failed ones"),
}


def _offer_for_many(
    name: str,
    choose: Callable[[Session, Chosen, int], tuple[int, list[int]]],
    change: Callable[[Session, int], Job],
    allowed: Sequence[State],
    summary: str,
) -> None:
    @router.post(
        f"/jobs/{name}",
        name=f"{name}_jobs",
        summary=summary,
        responses=refusals({400: "The body is not JSON", 413: "The request is too large"}),
    )
    def change_jobs(selection: Many, service: TheService, caller: TheCaller) -> ManyChangedJobs:
        """Change up to 1,000 jobs of a tag or state; `left` counts the remaining ones."""
        if selection.state is not None and selection.state not in allowed:
            raise InputError(f"state: must be one of {', '.join(allowed)}")
        default = [State.FAILED] if name == "retry" else allowed
        states = default if selection.state is None else [selection.state]
        chosen = Chosen(states, selection.tag, caller.sees)
        with service.reading() as session:
            number, jobs = choose(session, chosen, MAX_AT_ONCE)
        changed: list[ChangedJob] = []
        refused: list[RefusedJob] = []
        for job_id in jobs:
            # One at a time, so that others have their turns meanwhile.
            with service.writing() as session:
                done = to_each(session, [job_id], change)
                for job in done.changed:
                    service.broker.tell(job.id, queue_of_job(job))
                    changed.append(ChangedJob.of(job))
                refused += [RefusedJob(id=id_, detail=why) for id_, why in done.refused.items()]
        return ManyChangedJobs(jobs=changed, refused=refused, left=number - len(jobs))


for _many, _arguments in MANY.items():
    _offer_for_many(_many, *_arguments)
