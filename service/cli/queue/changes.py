"""What the commands that change jobs share: which jobs are meant, and what came of each."""

import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from compiler.errors import InputError, StichwerkError
from compiler.words.plurals import how_many
from service.cli.output.printing import print_json, say
from service.cli.queue.existing_jobs import existing_records, job_number
from service.cli.queue.tables import change_words
from service.results.jobs.submission import ChangedJob, ChangedJobs, RescoredJob
from workers.jobs.bulk import CANCELLABLE, RETRIABLE, Chosen, to_cancel, to_retry
from workers.jobs.lookup import find_job
from workers.jobs.states import State

OptionalJobIds = Annotated[
    list[str] | None, typer.Argument(metavar="[ID...]", help="Jobs' numbers.", show_default=False)
]
Tag = Annotated[str, typer.Option(help="All jobs with this tag.")]
StateOption = Annotated[str, typer.Option("--state", help="All jobs in this state.")]
Yes = Annotated[bool, typer.Option("--yes", help="Do not ask, also on a terminal.")]

Change = Callable[[Session, int], ChangedJob]
"""Change of a job."""


def allowed_states(text: str, allowed: Sequence[State]) -> Sequence[State] | None:
    """Return the states that a user asks for, None if none is named."""
    if not text:
        return None
    if text not in allowed:
        raise InputError(f"state '{text}': must be one of {', '.join(allowed)}")
    return [State(text)]


def chosen_jobs(
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
    say(f"to {command}: {how_many(len(jobs), 'job')}{of}")
    if jobs and not sure and sys.stdin.isatty():
        typer.confirm(f"{command} {'it' if len(jobs) == 1 else 'them'}?", abort=True, err=True)
    return jobs


def change_each(
    numbers: Sequence[int],
    change: Change,
    database: str,
    as_json: bool,
    results: type[ChangedJobs] = ChangedJobs,
) -> int:
    """Change jobs one after the other; one that refuses does not hold up the others."""
    changed: list[ChangedJob] = []
    refused = 0
    with Session(existing_records(database)) as session:
        for job_id in numbers:
            find_job(session, job_id)
        for job_id in numbers:
            try:
                changed.append(change(session, job_id))
            except StichwerkError as error:
                session.rollback()
                refused += 1
                say(f"stichwerk: {error}")
    if as_json:
        print_json(results(jobs=changed))
    else:
        for job in changed:
            print(_line(job, numbers))
    return int(refused > 0)


def _line(job: ChangedJob, numbers: Sequence[int]) -> str:
    instead = "" if job.id in numbers else f" instead of {job.retry_of}"
    cancel = ", to be cancelled at its provider" if job.cancel_requested else ""
    why = f": {job.error}" if job.error else ""
    scores = ""
    if isinstance(job, RescoredJob) and job.state == State.DONE:
        scores = change_words(job.before, job.scores)
    return f"job {job.id}{instead}: {job.state}{cancel}{why}{scores}"
