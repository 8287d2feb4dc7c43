"""What is done to jobs: `POST /jobs/{id}/cancel`, `/retry` and `/rescore`."""

from collections.abc import Callable

from fastapi import APIRouter
from sqlalchemy.orm import Session

from service.api.answers import Changed, Problem
from service.api.guard import TheCaller, guarded_router
from service.api.looking import UNKNOWN, Id, own_job
from service.api.service import TheService
from workers.advance import queue_of_job
from workers.control import cancel, rescore, retry
from workers.records import Job
from workers.tokens import Scope

router: APIRouter = guarded_router(Scope.CANCEL)

CHANGES = {
    "cancel": (cancel, "Cancel a job, also at its provider; a worker does that"),
    "retry": (retry, "Let a job that failed go on; a new one, if its provider ended it"),
    "rescore": (rescore, "Let a job's scores be computed again from its raw result"),
}


def _offer(name: str, change: Callable[[Session, int], Job], summary: str) -> None:
    @router.post(
        f"/jobs/{{job_id}}/{name}",
        name=f"{name}_job",
        summary=summary,
        responses=UNKNOWN
        | {409: {"model": Problem, "description": "Its state does not allow that"}},
    )
    def change_job(job_id: Id, service: TheService, caller: TheCaller) -> Changed:
        with service.writing() as session:
            own_job(session, caller, job_id)
            job = change(session, job_id)
            service.broker.tell(job.id, queue_of_job(job))
            return Changed(
                id=job.id,
                state=job.state,
                cancel_requested=job.cancel_requested,
                retry_of=job.retry_of,
            )


for _name, (_change, _summary) in CHANGES.items():
    _offer(_name, _change, _summary)
