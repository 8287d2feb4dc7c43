"""The commands `records prune`, `records export`, `records import` and `replay`."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from attrs import asdict
from sqlalchemy.orm import Session

from backends.regular_files import read_input
from compiler.errors import InputError
from service.cli.options import Json, ServiceDatabase
from service.cli.output.plots import output_path, write_output
from service.cli.output.printing import print_json, print_result, print_rows, print_table, say
from service.cli.queue.existing_jobs import existing_records, job_number
from service.results.administration import PrunedRecords, PublishedRecords, PublishedRow
from service.results.matches import ReplayedJob, ReplayResult
from workers.accounts.tokens import lifetime
from workers.bundles import metriq
from workers.bundles.replay import replay
from workers.bundles.writing import bundle_files, jobs_of, read_bundle, zipped
from workers.records.database import open_database
from workers.records.pruning import prune
from workers.settings import settings

MAX_BYTES = 50_000_000


class Form(StrEnum):
    """Form in which jobs are exported."""

    BUNDLE = "bundle"
    METRIQ = "metriq"


def prune_command(
    *,
    older_than: str = "",
    dry_run: bool = False,
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> None:
    """Remove unused circuits, and circuits of candidates that were not chosen.

    Open jobs, and jobs that were submitted to a provider, are never removed. The file of SQLite
    shrinks.

    Example: `stichwerk records prune --older-than 90d --dry-run`

    Options:
        older_than: Also remove jobs without costs that ended longer ago, with circuits and results:
            90d, 12h.
        dry_run: Only list what would be removed.
    """
    span = lifetime(older_than) if older_than else None
    pruned = asdict(prune(existing_records(database), span, dry_run=dry_run))
    if as_json:
        print_json(PrunedRecords(dry_run=dry_run, **pruned))
        return
    title = "Would be removed" if dry_run else "Removed"
    print_table(title, ("what", "how much"), [
        (name.replace("lost", "circuits that were not chosen").replace("_", " "), f"{n:,}")
        for name, n in pruned.items()
    ])  # fmt: skip


def export_command(
    *,
    jobs: Annotated[list[str] | None, typer.Argument(metavar="[ID]...")] = None,
    tag: str = "",
    output: Annotated[str, typer.Option("--output", "-o")],
    form: Annotated[Form, typer.Option("--format")] = Form.BUNDLE,
    database: ServiceDatabase = "",
) -> None:
    """Export jobs as one file: circuits, counts, calibrations, versions and scores.

    `stichwerk replay` checks a bundle without a database. `--format metriq` writes records in the
    format of metriq-data. Nothing is uploaded.

    Examples:
    - `stichwerk records export --tag first -o paper.zip`

    - `stichwerk records export --tag first --format metriq -o first.json`

    Options:
        jobs: Numbers of jobs.
        tag: All jobs with this tag that have counts.
        output: File to write: .zip, or .json for metriq.
        form: bundle: a .zip of files; metriq: records in Metriq's format.
    """
    is_bundle = form is Form.BUNDLE
    path = output_path("output", output, (".zip",) if is_bundle else (".json",))
    if bool(jobs) == bool(tag):
        raise InputError(
            "jobs to export: give either their numbers, which 'stichwerk jobs' lists, or --tag"
        )
    numbers = [job_number(text, "records export") for text in jobs or ()]
    with Session(existing_records(database)) as session:
        if is_bundle:
            content = zipped(bundle_files(session, jobs_of(session, numbers, tag)))
        else:
            content = metriq.metriq_json(metriq.metriq_records(session, numbers, tag))
    write_output("output", path, content)
    say(f"written to {output}" + f"; look at it with: stichwerk replay {output}" * is_bundle)


def import_command(
    *,
    files: Annotated[list[Path] | None, typer.Argument(metavar="[FILE]...")] = None,
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> None:
    """Import published records in Metriq's format, and list those stored.

    Records are checked first; a file with an invalid record is refused.

    Example: `stichwerk records import garnet.json`

    Options:
        files: Files of records, .json.
    """
    checked = []
    for file in files or ():
        checked += metriq.read_records(read_input(file, MAX_BYTES), str(file))
    engine = (
        open_database(database or settings().database) if checked else existing_records(database)
    )
    with Session(engine) as session:
        new = metriq.import_records(session, checked)
        session.commit()
        rows = [PublishedRow.of(record) for record in metriq.imported_records(session)]
    print_result(PublishedRecords(imported=new, records=rows), _print_published, as_json=as_json)


def _print_published(result: PublishedRecords) -> None:
    print_rows(
        f"Records of others, {result.imported} new", result.records,
        "at=timestamp", "provider", "device", "benchmark", "score", "uncertainty",
        "two-qubit gates=two_qubit_gates",
    )  # fmt: skip


VERDICTS = {True: "same", False: "DIFFERENT", None: "not run"}


def replay_command(
    *,
    bundle: Annotated[str, typer.Argument(metavar="FILE")],
    job: str = "",
    run: bool = False,
    as_json: Json = False,
) -> int:
    """Check a bundle without a database: its circuits, scores and, with --run, its runs.

    The exit code is 1 if a result differs from the record. `stichwerk records export` writes a
    bundle.

    Example: `stichwerk replay paper.zip --run`

    Options:
        bundle: The bundle, a .zip.
        job: Only this job.
        run: Run the circuits of simulators again with the same seeds.
    """
    result = replay_bundle(Path(bundle), run=run, only=job_number(job, "replay") if job else None)
    print_result(result, lambda of: _print(bundle, of), as_json=as_json)
    return 0 if result.same else 1


def replay_bundle(bundle: Path, *, run: bool = False, only: int | None = None) -> ReplayResult:
    """Check the jobs of a bundle.

    Args:
        bundle: the file.
        run: whether simulators run the circuits again.
        only: number of the only job to check; None for all.
    """
    jobs = replay(read_bundle(bundle), settings(), run=run, only=only)
    return ReplayResult(
        same=all(job.same for job in jobs), jobs=[ReplayedJob.model_validate(job) for job in jobs]
    )


def _print(bundle: str, result: ReplayResult) -> None:
    print_rows(
        f"Jobs of {bundle}",
        [
            (of, VERDICTS[of.circuit],
             [f"{kind} {VERDICTS[same]}" for kind, same in of.scores.items()] or "none recorded",
             VERDICTS[of.run_again])
            for of in result.jobs
        ],
        "0.job", "0.program", "0.backend", "circuit=1", "scores=2", "counts of another run=3",
    )  # fmt: skip
