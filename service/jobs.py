"""The commands that look at jobs: `jobs`, `job` and `result`."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from time import sleep
from typing import Annotated, Any

import typer
from sqlalchemy.orm import Session

from compiler.errors import InputError
from service.options import Json, ServiceDatabase
from service.output import print_json, print_table, say
from workers.database import open_database
from workers.finding import find_job
from workers.job_lists import job_answer, jobs_page
from workers.records import now
from workers.settings import settings
from workers.states import FINAL, State

JobId = Annotated[int, typer.Argument(metavar="ID", min=1, show_default=False)]
WATCHED_SECONDS = 0.25
UNITS = {"m": 60, "h": 3600, "d": 86_400}


def jobs_command(
    *,
    status: Annotated[str, typer.Option(help=f"Only these: {', '.join(State)}.")] = "",
    tag: Annotated[str, typer.Option(help="Only jobs with this tag.")] = "",
    backend: Annotated[str, typer.Option("--backend", "-b", help="Only for this backend.")] = "",
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
    with Session(open_database(database or settings().database)) as session:
        page = jobs_page(
            session,
            status=State(status) if status else None,
            tag=tag or None,
            backend=backend or None,
            since=after,
            limit=limit,
        )
    if as_json:
        print_json({"jobs": page})
        return
    print_table(
        f"Jobs, the newest first (at most {limit})",
        ("job", "state", "program", "target", "backend", "shots", "tag", "created (UTC)", "cost $"),
        [
            (
                str(row["id"]), row["state"], row["program"], row["target"], row["backend"],
                row["shots"], row["tag"] or "", row["created_at"][:19].replace("T", " "),
                row["estimated_cost_usd"] or "",
            )
            for row in page
        ],
    )  # fmt: skip


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
    engine = open_database(database or settings().database)
    with Session(engine) as session:
        row = find_job(session, job)
        shown = 0
        while watch and row.state not in FINAL:
            shown = _say_events(job_answer(session, row), shown)
            session.rollback()
            sleep(WATCHED_SECONDS)
            row = find_job(session, job)
        answer = job_answer(session, row)
        if watch:
            _say_events(answer, shown)
    if as_json:
        print_json(answer)
    else:
        _print_job(answer)
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
    from service.answers import job_answer as result_answer

    with Session(open_database(database or settings().database)) as session:
        row = find_job(session, job)
        if raw and row.raw_result is None:
            raise InputError(f"job {job} is {row.state} and has no raw result of a provider")
        if not raw and row.counts is None:
            kept = "; --raw shows what came" if row.raw_result is not None else ""
            raise InputError(f"job {job} is {row.state} and has no counts{kept}")
        if raw:
            content = row.raw_result or b""
        else:
            content = (json.dumps(result_answer(row), indent=2, allow_nan=False) + "\n").encode()
    if not output:
        print(content.decode(errors="replace"), end="")
        return
    try:
        Path(output).write_bytes(content)
    except OSError as error:
        raise InputError(f"output '{output}': cannot be written: {error.strerror}") from error
    say(f"written to {output}")


def _say_events(answer: dict[str, Any], shown: int) -> int:
    place = answer["queue_position"]
    for event in answer["events"][shown:]:
        number = f" (number {place} in the provider's queue)" if place else ""
        detail = f": {event['detail']}" if event["detail"] else ""
        say(f"{event['at'][11:19]} {event['state']}{number}{detail}")
    return len(answer["events"])


def _print_job(answer: dict[str, Any]) -> None:
    stages = answer["stages"]
    own = {key: value for key, value in answer.items() if not isinstance(value, list | dict)}
    shown = [(key, str(value)) for key, value in own.items() if value not in (None, "")]
    print_table(f"Job {answer['id']}", ("", ""), shown)
    if answer["compilation"]:
        print_table(
            "Its circuit", ("figure", "value"),
            [(key, str(value)) for key, value in answer["compilation"].items()],
        )  # fmt: skip
    print_table(
        "Stages",
        ("stage", "since (UTC)", "seconds"),
        [(one["state"], one["since"][:19].replace("T", " "), one["seconds"]) for one in stages],
    )
    told = [(one["at"][:19].replace("T", " "), one["state"], one["detail"])
            for one in answer["events"] if one["detail"]]  # fmt: skip
    if told:
        print_table("Events", ("at (UTC)", "state", "what"), told)


def _since(text: str) -> datetime | None:
    if not text:
        return None
    number, unit = text[:-1], text[-1]
    if unit in UNITS and number.isdigit() and len(number) < 7:
        return now() - timedelta(seconds=int(number) * UNITS[unit])
    try:
        at = datetime.fromisoformat(text)
    except ValueError as error:
        raise InputError(
            f"since '{text}': write 30m, 12h, 7d or a date such as 2026-01-31"
        ) from error
    return at if at.tzinfo else at.replace(tzinfo=UTC)
