"""The command `replay`."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.options import Json
from service.cli.output.printing import print_result, print_rows
from service.cli.queue.existing_jobs import job_number
from service.results.matches import ReplayedJob, ReplayResult
from workers.bundles.archive import read_bundle
from workers.bundles.replay import replay
from workers.settings import settings

VERDICTS = {True: "same", False: "DIFFERENT", None: "not run"}


def replay_command(
    *,
    bundle: Annotated[
        str, typer.Argument(metavar="FILE", help="A bundle, .zip.", show_default=False)
    ],
    job: Annotated[str, typer.Option(help="Only the job of this number.")] = "",
    run: Annotated[
        bool,
        typer.Option("--run", help="Let simulators run the circuits again, with the same seeds."),
    ] = False,
    as_json: Json = False,
) -> int:
    """Check a bundle without a database: its circuits, its counts' scores, perhaps its runs.

    Exit code 1 if anything comes out otherwise than was recorded. Make a bundle with
    `stichwerk records bundle`.

    Example: `stichwerk replay paper.zip --run`
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
