"""The command `jobs`."""

from collections.abc import Sequence
from time import sleep
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text
from sqlalchemy.orm import Session

from compiler.errors import InputError, meant
from compiler.words.machine_names import machine_of
from service.cli.options import Json, ServiceDatabase
from service.cli.output import printing
from service.cli.queue.existing_jobs import JobId, existing_records, job_number
from service.results.jobs.details import JobDetails, JobList, JobRow
from service.results.jobs.tables import cost_words, fidelity_words, job_tables, result_line, words
from workers.accounts.tokens import lifetime
from workers.clock import database_now
from workers.jobs.lookup import find_job
from workers.jobs.states import FINAL, State, queue_of
from workers.queue.fairness import is_local
from workers.queue.heartbeats import listeners, nobody_listens, runners
from workers.records.database import address_of
from workers.records.queries.jobs import JobFilter, jobs_page
from workers.records.tables import Job, now


def jobs_command(
    *,
    state: str = "",
    tag: str = "",
    backend: Annotated[str, typer.Option("--backend", "-b")] = "",
    quarantined: bool = False,
    parent: Annotated[int | None, typer.Option(metavar="JOB", min=1, max=2**31 - 1)] = None,
    since: str = "",
    limit: Annotated[int, typer.Option(min=1, max=100_000)] = 50,
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> None:
    """List jobs, newest first.

    Example: `stichwerk jobs --state failed --since 7d`

    Options:
        state: Only this state: {State}.
        tag: Only jobs with this tag.
        backend: Only jobs of this backend.
        quarantined: Only jobs in quarantine, with the reason.
        parent: Only the child jobs of this job, which are hidden by default.
        since: Only jobs submitted in the last 30m, 12h, 7d.
        limit: Maximum number of jobs.
    """
    if state and state not in set(State):
        raise InputError(f"unknown state '{state}'; {meant(state, State)}")
    span = lifetime(since) if since else None
    with Session(existing_records(database)) as session:
        wanted = JobFilter(
            state=State(state) if state else None,
            tag=tag or None,
            backend=backend or None,
            since=None if span is None else now() - span,
            quarantined=quarantined,
            parent=parent,
        )
        rows, _ = jobs_page(session, wanted, limit=limit)
        page = JobList(jobs=[JobRow.of(row) for row in rows])
        where = address_of(session.get_bind().engine)
    printing.print_result(
        page,
        lambda page: print_jobs(page.jobs, limit, where, quarantined=quarantined),
        as_json=as_json,
    )


def print_jobs(
    page: Sequence[JobRow], limit: int, where: str, *, quarantined: bool = False
) -> None:
    """Write a page of jobs as a table that fits the terminal.

    Args:
        page: the jobs.
        limit: how many there are at most.
        where: the database.
        quarantined: whether to say why they are in quarantine, instead of their errors.
    """
    if not page:
        print(f"no jobs to list in {where}")
        return
    why = "quarantined" if quarantined else "error"
    printing.print_table(
        f"Jobs, the newest first (at most {limit}; times in UTC)",
        ("job", "state", "child jobs", "fidelity", "program", "backend", "shots", "cost (USD)",
         "tag", "submitted", "target", why),
        [
            (row.id, words(row.state),
             f"{row.rounds_done}/{row.rounds_begun}" if row.rounds_begun else "",
             fidelity_words(row), row.program,
             machine_of(row.backend), row.shots, cost_words(row), row.tag,
             f"{row.created_at:%m-%d %H:%M}", machine_of(row.target),
             " ".join((getattr(row, why) or "").split()))
            for row in page
        ],
        printing.terminal_width(),
        ("child jobs", "shots", "cost (USD)", "tag", "submitted", "target"),
    )  # fmt: skip


LOOK_SECONDS = 0.25


def job_command(
    *,
    job: JobId,
    watch: bool = False,
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> int:
    """Show a job's state, stages, times and costs.

    With --watch the exit code is 0 if the job ends as done, else 1.

    Example: `stichwerk job 12 --watch`

    Options:
        watch: Follow the job until it ends.
    """
    number = job_number(job, "job")
    with Session(existing_records(database)) as session:
        details = (
            follow_job(session, number)
            if watch
            else JobDetails.of_job(session, find_job(session, number))
        )
    if as_json:
        printing.print_json(details)
    else:
        print(f"Job {details.id}")
        printing.print_tables(job_tables(details), printing.terminal_width())
    if watch:
        printing.say(result_line(details))
    return int(watch and details.state != State.DONE)


def follow_job(session: Session, job_id: int) -> JobDetails:
    """Report a job's events on stderr until it has ended, and return all of it.

    On a terminal its last line is updated with the stage, the seconds since it began, and the
    progress of the compilation or of the child jobs.
    """
    shown, shown_missing = 0, ""
    with Console(stderr=True, highlight=False).status("") as line:
        while True:
            row = find_job(session, job_id)
            details = JobDetails.of_job(session, row)
            if len(details.events) > shown:
                shown = _say_events(details, shown)
            if row.state in FINAL:
                return details
            if (missing := _nobody_listens(session, row)) != shown_missing:
                shown_missing = missing
                if missing:
                    printing.say(missing)
            line.update(Text(_progress(details), no_wrap=True, overflow="ellipsis"))
            session.rollback()
            sleep(LOOK_SECONDS)


def _progress(details: JobDetails) -> str:
    """Return the stage of a job that has not ended, since when it lasts, and how far it is."""
    seconds = details.stages[-1].seconds or 0
    parts = f"{details.rounds_done} of {details.rounds_begun} child jobs done"
    progress = details.progress or (parts if details.rounds_begun else "")
    return printing.printable(
        f"{words(details.state)}, {seconds:.0f} s" + (progress and f": {progress}")
    )


def _nobody_listens(session: Session, job: Job) -> str:
    """Return the hint that a job's queue has no worker; empty if it has one.

    A worker that holds the job exists, also if its version writes no heartbeats.
    """
    queue = queue_of(State(job.state), local=is_local(job.backend))
    held = job.lease_until is not None and job.lease_until > database_now(session)
    if queue is None or held or listeners(runners(session))[queue]:
        return ""
    return nobody_listens(queue)


def _say_events(details: JobDetails, shown: int) -> int:
    place = details.queue_position
    for event in details.events[shown:]:
        number = f" (place {place} in the provider's queue)" if place else ""
        detail = f": {event.detail}" if event.detail else ""
        printing.say(f"{event.at:%H:%M:%S} {words(event.state)}{number}{detail}")
    return len(details.events)
