"""The command `cancel`."""

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
from workers.jobs.bulk import CANCELLABLE
from workers.jobs.control import cancel


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
    jobs = chosen_jobs(job, "cancel", tag, allowed_states(state, CANCELLABLE), database, sure=yes)
    return change_each(
        jobs, lambda session, job_id: ChangedJob.of(cancel(session, job_id)), database, as_json
    )
