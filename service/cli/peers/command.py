"""The command `peers`: other compilers and this one on the same programs, in one run."""

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from compiler.errors import InputError
from service.cli.devices import targets_named
from service.cli.options import DATABASE, MOST_SECONDS, PROCESSES, Database, Json, Processes
from service.cli.output.plots import Plot, plot_path, write_figure
from service.cli.output.printing import print_result

if TYPE_CHECKING:
    from workers.peers.comparison import Result

MAX_SEEDS = 1000
LIMIT = 60.0

Circuits = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[CIRCUIT|FOLDER]...",
        help="Your own circuits instead of a suite: .qasm and .qpy files, and folders of them.",
        show_default=False,
    ),
]
Suites = Annotated[
    list[str] | None,
    typer.Option(
        help="Which programs: games, floor, operators, qutrits, boards, circuits, random, "
        "generic, dynamic, device, qubikos, limits or all; may be repeated.",
        show_default="all, or none beside circuits",
    ),
]
Targets = Annotated[
    list[str] | None,
    typer.Option(
        "--target",
        "-t",
        help="Where to lower to, also the file of a device; may be repeated.",
        callback=targets_named,
        show_default="star, heavy-hex:torino, heavy-hex:marrakesh; for device and qubikos "
        "heavy-hex:torino, for limits that and resonator:6",
    ),
]
Limit = Annotated[
    float, typer.Option(min=0, max=MOST_SECONDS, help="CPU seconds of a call; 0 for no limit.")
]
SecondsPlot = Annotated[
    Path | None,
    typer.Option(
        help="Draw gates against CPU seconds to a .png, .svg or .pdf.", callback=plot_path
    ),
]
Export = Annotated[
    str, typer.Option(help="Write the suite's circuits as OpenQASM 3 to a folder, and stop.")
]


def peers_command(
    circuits: Circuits = None,
    *,
    suite: Suites = None,
    target: Targets = None,
    peer: Annotated[
        list[str] | None,
        typer.Option("--peer", help="Only this compiler; may be repeated.", show_default="all"),
    ] = None,
    seeds: Annotated[
        int, typer.Option(min=1, max=MAX_SEEDS, help="Seeds of each seeded compiler.")
    ] = 20,
    limit: Limit = LIMIT,
    plot: Plot = None,
    seconds_plot: SecondsPlot = None,
    state: Annotated[
        str, typer.Option(help="File of results so far; those are not computed again.")
    ] = "",
    export: Export = "",
    processes: Processes = PROCESSES,
    database: Database = DATABASE,
    as_json: Json = False,
) -> None:
    """Compile the same programs with other compilers and ours, and prove all results.

    All compilers get the same gates: the literal circuit of the papers, our logical circuit, a
    public benchmark circuit, or your own. IQM's transpiler takes part on targets with a
    resonator. Circuits that a compiler does not take are listed with the reason. The best proven
    result of every compiler is counted, with the CPU seconds of all its calls, and recorded.

    Examples:
    - `stichwerk peers --suite games --target star --plot peers.png`

    - `stichwerk peers my.qasm circuits/ --target my-device.toml --seeds 5`

    - `stichwerk peers --suite device --seeds 5 --state device.jsonl --seconds-plot seconds.png`

    - `stichwerk peers --suite circuits --export circuits`
    """
    from service.cli.peers.comparing import (
        chosen_cases,
        compare_all,
        export_circuits,
        peer_names,
        used_versions,
    )
    from service.cli.peers.tables import print_peers
    from service.results.peers import PeersResult, WrittenCircuits

    suites, names = suite or ([] if circuits else ["all"]), peer_names(peer)
    cases = chosen_cases(circuits or [], suites, target)
    if export:
        if circuits:
            raise InputError("--export writes the circuits of suites: leave out your own")
        files = WrittenCircuits(written=export_circuits(suites, export))
        print_result(files, lambda of: print("\n".join(of.written)), as_json=as_json)
        return
    started = perf_counter()
    results, comparison = compare_all(
        cases, names, seeds, limit=limit, state=state, processes=processes, database=database
    )
    _draw(results, plot, seconds_plot)
    result = PeersResult.of(
        results, suites=suites, seeds=seeds, limit=limit, seconds=perf_counter() - started,
        versions=used_versions(names), comparison=comparison,
    )  # fmt: skip
    print_result(result, print_peers, as_json=as_json)


def _draw(results: Sequence["Result"], plot: Path | None, seconds_plot: Path | None) -> None:
    if plot is None and seconds_plot is None:
        return
    from service.cli.peers.plots import draw_peers, draw_seconds

    for path, draw in ((plot, draw_peers), (seconds_plot, draw_seconds)):
        if path is not None:
            write_figure(draw(results), path)
