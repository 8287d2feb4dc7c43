"""`GET /jobs` and the routes below it."""

from collections.abc import Callable
from hashlib import sha256
from typing import Annotated, Any

from fastapi import Depends, Header, Path, Query, Response
from fastapi.responses import HTMLResponse, JSONResponse
from markupsafe import Markup
from sqlalchemy.orm import Session

from compiler.measurement import bitstrings
from service.api.dependencies import TheCaller, TheService, guarded_router
from service.api.errors import refusals
from service.api.requests import LARGEST_ID, Listed, PlainInteger
from service.pages.jobs import changes_of, job_html, jobs_table
from service.pages.tables import percent, table
from service.results.jobs.details import JobDetails, JobPage, JobRow
from service.results.jobs.runs import JobCounts, scores_of
from service.results.model import ResultModel
from workers.accounts.tokens import Caller, Scope
from workers.compilation.compiling import source_of
from workers.jobs.control import RefusedError
from workers.jobs.lookup import UnknownJobError, find_job
from workers.records.queries.jobs import JobFilter, jobs_page
from workers.records.tables import Job
from workers.scoring import counts_of

MAX_OUTCOMES = 20
"""Outcomes of a job that the page of jobs shows."""

UNCHANGED: dict[int | str, dict[str, Any]] = {
    304: {"description": "Unchanged since the response with this ETag"}
}
KnownTag = Annotated[str | None, Header(max_length=200, description="ETag of an earlier response")]


def unless_known(
    tagged: ResultModel, etags: str | None, respond: Callable[[], Response]
) -> Response:
    """Return a response with its entity tag, or 304 if the client has it.

    Args:
        tagged: The result that the tag depends on.
        etags: The header `If-None-Match`.
        respond: Returns the response.
    """
    text = tagged.model_dump_json()
    # Weak: two results with the same tag may differ in other parts.
    tag = f'W/"{sha256(text.encode()).hexdigest()[:32]}"'
    headers = {"ETag": tag, "Vary": "Accept, Authorization, Cookie"}
    if etags is not None and tag in (etag.strip() for etag in etags.split(",")):
        return Response(status_code=304, headers=headers)
    response = respond()
    response.headers.update(headers)
    return response


def _json(result: ResultModel) -> Response:
    return JSONResponse(result.model_dump(mode="json"))


def _timeless(details: JobDetails) -> JobDetails:
    """Return a job without the parts that change with time alone."""
    stages = [stage.model_copy(update={"seconds": None}) for stage in details.stages[-1:]]
    return details.model_copy(update={"stages": stages})


router = guarded_router(Scope.READ)

Id = Annotated[int, PlainInteger, Path(ge=1, le=LARGEST_ID)]
UNKNOWN = refusals({404: "Unknown job, or a job of another token"})
NONE_YET = UNKNOWN | refusals({409: "The job has no result"})


def own_job(session: Session, caller: Caller, job_id: int) -> Job:
    """Return a job of a caller.

    Raises:
        UnknownJobError: if there is none, or it belongs to another token: these look the same.
    """
    unknown = UnknownJobError(f"there is no job {job_id}")
    try:
        job = find_job(session, job_id)
    except UnknownJobError as error:
        raise unknown from error
    if caller.sees not in (None, job.token_id):
        raise unknown
    return job


def page_of(listed: Annotated[Listed, Query()], service: TheService, caller: TheCaller) -> JobPage:
    """Return a page of the jobs that a caller may see."""
    wanted = dict(listed)
    before, limit = wanted.pop("before"), wanted.pop("limit")
    with service.reading() as session:
        rows, more = jobs_page(
            session, JobFilter(**wanted, token_id=caller.sees), before=before, limit=limit
        )
    return JobPage(jobs=[JobRow.of(row) for row in rows], before=more)


ThePage = Annotated[JobPage, Depends(page_of)]


@router.get("/jobs", summary="List jobs", responses=UNCHANGED | {200: {"model": JobPage}})
def list_jobs(page: ThePage, if_none_match: KnownTag = None) -> Response:
    """List jobs, the newest first: the token's own, or all jobs with the scope `all`."""
    return unless_known(page, if_none_match, lambda: _json(page))


