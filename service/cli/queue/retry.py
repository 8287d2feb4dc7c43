"""The command `retry`."""

from typing import Annotated

import typer
from sqlalchemy.orm import Session

from compiler.errors import InputError
from service.cli.options import Json, ServiceDatabase
from service.cli.queue.changes import (
    OptionalJobIds,
    StateOption,
    Tag,
    Yes,
    allowed_states,
    change_each,
    chosen_jobs,
)
from service.results.jobs.submission import ChangedJob
from workers.accounts.budgets import microusd
from workers.jobs.bulk import RETRIABLE
from workers.jobs.control import retry
from workers.jobs.lookup import find_job
from workers.jobs.states import State
from workers.settings import dollars


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
    states = allowed_states(State.FAILED if failed else state, RETRIABLE)
    jobs = chosen_jobs(job, "retry", tag, states, database, sure=yes)

    def retried(session: Session, job_id: int) -> ChangedJob:
        if limit is not None:
            find_job(session, job_id).max_cost_microusd = limit
            # Kept if the job is retried, and only then; retrying reads the row again.
            session.flush()
        return ChangedJob.of(retry(session, job_id))

    return change_each(jobs, retried, database, as_json)
