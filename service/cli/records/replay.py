"""The command `replay`."""

from pathlib import Path
from typing import Annotated

import typer
from attrs import asdict

from service.cli.options import Json
from service.cli.output.printing import print_json, print_table
from service.cli.queue.existing_jobs import job_number
from workers.settings import settings

SAID = {True: "same", False: "DIFFERENT", None: "not run"}


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
    from workers.bundles.archive import read_bundle
    from workers.bundles.replay import replay

    files = read_bundle(Path(bundle))
    only = job_number(job, "replay") if job else None
    found = replay(files, settings(), run=run, only=only)
    if as_json:
        same = all(one.same for one in found)
        print_json({"same": same, "jobs": [{**asdict(one), "same": one.same} for one in found]})
    else:
        print_table(
            f"Jobs of {bundle}",
            ("job", "program", "backend", "circuit", "scores", "counts of another run"),
            [
                (
                    one.job,
                    one.program,
                    one.backend,
                    SAID[one.circuit],
                    ", ".join(f"{kind} {SAID[same]}" for kind, same in one.scores.items())
                    or "none were recorded",
                    SAID[one.run_again],
                )
                for one in found
            ],
        )
    return 0 if all(one.same for one in found) else 1
