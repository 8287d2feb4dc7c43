"""The command `result`."""

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import Annotated, Any

import typer
from sqlalchemy.orm import Session

from compiler.errors import InputError
from service.cli.options import ServiceDatabase
from service.cli.output.files import write_output
from service.cli.output.printing import json_text, say
from service.cli.queue.existing_jobs import JobId, existing_records, job_number
from workers.jobs.lookup import find_job
from workers.records.tables import Job

PICTURES = (".png", ".svg")


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

    What a training has learned is written to a .toml as the game with its weights, to a .png or
    .svg as a picture.

    Example: `stichwerk result 12 -o counts.json`
    """
    number = job_number(job, "result")
    with Session(existing_records(database)) as session:
        row = find_job(session, number)
        content = _result(row, raw, Path(output).suffix)
        if row.error:
            say(f"job {number} is {row.state}: {row.error}")
    if not output:
        print(content.decode(errors="replace"), end="")
        return
    write_output("output", Path(output), content)
    say(f"written to {output}")


def _result(job: Job, raw: bool, suffix: str) -> bytes:
    from service.answers.results import result_answer

    why = f": {job.error}" if job.error else ""
    if raw:
        if job.raw_result is None:
            raise InputError(
                f"job {job.id} is {job.state} and has no raw result of a provider{why}"
            )
        return job.raw_result
    if job.trained is not None:
        return _trained(job, job.trained, suffix)
    if job.batched is not None:
        return json_text(job.batched).encode()
    if job.estimate is not None:
        return json_text(job.estimate).encode()
    if job.counts is None:
        kept = "; --raw shows what came" if job.raw_result is not None else ""
        raise InputError(f"job {job.id} is {job.state} and has no counts{why}{kept}")
    return json_text(result_answer(job)).encode()


def _trained(job: Job, found: Mapping[str, Any], suffix: str) -> bytes:
    """Return what was learned, as the output's name says: a game, a picture, or all as JSON."""
    if suffix == ".toml":
        return str(found["trained"]).encode()
    if suffix not in PICTURES:
        return json_text(found).encode()
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    from games.training import trainings

    assert job.training is not None, "what has learned was asked to"
    drawn = BytesIO()
    with rc_context({"svg.hashsalt": "picture", "svg.fonttype": "path"}):
        figure = Figure(layout="constrained")
        trainings[job.training["kind"]]().picture(found, figure)
        figure.savefig(drawn, format=suffix[1:], dpi=150)
    return drawn.getvalue()
