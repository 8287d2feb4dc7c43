"""The command `score`: how well a machine plays a suite that never changes, as one number."""

from pathlib import Path
from typing import Annotated, Any

import typer

from compiler.errors import InputError
from service.cli.devices import BackendTarget
from service.cli.options import PROCESSES, Json, Processes, ServiceDatabase
from service.cli.output.files import output_path, write_output
from service.cli.output.plots import plot_path, write_figure
from service.cli.output.printing import print_json, say
from service.cli.score.badge import badge_svg
from service.cli.score.table import print_score
from workers.devices.naming import backend_named
from workers.records.tables import now
from workers.score.suite import NEWEST, suite_named, suite_names
from workers.settings import dollars


def score_command(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[RESULT.json]...",
            help="With --merge: results that this command has written.",
            show_default=False,
        ),
    ] = None,
    *,
    backend: Annotated[
        str,
        typer.Option(
            "--backend",
            "-b",
            help="What is scored; see 'stichwerk backends'.",
            callback=backend_named,
        ),
    ] = "",
    target: BackendTarget = "",
    suite: Annotated[str, typer.Option(help=f"Which suite: {', '.join(suite_names())}.")] = NEWEST,
    run: Annotated[
        str,
        typer.Option(
            help="A name of this time: the same one again takes it up, and runs only what is "
            "missing. By default the time of now.",
            show_default=False,
        ),
    ] = "",
    seed: Annotated[
        int, typer.Option(min=0, max=2**31 - 1, help="Of simulated shots; machines ignore it.")
    ] = 0,
    queue: Annotated[
        bool,
        typer.Option("--queue", help="Hand it to the workers: a job whose parts are jobs."),
    ] = False,
    job: Annotated[
        int | None,
        typer.Option(help="Show the score that this job of --queue has led to."),
    ] = None,
    merge: Annotated[
        bool,
        typer.Option("--merge", help="Make one page of results from files; --output names it."),
    ] = False,
    max_cost: Annotated[
        str,
        typer.Option(help="What all of it may cost at most, such as 5USD."),
    ] = "",
    output: Annotated[
        str,
        typer.Option(
            "--output", "-o", help="Write the result to a .json; with --merge the page, a .html."
        ),
    ] = "",
    badge: Annotated[str, typer.Option(help="Write a badge to a .svg.")] = "",
    plot: Annotated[str, typer.Option(help="Draw the parts to a .png, .svg or .pdf.")] = "",
    database: ServiceDatabase = "",
    processes: Processes = PROCESSES,
    as_json: Json = False,
) -> int | None:
    """Score a machine from 0, which is noise, to 1: games, an iterate, circuits that branch.

    A suite pins programs, encodings, shots and weights, and never changes under its name. Every
    part is compiled, proven, run and scored; what the machine does not take counts as 0, and is
    told. Before anything runs it is told what that costs. The exit code is 1 if the score is not
    complete, because a provider has lost a part.

    Examples:
    - `stichwerk score --backend sparse:torino --output torino.json --badge score.svg`

    - `stichwerk score --backend ibm:torino --run monday --max-cost 50USD`

    - `stichwerk score --merge torino.json marrakesh.json --output scores.html`
    """
    if merge or files:
        if not merge:
            raise InputError("files of results are for --merge: say that, too")
        if backend or queue or job is not None or badge or plot:
            raise InputError("--merge only reads files: leave out the options of running")
        from service.cli.score.merging import merge_files

        return merge_files(files or [], output, as_json=as_json)
    paths = (
        output_path("output", output, (".json",)) if output else None,
        output_path("badge", badge, (".svg",)) if badge else None,
        plot_path(plot),
    )
    limit = dollars(max_cost) if max_cost else None
    if job is not None:
        if backend or queue:
            raise InputError("--job shows what is there: leave out --backend and --queue")
        from service.cli.score.queued import score_of_job

        found = score_of_job(job, database)
    elif not backend:
        raise InputError("missing option --backend; see 'stichwerk backends'")
    else:
        from workers.score.planning import score_run

        name = run or now().isoformat(timespec="seconds").removesuffix("+00:00")
        asked = score_run(suite_named(suite), backend, name, target)
        if queue:
            if any(paths):
                raise InputError("--queue: leave out --output, --badge and --plot; with --job "
                                 "they show what came of it")  # fmt: skip
            from service.cli.score.queued import hand_over

            hand_over(asked, seed, limit, database, as_json=as_json)
            return None
        from service.cli.score.playing import play_suite

        found = play_suite(asked, seed, limit, database, processes)
    _write(found, *paths)
    if as_json:
        print_json(found)
    else:
        print_score(found)
    return None if found["complete"] else 1


def _write(
    found: dict[str, Any], output: Path | None, badge: Path | None, plot: Path | None
) -> None:
    if output is not None:
        import json

        text = json.dumps(found, indent=2, allow_nan=False) + "\n"
        write_output("output", output, text.encode())
    if badge is not None:
        write_output("badge", badge, badge_svg(found).encode())
    if plot is not None:
        from service.cli.score.plot import draw_score

        write_figure(draw_score(found), plot)
    for path in (output, badge, plot):
        if path is not None:
            say(f"written to {path}")
