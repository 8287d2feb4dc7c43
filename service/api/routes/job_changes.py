"""Changes of a job: `POST /jobs/{id}/cancel` and others."""

from collections.abc import Callable

from fastapi import APIRouter
from sqlalchemy.orm import Session

from service.api.dependencies import TheCaller, TheService, guarded_router
from service.api.errors import refusals
from service.api.routes.jobs import UNKNOWN, Id, own_job
from service.results.jobs.submission import ChangedJob
from workers.accounts.tokens import Scope
from workers.jobs.control import cancel, rescore, retry
from workers.queue.worker import queue_of_job
from workers.records.tables import Job

router: APIRouter = guarded_router(Scope.CANCEL)

CHANGES = {
    "cancel": (cancel, "Cancel a job, also at its provider"),
    "retry": (retry, "Retry a failed or cancelled job"),
    "rescore": (rescore, "Recompute the scores of a job from its raw result"),
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
