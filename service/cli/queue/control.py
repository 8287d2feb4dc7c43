"""The commands that change jobs: `cancel`, `retry` and `rescore`."""

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any

import typer
from sqlalchemy.orm import Session

from compiler.errors import InputError, StichwerkError
from service.cli.options import Json, ServiceDatabase
from service.cli.output.printing import print_json, say
from service.cli.queue.existing_jobs import JobIds, existing_records, job_number
from service.cli.queue.tables import change_words
from workers.accounts.budgets import microusd
from workers.jobs.bulk import CANCELLABLE, RETRIABLE, Chosen, to_cancel, to_retry
from workers.jobs.control import cancel, rescore, retry
from workers.jobs.lists import job_answer
from workers.jobs.lookup import find_job
from workers.jobs.states import Queue, State
from workers.queue.worker import Worker
from workers.records.tables import Job
from workers.settings import dollars, settings
from workers.status.problems import counted

OptionalJobIds = Annotated[
    list[str] | None, typer.Argument(metavar="[ID...]", help="Jobs' numbers.", show_default=False)
]
Tag = Annotated[str, typer.Option(help="All jobs with this tag.")]
StateOption = Annotated[str, typer.Option("--state", help="All jobs in this state.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask, also on a terminal.")]

Change = Callable[[Session, int], tuple[Job, Mapping[str, Any]]]
"""What is done to a job: returns the job, and what else is told of it."""


def cancel_command(
    *,
    job: OptionalJobIds = None,
    tag: Tag = "",
    state: StateOption = "",
    yes: Yes = False,
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> int:
    """Cancel jobs, also at their provider: those that are named, or all of a tag or state.

    A job that the provider has is cancelled there by a worker; `stichwerk job ID --watch` tells
    whether it came in time. How many jobs a tag or a state stands for is said first, and asked
    about on a terminal.

    Examples:
    - `stichwerk cancel 12 13`

    - `stichwerk cancel --tag nightly --state queued`
    """
    jobs = _chosen(job, "cancel", tag, _states(state, CANCELLABLE), database, sure=yes)
    return _each(jobs, lambda session, job_id: (cancel(session, job_id), {}), database, as_json)


def retry_command(
    *,
    job: OptionalJobIds = None,
    tag: Tag = "",
    failed: Annotated[bool, typer.Option("--failed", help="All that have failed.")] = False,
    state: StateOption = "",
    yes: Yes = False,
    max_cost: Annotated[
        str, typer.Option(help="What each may cost from now on, such as 5USD; else as before.")
    ] = "",
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> int:
    """Let jobs that have failed or were cancelled go on where they stopped.

    What a provider has accepted is not submitted again. If the provider itself ended the job, a
    new one takes its place, which may cost again. How many jobs --failed or --state stands for is
    said first, and asked about on a terminal; jobs in quarantine are only retried by number.

    Examples:
    - `stichwerk retry 12`

    - `stichwerk retry --tag nightly --failed`

    - `stichwerk retry 12 --max-cost 5USD`
    """
    limit = microusd(dollars(max_cost)) if max_cost else None
    if failed and state:
        raise InputError("give --failed or --state, not both")
    if tag and not (failed or state):
        raise InputError("say which jobs of the tag: --failed, or --state cancelled")
    states = _states(State.FAILED if failed else state, RETRIABLE)
    jobs = _chosen(job, "retry", tag, states, database, sure=yes)

    def retried(session: Session, job_id: int) -> tuple[Job, Mapping[str, Any]]:
        if limit is not None:
            find_job(session, job_id).max_cost_microusd = limit
            # Kept if the job is retried, and only then; retrying reads the row again.
            session.flush()
        return retry(session, job_id), {}

    return _each(jobs, retried, database, as_json)


def rescore_command(*, job: JobIds, database: ServiceDatabase = "", as_json: Json = False) -> int:
    """Compute scores again from the stored raw results, here and now.

    Example: `stichwerk rescore 12`
    """
    engine = existing_records(database)

    def rescored(session: Session, job_id: int) -> tuple[Job, Mapping[str, Any]]:
        before = job_answer(session, find_job(session, job_id))["scores"]
        rescore(session, job_id)
        Worker(engine, settings(), {Queue.SCORE}).advance(job_id)
        found = find_job(session, job_id)
        return found, {"before": before, "scores": job_answer(session, found)["scores"]}

    jobs = [job_number(one, "rescore") for one in job]
    return _each(jobs, rescored, database, as_json)


def _states(text: str, allowed: Sequence[State]) -> Sequence[State] | None:
    """Return the states that a user asks for, None if none is named."""
    if not text:
        return None
    if text not in allowed:
        raise InputError(f"state '{text}': must be one of {', '.join(allowed)}")
    return [State(text)]


def _chosen(
    named: Sequence[str] | None,
    command: str,
    tag: str,
    states: Sequence[State] | None,
    database: str,
    *,
    sure: bool,
) -> list[int]:
    """Return the numbers of the jobs that are named, or of all of a tag or state."""
    if named:
        if tag or states:
            raise InputError("name jobs by their numbers, or by --tag and --state, not both")
        return [job_number(job, command) for job in named]
    if not tag and not states:
        raise InputError(f"say which jobs; see 'stichwerk {command} --help'")
    choose, allowed = (to_retry, RETRIABLE) if command == "retry" else (to_cancel, CANCELLABLE)
    with Session(existing_records(database)) as session:
        _, jobs = choose(session, Chosen(states or allowed, tag or None))
    of = (f" of tag '{tag}'" if tag else "") + (f" that are {states[0]}" if states else "")
    say(f"to {command}: {counted(len(jobs), 'job')}{of}")
    if jobs and not sure and sys.stdin.isatty():
        typer.confirm(f"{command} {'it' if len(jobs) == 1 else 'them'}?", abort=True, err=True)
    return jobs


def _each(numbers: Sequence[int], change: Change, database: str, as_json: bool) -> int:
    """Change jobs one after the other; one that refuses does not hold up the others."""
    answers, refused = [], 0
    with Session(existing_records(database)) as session:
        for job_id in numbers:
            find_job(session, job_id)
        for job_id in numbers:
            try:
                changed, more = change(session, job_id)
            except StichwerkError as error:
                session.rollback()
                refused += 1
                say(f"stichwerk: {error}")
                continue
            answers.append({**_answer(changed, job_id), **more})
    if as_json:
        print_json({"jobs": answers})
    else:
        for answer in answers:
            print(_line(answer))
    return int(refused > 0)


def _line(answer: Mapping[str, Any]) -> str:
    instead = "" if answer["retry_of"] is None else f" instead of {answer['retry_of']}"
    asked = ", to be cancelled at its provider" if answer["cancel_requested"] else ""
    why = f": {answer['error']}" if answer["error"] else ""
    scored = answer["state"] == State.DONE and "before" in answer
    scores = change_words(answer["before"], answer["scores"]) if scored else ""
    return f"job {answer['id']}{instead}: {answer['state']}{asked}{why}{scores}"


def _answer(job: Job, asked: int) -> dict[str, Any]:
    return {
        "id": job.id,
        "state": job.state,
        "error": job.error,
        "cancel_requested": job.cancel_requested,
        "retry_of": job.retry_of if job.id != asked else None,
    }
