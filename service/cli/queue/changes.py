"""The commands `cancel`, `retry` and `rescore`: selection of jobs, and the result of each."""

import sys
from collections.abc import Callable, Sequence
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from compiler.errors import InputError, StichwerkError
from compiler.words.plurals import how_many
from service.cli.options import Json, ServiceDatabase
from service.cli.output.printing import print_json, say
from service.cli.queue.existing_jobs import JobIds, existing_records, job_number
from service.results.jobs.runs import scores_of
from service.results.jobs.submission import ChangedJob, ChangedJobs, RescoredJob, RescoredJobs
from service.results.jobs.tables import change_words
from workers.accounts.budgets import microusd
from workers.jobs.control import (
    CANCELLABLE,
    RETRIABLE,
    cancel,
    rescore,
    retry,
    to_cancel,
    to_retry,
)
from workers.jobs.lookup import find_job
from workers.jobs.states import Queue, State
from workers.settings import dollars, settings

OptionalJobIds = Annotated[list[str] | None, typer.Argument(metavar="[ID...]")]
"""Numbers of jobs."""
Tag = Annotated[str, typer.Option()]
"""All jobs with this tag."""
StateOption = Annotated[str, typer.Option("--state")]
"""All jobs in this state."""
Yes = Annotated[bool, typer.Option("--yes")]
"""Do not ask for confirmation."""

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
        jobs = list(choose(session, states or allowed, tag or None))
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


def cancel_command(
    *,
    job: OptionalJobIds = None,
    tag: Tag = "",
    state: StateOption = "",
    yes: Yes = False,
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> int:
    """Cancel jobs by number, tag or state, also at their provider.

    A worker cancels a submitted job at its provider; `stichwerk job ID --watch` shows the result.
    With a tag or a state, the command prints the number of jobs first, and asks for confirmation on
    a terminal.

    Examples:
    - `stichwerk cancel 12 13`

    - `stichwerk cancel --tag nightly --state queued`
    """
    jobs = chosen_jobs(job, "cancel", tag, allowed_states(state, CANCELLABLE), database, sure=yes)
    return change_each(
        jobs, lambda session, job_id: ChangedJob.of(cancel(session, job_id)), database, as_json
    )


def retry_command(
    *,
    job: OptionalJobIds = None,
    tag: Tag = "",
    failed: bool = False,
    state: StateOption = "",
    yes: Yes = False,
    max_cost: str = "",
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> int:
    """Resume failed or cancelled jobs where they stopped.

    A job that a provider has accepted is not submitted again. If the provider failed or cancelled
    the job, a new job replaces it, which may cost again. With --failed or --state, the command
    prints the number of jobs first, and asks for confirmation on a terminal. Jobs in
    quarantine are retried by number only.

    Examples:
    - `stichwerk retry 12`

    - `stichwerk retry --tag nightly --failed`

    - `stichwerk retry 12 --max-cost 5USD`

    Options:
        failed: All failed jobs.
        max_cost: New maximum cost of each job, such as 5USD; unchanged by default.
    """
    limit = microusd(dollars(max_cost)) if max_cost else None
    if failed and state:
        raise InputError("give --failed or --state, not both")
    if tag and not (failed or state):
        raise InputError("say which jobs of the tag: --failed, or --state cancelled")
    states = allowed_states(State.FAILED if failed else state, RETRIABLE)
    jobs = chosen_jobs(job, "retry", tag, states, database, sure=yes)

    def retried(session: Session, job_id: int) -> ChangedJob:
        if limit is not None:
            find_job(session, job_id).max_cost_microusd = limit
            # Kept if the job is retried, and only then; retrying reads the row again.
            session.flush()
        return ChangedJob.of(retry(session, job_id))

    return change_each(jobs, retried, database, as_json)


def rescore_command(*, job: JobIds, database: ServiceDatabase = "", as_json: Json = False) -> int:
    """Recompute scores from stored raw results.

    Example: `stichwerk rescore 12`
    """
    # Scoring takes Qiskit, which other changes need not wait for.
    from workers.queue.worker import Worker

    engine = existing_records(database)

    def rescored(session: Session, job_id: int) -> RescoredJob:
        before = scores_of(find_job(session, job_id))
        rescore(session, job_id)
        Worker(engine, settings(), {Queue.SCORE}).advance(job_id)
        job = find_job(session, job_id)
        return RescoredJob.from_objects(job, before=before, scores=scores_of(job))

    jobs = [job_number(text, "rescore") for text in job]
    return change_each(jobs, rescored, database, as_json, RescoredJobs)
