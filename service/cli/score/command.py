"""The command `score`: how well a machine plays a suite that never changes, as one number."""

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from compiler.errors import InputError
from service.cli.compile_options import MaxCost
from service.cli.devices import BackendTarget
from service.cli.options import PROCESSES, Json, Processes, ServiceDatabase
from service.cli.output.files import output_path, write_output
from service.cli.output.plots import Plot, write_figure
from service.cli.output.printing import json_text, say
from service.cli.score.badge import badge_svg
from service.cli.score.merging import merge_files
from service.cli.score.plot import draw_score
from service.cli.score.running import hand_over_suite, play_suite, score_of_job
from service.cli.score.table import print_score
from workers.devices.naming import backend_named
from workers.records.tables import now
from workers.score.planning import score_run
from workers.score.suite import NEWEST, suite_named, suite_names
from workers.settings import dollars

Files = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[RESULT.json]...",
        help="With --merge: results that this command has written.",
        show_default=False,
    ),
]
ScoredBackend = Annotated[
    str,
    typer.Option(
        "--backend", "-b", help="Backend; see 'stichwerk backends'.", callback=backend_named
    ),
]
RunName = Annotated[
    str,
    typer.Option(
        help="Name of the run: the same name again resumes it, and runs only what is missing.",
        show_default="the present time",
    ),
]
Output = Annotated[
    str,
    typer.Option(
        "--output", "-o", help="Write the result to a .json; with --merge the page, a .html."
    ),
]


def score_command(
    files: Files = None,
    *,
    backend: ScoredBackend = "",
    target: BackendTarget = "",
    suite: Annotated[str, typer.Option(help=f"Which suite: {', '.join(suite_names())}.")] = NEWEST,
    run: RunName = "",
    seed: Annotated[
        int, typer.Option(min=0, max=2**31 - 1, help="Of simulated shots; machines ignore it.")
    ] = 0,
    queue: Annotated[
        bool, typer.Option("--queue", help="Hand it to the workers: a job whose parts are jobs.")
    ] = False,
    job: Annotated[
        int | None, typer.Option(help="Show the score that this job of --queue has led to.")
    ] = None,
    merge: Annotated[
        bool, typer.Option("--merge", help="Write one page of results from files, to --output.")
    ] = False,
    max_cost: MaxCost = "",
    output: Output = "",
    badge: Annotated[str, typer.Option(help="Write a badge to a .svg.")] = "",
    plot: Plot = None,
    database: ServiceDatabase = "",
    processes: Processes = PROCESSES,
    as_json: Json = False,
) -> int | None:
    """Score a machine from 0, which is noise, to 1: games, an iterate, circuits that branch.

    A suite pins programs, encodings, shots and weights, and never changes under its name. Every
    part is compiled, proven, run and scored; a part that the machine does not support counts as
    0. The cost is shown before anything runs. The exit code is 1 if the score is not complete,
    because a provider has lost a part.

    Examples:
    - `stichwerk score --backend sparse:torino --output torino.json --badge score.svg`

    - `stichwerk score --backend ibm:torino --run monday --max-cost 50USD`

    - `stichwerk score --merge torino.json marrakesh.json --output scores.html`
    """
    written = [path for path in (output, badge, plot) if path]
    _check_options(files, merge=merge, backend=backend, queue=queue, job=job, written=written)
    if merge:
        merge_files(files or [], output, as_json=as_json)
        return None
    limit, paths = dollars(max_cost) if max_cost else None, _paths(output, badge, plot)
    if job is not None:
        return _show(score_of_job(job, database), paths, as_json=as_json)
    name = run or now().isoformat(timespec="seconds").removesuffix("+00:00")
    asked = score_run(suite_named(suite), backend, name, target)
    if queue:
        hand_over_suite(asked, seed, limit, database, as_json=as_json)
        return None
    return _show(play_suite(asked, seed, limit, database, processes), paths, as_json=as_json)


def _check_options(
    files: Sequence[str] | None,
    *,
    merge: bool,
    backend: str,
    queue: bool,
    job: int | None,
    written: Sequence[str | Path],
) -> None:
    """Refuse options that do not go together."""
    if files and not merge:
        raise InputError("files of results are for --merge: say that, too")
    if merge and (backend or queue or job is not None or len(written) > 1):
        raise InputError("--merge only reads files: leave out the options of running")
    if job is not None and (backend or queue):
        raise InputError("--job shows what is there: leave out --backend and --queue")
    if not merge and job is None and not backend:
        raise InputError("missing option --backend; see 'stichwerk backends'")
    if queue and written:
        raise InputError("--queue: leave out --output, --badge and --plot; --job takes them")


def _paths(output: str, badge: str, plot: Path | None) -> tuple[Path | None, ...]:
    return (
        output_path("output", output, (".json",)) if output else None,
        output_path("badge", badge, (".svg",)) if badge else None,
        plot,
    )


def _show(result: dict[str, Any], paths: Sequence[Path | None], *, as_json: bool) -> int | None:
    """Write files, print a score, and return the exit code."""
    output, badge, plot = paths
    if output is not None:
        write_output("output", output, json_text(result).encode())
    if badge is not None:
        write_output("badge", badge, badge_svg(result).encode())
    if plot is not None:
        write_figure(draw_score(result), plot)
    for path in paths:
        if path is not None:
            say(f"written to {path}")
    if as_json:
        print(json_text(result), end="")
    else:
        print_score(result)
    return None if result["complete"] else 1
