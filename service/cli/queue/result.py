"""The command `result`."""

import json
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from compiler.errors import InputError
from service.cli.options import ServiceDatabase
from service.cli.output.files import write_output
from service.cli.output.printing import say
from service.cli.queue.existing_jobs import JobId, existing_records, job_number
from workers.jobs.lookup import find_job
from workers.records.tables import Job


def result_command(
    *,
    job: JobId,
    output: Annotated[
        str, typer.Option("--output", "-o", help="Write to this file instead of stdout.")
    ] = "",
    raw: Annotated[bool, typer.Option("--raw", help="What the provider sent, as it came.")] = False,
    database: ServiceDatabase = "",
) -> None:
    """Write a job's counts and scores as JSON, an estimate, or what its provider sent.

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
    from service.answers.results import result_answer

    why = f": {job.error}" if job.error else ""
    if raw:
        if job.raw_result is None:
            raise InputError(
                f"job {job.id} is {job.state} and has no raw result of a provider{why}"
            )
        return job.raw_result
    if job.estimate is not None:
        return (json.dumps(job.estimate, indent=2, allow_nan=False) + "\n").encode()
    if job.counts is None:
        kept = "; --raw shows what came" if job.raw_result is not None else ""
        raise InputError(f"job {job.id} is {job.state} and has no counts{why}{kept}")
    return (json.dumps(result_answer(job), indent=2, allow_nan=False) + "\n").encode()
