"""`POST /jobs`."""

from typing import Annotated

from fastapi import Header, Response

from backends.devices.reading import LIVE
from compiler.errors import InputError
from service.api.dependencies import TheCaller, TheService, guarded_router
from service.api.errors import refusals
from service.api.requests import JobRequest
from service.results.jobs.submission import AcceptedJobs, JobLinks
from workers.accounts.tokens import Scope
from workers.jobs.request import FIELDS, Submission
from workers.jobs.states import Queue
from workers.jobs.submission import check_recompilation, least_cost_usd, submit

router = guarded_router(Scope.SUBMIT)

LONGEST_KEY = 128


@router.post(
    "/jobs",
    status_code=202,
    summary="Submit jobs",
    responses=refusals(
        {
            409: "The idempotency key was used for other jobs",
            413: "The request is too large",
            429: "Too many unfinished jobs of the token",
        }
    ),
)
def submit_jobs(
    submitted: JobRequest,
    service: TheService,
    caller: TheCaller,
    response: Response,
    idempotency_key: Annotated[
        str | None,
        Header(
            min_length=1,
            max_length=LONGEST_KEY,
            pattern=r"^[!-~]+$",
            description="Requests with the same key create the same jobs only once",
        ),
    ] = None,
) -> AcceptedJobs:
    """Record jobs and respond at once; workers compile, run and score them.

    A program above the limits is rejected; `docs/settings.md` lists them.
    """
    set_ = service.settings
    if submitted.shots > set_.most_shots:
        raise InputError(f"shots = {submitted.shots}: must be from 1 to {set_.most_shots}")
    submission = Submission(
        service.inspector.settled(submitted.order(), submitted.backend, caller.token_id),
        idempotency_key=idempotency_key,
        token_id=caller.token_id,
        live=submitted.calibration == LIVE,
        max_calibration_hours=submitted.recompile_after_hours,
        **{name: value for name, value in submitted if name in FIELDS},
    )
    check_recompilation(submission)
    with service.writing() as session:
        ids = [job.id for job in submit(session, set_, submission)]
    for job_id in ids:
        service.broker.tell(job_id, Queue.COMPILE)
    response.headers["Location"] = f"/jobs/{ids[0]}"
    return AcceptedJobs(
        jobs=[JobLinks(id=i, job=f"/jobs/{i}", result=f"/jobs/{i}/result") for i in ids],
        least_cost_usd=least_cost_usd(submitted.backend, submitted.shots, submitted.repeat),
    )