@router.get("/jobs/list", include_in_schema=False)
def show_list(page: ThePage, if_none_match: KnownTag = None) -> Response:
    """Return a list of jobs as a part of the page of jobs."""
    html = Markup('<div id="page" data-before="{}">{}</div>')
    return unless_known(
        page,
        if_none_match,
        lambda: HTMLResponse(html.format(page.before or "", jobs_table(page.jobs, live=True))),
    )


@router.get(
    "/jobs/{job_id}",
    summary="Show a job",
    responses=UNKNOWN | UNCHANGED | {200: {"model": JobDetails}},
)
def show_job(
    job_id: Id, service: TheService, caller: TheCaller, if_none_match: KnownTag = None
) -> Response:
    """Return a job's state, its stages with their times, and its events."""
    with service.reading() as session:
        details = JobDetails.of_job(session, own_job(session, caller, job_id))
    return unless_known(_timeless(details), if_none_match, lambda: _json(details))


@router.get("/jobs/{job_id}/panel", include_in_schema=False)
def show_panel(
    job_id: Id, service: TheService, caller: TheCaller, if_none_match: KnownTag = None
) -> Response:
    """Return a job as a part of the page of jobs."""
    with service.reading() as session:
        details = JobDetails.of_job(session, own_job(session, caller, job_id))
    changes = changes_of(details) if Scope.CANCEL in caller.scopes else ()

    def panel() -> Response:
        outcomes = None
        if details.different_outcomes is not None:
            outcomes = _outcomes(show_result(job_id, service, caller))
        return HTMLResponse(job_html(details, outcomes, changes=changes))

    return unless_known(_timeless(details), if_none_match, panel)


def _outcomes(measured: JobCounts) -> Markup:
    """Return the most frequent outcomes as a table."""
    meter = Markup('<meter min="0" max="1" value="{0:.4f}" aria-label="share"></meter> {1}')
    counts = measured.counts if measured.outcomes is None else measured.outcomes
    ranked = sorted(counts.items(), key=lambda item: -item[1])
    rows = [
        (outcome, shots, meter.format(shots / measured.shots, percent(shots / measured.shots)))
        for outcome, shots in ranked[:MAX_OUTCOMES]
    ]
    return table(
        f"{len(counts):,} outcomes, the most frequent", ("outcome", "shots", "share"), rows
    )


@router.get("/jobs/{job_id}/result", summary="Show a job's counts and scores", responses=NONE_YET)
def show_result(job_id: Id, service: TheService, caller: TheCaller) -> JobCounts:
    """Return the measured counts, and their scores against the exact distribution."""
    with service.reading() as session:
        job = own_job(session, caller, job_id)
        if job.counts is None:
            raise RefusedError(f"job {job_id} is {job.state} and has no counts")
        counts, scores, compiled = counts_of(job), scores_of(job), job.compiled
        source, encoding = source_of(compiled), compiled.encoding
    written = {str(measured): n for measured, n in counts.items()}
    reading = service.inspector.reading(source, encoding, written, caller.token_id)
    return JobCounts.from_objects(
        reading,
        job,
        counts=bitstrings(counts, reading.bits),
        scores=scores,
        unscored=compiled.unscored,
    )


@router.get(
    "/jobs/{job_id}/raw",
    summary="Download the provider's raw result",
    response_class=Response,
    responses=NONE_YET | {200: {"content": {"application/octet-stream": {}}}},
)
def show_raw(job_id: Id, service: TheService, caller: TheCaller) -> Response:
    """Return the provider's response unchanged; built-in simulators have none."""
    with service.reading() as session:
        job = own_job(session, caller, job_id)
        if job.provider_job.raw_result is None:
            raise RefusedError(f"job {job_id} is {job.state} and has no raw result of a provider")
        content = job.provider_job.raw_result
    name = f'attachment; filename="job-{job_id}.raw"'
    return Response(content, 200, {"Content-Disposition": name}, "application/octet-stream")
