"""The command `result`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from sqlalchemy.orm import Session

from compiler.errors import InputError
from service.cli.options import Json, ServiceDatabase
from service.cli.output.plots import SUFFIXES, drawn_figure, output_path, write_output
from service.cli.output.printing import json_text, print_tables, say, terminal_width
from service.cli.queue.existing_jobs import JobId, existing_records, job_number
from service.results.jobs.details import JobDetails
from service.results.jobs.estimates import JobEstimate
from service.results.jobs.runs import JobResult
from service.results.jobs.tables import child_tables
from workers.jobs.lookup import find_job
from workers.jobs.states import JobKind
from workers.records.tables import Job

JSON = ".json"
GAME = ".toml"


def result_command(
    *,
    job: JobId,
    output: Annotated[str, typer.Option("--output", "-o")] = "",
    raw: bool = False,
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> None:
    """Write a job's counts and scores, or the provider's raw result.

    Counts are always printed as JSON. Jobs with child jobs (estimates, trainings, scores,
    campaigns) are printed as tables, or as JSON with --json.

    The extension of --output selects the format: .png, .svg or .pdf for a plot of an estimate or a
    training, .toml for the game with the trained weights.

    Example: `stichwerk result 12 -o counts.json`

    Options:
        output: Write to this file instead of stdout.
        raw: Write the provider's raw response.
    """
    number = job_number(job, "result")
    with Session(existing_records(database)) as session:
        row = find_job(session, number)
        _check_ending(row, raw, output)
        if raw and as_json:
            raise InputError("--raw is the provider's result, unchanged: leave out --json")
        content = _result(row, raw, Path(output).suffix)
        if output:
            write_output("output", Path(output), content)
        elif (row.result is not None) and not (raw or as_json):
            print(f"job {number}, {row.program}: {row.state}")
            print_tables(child_tables(JobDetails.of_job(session, row)), terminal_width())
        else:
            print(content.decode(errors="replace"), end="")
        if row.error:
            say(f"job {number} is {row.state}: {row.error}")
    if output:
        say(f"written to {output}")


def _result(job: Job, raw: bool, suffix: str) -> bytes:
    why = f": {job.error}" if job.error else ""
    if raw:
        if job.provider_job.raw_result is None:
            raise InputError(
                f"job {job.id} is {job.state} and has no raw result of a provider{why}"
            )
        return job.provider_job.raw_result
    if job.result is not None:
        if job.kind == JobKind.TRAINING:
            return _trained(job.result, suffix)
        if job.kind == JobKind.ESTIMATION:
            if suffix in SUFFIXES:
                from service.cli.estimate.plot import draw_estimate

                return drawn_figure(draw_estimate(job), suffix)
            return json_text(JobEstimate.model_validate(job.result)).encode()
        return json_text(job.result).encode()
    if job.counts is None:
        hint = "; --raw has the provider's" if job.provider_job.raw_result is not None else ""
        raise InputError(f"job {job.id} is {job.state} and has no counts{why}{hint}")
    return json_text(JobResult.of_job(job)).encode()


def _trained(document: Mapping[str, Any], suffix: str) -> bytes:
    """Return the result in the form of the output's suffix: a game, a picture, or JSON."""
    if suffix == GAME:
        return str(document["trained"]).encode()
    if suffix not in SUFFIXES:
        return json_text(document).encode()
    from matplotlib.figure import Figure

    from games.trick_taking.training.document import TrainingDocument
    from games.trick_taking.training.picture import picture

    figure = Figure(layout="constrained")
    picture(TrainingDocument.model_validate(document), figure)
    return drawn_figure(figure, suffix)


def _check_ending(job: Job, raw: bool, output: str) -> None:
    """Refuse a file whose suffix has no form of the result; without a suffix it holds JSON.

    Raises:
        InputError: with the possible suffixes.
    """
    pictured = not raw and job.kind in (JobKind.TRAINING, JobKind.ESTIMATION)
    if pictured and Path(output).suffix:
        game = (GAME,) if job.kind == JobKind.TRAINING else ()
        output_path("output", output, (JSON, *game, *SUFFIXES))
    elif Path(output).suffix in SUFFIXES:
        raise InputError(f"output '{output}': counts have no picture; take a {JSON}")
