"""The command `job`."""

from typing import Annotated

import typer
from sqlalchemy.orm import Session

from service.cli.options import Json, ServiceDatabase
from service.cli.output.printing import print_json, say
from service.cli.queue.existing_jobs import JobId, existing_records, job_number
from service.cli.queue.follow import watch as watched
from service.cli.queue.tables import print_job, result_line
from service.results.jobs.details import JobDetails
from workers.jobs.lookup import find_job
from workers.jobs.states import State


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
        details = (
            watched(session, number)
            if watch
            else JobDetails.of_job(session, find_job(session, number))
        )
    if as_json:
        print_json(details)
    else:
        print_job(details)
    if watch:
        say(result_line(details))
    return int(watch and details.state != State.DONE)
