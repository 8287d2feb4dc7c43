"""The command `peers`: other compilers and this one on the same programs, in one run."""

from concurrent.futures import Executor
from contextlib import AbstractContextManager
from time import perf_counter
from typing import TYPE_CHECKING, Annotated
from uuid import uuid4

import typer
from sqlalchemy.orm import Session

from compiler.errors import InputError
from service.cli.devices import targets_named
from service.cli.options import DATABASE, MOST_SECONDS, PROCESSES, Database, Json, Processes
from service.cli.output.first_time import say_if_first
from service.cli.output.plots import plot_path, write_figure
from service.cli.output.printing import print_json, say
from workers.limited import limited_pool
from workers.parallel import process_pool
from workers.provenance import revision, versions
from workers.records.database import open_database

if TYPE_CHECKING:
    from workers.peers.comparison import Result

MOST_SEEDS = 1000
LIMIT = 60.0


def peers_command(
    circuits: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[CIRCUIT|FOLDER]...",
            help="Your own circuits instead of a suite: .qasm and .qpy files, and folders of them.",
            show_default=False,
        ),
    ] = None,
    *,
    suite: Annotated[
        list[str] | None,
        typer.Option(
            help="Which programs: games, floor, operators, qutrits, boards, circuits, random, "
            "generic, dynamic, device, qubikos, limits or all; may be repeated.",
            show_default="all, or none beside circuits",
        ),
    ] = None,
    target: Annotated[
        list[str] | None,
        typer.Option(
            "--target",
            "-t",
            help="Where to lower to, also the file of a device; may be repeated.",
            callback=targets_named,
            show_default="star, heavy-hex:torino, heavy-hex:marrakesh; for device "
            "and qubikos heavy-hex:torino, for limits that and resonator:6",
        ),
    ] = None,
    peer: Annotated[
        list[str] | None,
        typer.Option("--peer", help="Only this compiler; may be repeated.", show_default="all"),
    ] = None,
    seeds: Annotated[
        int, typer.Option(min=1, max=MOST_SEEDS, help="Seeds of each seeded compiler.")
    ] = 20,
    limit: Annotated[
        float,
        typer.Option(
            min=0,
            max=MOST_SECONDS,
            help="CPU seconds after which a call is ended, and told as not within them; 0 for "
            "no limit.",
        ),
    ] = LIMIT,
    plot: Annotated[str, typer.Option(help="Draw the ratios to a .png, .svg or .pdf.")] = "",
    seconds_plot: Annotated[
        str, typer.Option(help="Draw gates won against CPU seconds to a .png, .svg or .pdf.")
    ] = "",
    state: Annotated[
        str,
        typer.Option(help="Keep results in this file, and go on with those that it has already."),
    ] = "",
    export: Annotated[
        str, typer.Option(help="Write the suite's circuits as OpenQASM 3 to a folder, and stop.")
    ] = "",
    processes: Processes = PROCESSES,
    database: Database = DATABASE,
    as_json: Json = False,
) -> None:
    """Compile the same programs with other compilers and ours, and prove all results.

    Everybody gets the same gates: literally as the papers build them, our logical circuit, or a
    public benchmark circuit, or your own, as it is. IQM's transpiler takes part on targets with
    a resonator. What a compiler does not take is told with its reason. The best proven result of
    every compiler is counted, with the CPU seconds of all its calls, and recorded.

    Examples:
    - `stichwerk peers --suite games --target star --plot peers.png`

    - `stichwerk peers my.qasm circuits/ --target my-device.toml --seeds 5`

    - `stichwerk peers --suite device --seeds 5 --state device.jsonl --seconds-plot seconds.png`

    - `stichwerk peers --suite circuits --export circuits`
    """
    from service.cli.peers.tables import answer_of, print_answer
    from workers.peers import peers
    from workers.peers.comparison import compare, peer_versions
    from workers.peers.kept_results import KeptResults
    from workers.peers.own_circuits import own_cases, own_subjects
    from workers.peers.recording import record_results
    from workers.peers.suites import TARGETS, cases

    names = [name for name in peers if name in (peer or peers)]
    for name in peer or ():
        _ = peers[name]
    suites = suite or ([] if circuits else ["all"])
    chosen = cases(suites, target) if suites else []
    if circuits:
        if export:
            raise InputError("--export writes the circuits of suites: leave out your own")
        chosen += own_cases(own_subjects(circuits), target or TARGETS, _left_out)
    path, seconds_path = plot_path(plot), plot_path(seconds_plot)
    if export:
        from service.cli.peers.export import export as write_circuits

        write_circuits(suites, export, as_json=as_json)
        return
    started = perf_counter()
    results: list[Result] = []
    used, comparison = versions() | peer_versions(names), uuid4().hex
    kept = None
    if state:
        depends_on = {"peers": names, "seeds": seeds, "limit": limit}
        depends_on |= {"versions": used, "revision": revision()}
        kept = KeptResults(state, depends_on, comparison)
        comparison = kept.comparison
    with Session(open_database(database)) as session, _calls(processes, limit) as pool:
        for number, case in enumerate(chosen, 1):
            found = kept.of(case) if kept else None
            if found is None:
                say(f"{number} of {len(chosen)}: {case.subject.title}, {case.form}, {case.target}")
                found = compare(case, names, seeds, pool, say)
                record_results(session, comparison, found, used)
                if kept:
                    kept.keep(case, found)
            results += found
    if path is not None:
        from service.cli.peers.plot import draw_peers

        write_figure(draw_peers(results), path)
    if seconds_path is not None:
        from service.cli.peers.seconds_plot import draw_seconds

        write_figure(draw_seconds(results), seconds_path)
    answer = answer_of(results) | {
        "suites": suites,
        "seeds": seeds,
        "limit": limit,
        "seconds": perf_counter() - started,
        "versions": used,
        "comparison": comparison,
        "revision": revision(),
    }
    if as_json:
        print_json(answer)
    else:
        print_answer(answer)


def _calls(processes: int, limit: float) -> AbstractContextManager[Executor | None]:
    """Return the pool that calls are made in, each for so many CPU seconds at most."""
    say_if_first("compiler")
    return limited_pool(processes, limit) if limit else process_pool(processes)


def _left_out(reason: str) -> None:
    say(f"left out: {reason}")
