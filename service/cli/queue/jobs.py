"""The commands that look at jobs: `jobs`, `job` and `result`."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from compiler.errors import InputError
from service.cli.options import Json, ServiceDatabase
from service.cli.output.files import write_output
from service.cli.output.printing import print_json, say
from service.cli.queue.existing_jobs import JobId, existing_records, job_number
from service.cli.queue.follow import watch as watched
from service.cli.queue.tables import print_job, print_jobs, result_line
from workers.jobs.lists import job_answer, jobs_page
from workers.jobs.lookup import find_job
from workers.jobs.states import State
from workers.records.tables import Job, now

UNITS = {"m": 60, "h": 3600, "d": 86_400}


def jobs_command(
    *,
    status: Annotated[str, typer.Option(help=f"Only these: {', '.join(State)}.")] = "",
    tag: Annotated[str, typer.Option(help="Only jobs with this tag.")] = "",
    backend: Annotated[str, typer.Option("--backend", "-b", help="Only for this backend.")] = "",
    quarantined: Annotated[
        bool,
        typer.Option("--quarantined", help="Only jobs that a person must look at; says why."),
    ] = False,
    since: Annotated[
        str, typer.Option(help="Only submitted since: 30m, 12h, 7d, or 2026-01-31.")
    ] = "",
    limit: Annotated[int, typer.Option(min=1, max=100_000, help="How many at most.")] = 50,
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> None:
    """List jobs, the newest first.

    Example: `stichwerk jobs --status failed --since 7d`
    """
    if status and status not in set(State):
        raise InputError(f"unknown status '{status}'; known: {', '.join(State)}")
    after = _since(since)
    with Session(existing_records(database)) as session:
        page = jobs_page(
            session,
            status=State(status) if status else None,
            tag=tag or None,
            backend=backend or None,
            since=after,
            quarantined=quarantined,
            limit=limit,
        )
    if as_json:
        print_json({"jobs": page})
        return
    print_jobs(page, limit, quarantined=quarantined)


def job_command(
    *,
    job: JobId,
    watch: Annotated[bool, typer.Option("--watch", help="Follow it until it has ended.")] = False,
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> int:
    """Show where a job is, what it has been through, and how long each stage took.

    With --watch the exit code is 0 if the job is done in the end, else 1.

    Example: `stichwerk job 12 --watch`
    """
    number = job_number(job, "job")
    with Session(existing_records(database)) as session:
        answer = (
            watched(session, number) if watch else job_answer(session, find_job(session, number))
        )
    if as_json:
        print_json(answer)
    else:
        print_job(answer)
    if watch:
        say(result_line(answer))
    return int(watch and answer["state"] != State.DONE)


def result_command(
    *,
    job: JobId,
    output: Annotated[
        str, typer.Option("--output", "-o", help="Write to this file instead of stdout.")
    ] = "",
    raw: Annotated[bool, typer.Option("--raw", help="What the provider sent, as it came.")] = False,
    database: ServiceDatabase = "",
) -> None:
    """Write a job's counts and scores as JSON, or what its provider sent.

    Example: `stichwerk result 12 -o counts.json`
    """
    number = job_number(job, "result")
    with Session(existing_records(database)) as session:
        row = find_job(session, number)
        content = _result(row, raw)
        if row.error:
            say(f"job {number} is {row.state}: {row.error}")
    if not output:
        print(content.decode(errors="replace"), end="")
        return
    write_output("output", Path(output), content)
    say(f"written to {output}")


def _result(job: Job, raw: bool) -> bytes:
    from service.cli.output.answers import job_answer as result_answer

    why = f": {job.error}" if job.error else ""
    if raw:
        if job.raw_result is None:
            raise InputError(
                f"job {job.id} is {job.state} and has no raw result of a provider{why}"
            )
        return job.raw_result
    if job.counts is None:
        kept = "; --raw shows what came" if job.raw_result is not None else ""
        raise InputError(f"job {job.id} is {job.state} and has no counts{why}{kept}")
    return (json.dumps(result_answer(job), indent=2, allow_nan=False) + "\n").encode()


def _since(text: str) -> datetime | None:
    if not text:
        return None
    number, unit = text[:-1], text[-1]
    try:
        if unit in UNITS and number.isascii() and number.isdecimal() and len(number) < 7:
            return now() - timedelta(seconds=int(number) * UNITS[unit])
        at = datetime.fromisoformat(text)
        # In another zone, the first and the last days of the calendar have no time in UTC.
        return at.astimezone(UTC) if at.tzinfo else at.replace(tzinfo=UTC)
    except OverflowError as error:
        raise InputError(f"since '{text}': no calendar goes there; write less") from error
    except ValueError as error:
        raise InputError(
            f"since '{text}': write 30m, 12h, 7d or a date such as 2026-01-31"
        ) from error
