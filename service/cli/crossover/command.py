"""The command `crossover`: when would a quantum machine win?"""

from functools import partial
from typing import Annotated

import typer

from compiler.errors import InputError
from games.sources import read_game
from service.cli.crossover.estimates import (
    ERRORS,
    MAX_ERROR,
    MIN_ERROR,
    SYNTHESES,
    crossover,
)
from service.cli.crossover.physical import MODELS
from service.cli.options import Json
from service.cli.output.plots import Plot, write_figure
from service.cli.output.printing import print_result, print_rows
from service.cli.program_argument import read_source
from service.results.crossover import CrossoverResult

MAX_CORES = 10_000_000


Errors = Annotated[
    list[float] | None,
    typer.Option(
        "--error",
        help=f"Error of P(win), {MIN_ERROR:g} to {MAX_ERROR:g}; may be repeated.",
        show_default="1e-2 to 1e-8",
    ),
]
Objective = Annotated[
    str, typer.Option(help=f"Which synthesis is estimated: fewest {', '.join(SYNTHESES)}.")
]
Models = Annotated[
    list[str] | None,
    typer.Option(
        "--model",
        help=f"Model of qubits; may be repeated: {', '.join(MODELS)}.",
        show_default="all",
    ),
]
PlayoutRate = Annotated[
    float | None,
    typer.Option(help="Classical playouts a second on one core.", show_default="measured here"),
]


def crossover_command(
    *,
    program: Annotated[
        str, typer.Argument(metavar="GAME", help="A game's name, or a game's .toml.")
    ],
    encoding: Annotated[
        str, typer.Option(help="Encoding of the game; by default the first with a win bit.")
    ] = "",
    error: Errors = None,
    objective: Objective = "t_count",
    model: Models = None,
    cores: Annotated[
        int, typer.Option(min=1, max=MAX_CORES, help="Cores that play classically side by side.")
    ] = 64,
    playouts_per_second: PlayoutRate = None,
    frontiers: Annotated[
        bool,
        typer.Option(
            "--frontiers",
            help="Also print every machine of which none is better in both qubits and hours.",
        ),
    ] = False,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """Say when a quantum machine would find P(win) of a game sooner than classical playouts do.

    Logical resources are counted from the synthesised program. Physical qubits and hours come
    from Microsoft's resource estimator, which runs on this machine without a network. Playouts
    are measured on this machine. All assumptions are printed.

    Example: `stichwerk crossover skat-32 --plot crossover.png`
    """
    source = read_source(program)
    if source.is_circuit:
        raise InputError(f"{source.name}: not a game, so it has no playouts")
    result = crossover(
        read_game(source),
        encoding=encoding,
        errors=error or ERRORS,
        objective=objective,
        models=model or tuple(MODELS),
        cores=cores,
        playouts_per_second=playouts_per_second,
    )
    if plot is not None:
        from service.cli.crossover.plot import draw_crossover

        write_figure(draw_crossover(result), plot)
    print_result(result, partial(print_crossover, frontiers=frontiers), as_json=as_json)


def print_crossover(result: CrossoverResult, *, frontiers: bool = False) -> None:
    """Print the tables, then the crossings, then the assumptions.

    Args:
        result: of the command.
        frontiers: whether every machine of a frontier is printed.
    """
    print_rows(
        f"{result.program}, {result.encoding}: the program once, its rotations off by "
        f"{result.program_error:g} together; {result.objective} is estimated",
        result.syntheses.items(),
        "fewest=0", "T gates in all=1.program_t_count", "T gates=1.t_gates", "Toffoli=1.toffolis",
        "1.rotations", "by tables=1.table_rotations", "logical qubits=1.qubits",
        "depth, a rotation as one=1.depth",
    )  # fmt: skip
    print_rows(
        "Amplitude estimation on logical qubits, and classical playouts",
        result.estimates,
        "error", "logical.calls", "T gates a call=logical.t_per_call", "T gates=logical.t_gates",
        "logical qubits=logical.qubits", "classical.playouts",
        f"hours on {result.cores:,} cores=classical.hours",
    )  # fmt: skip
    _print_machines(result)
    if frontiers:
        _print_frontiers(result)
    _print_crossings(result)
    if result.exact is not None:
        print(
            f"Neither is needed: P(win) = {result.exact:.6g} is exact, by enumeration of all "
            "deals and plays."
        )
    print(f"A year of playouts has the error {result.year_of_playouts_error:.2g}.")
    print("\n- ".join(["Assumptions:", *result.assumptions]))


def _print_machines(result: CrossoverResult) -> None:
    print_rows(
        "Physical qubits and hours by Microsoft's estimator: the fastest machine, and the smallest",
        [
            (name, estimate.error, frontier, *(frontier.machines[place:][:1] for place in (0, -1)))
            for name in result.models
            for estimate in result.estimates
            for frontier in [estimate.physical[name]]
        ],
        "model=0", "error=1", "fastest: qubits=3.0.physical_qubits", "hours=3.0.hours",
        "smallest: qubits=4.0.physical_qubits", "hours=4.0.hours", "2.infeasible",
    )  # fmt: skip


def _print_frontiers(result: CrossoverResult) -> None:
    """Print every machine of which none is better in both qubits and hours."""
    print_rows(
        "Frontiers of physical qubits and hours",
        [
            (name, estimate.error, machine, estimate.physical[name].infeasible)
            for name in result.models
            for estimate in result.estimates
            for machine in estimate.physical[name].machines or (None,)
        ],
        "model=0", "error=1", "qubits=2.physical_qubits", "2.hours", "2.code_distance",
        "2.factories", "infeasible=3",
    )  # fmt: skip


def _print_crossings(result: CrossoverResult) -> None:
    print_rows(
        "Where the fastest machine overtakes the playouts",
        [
            (name, title, crossing is not None, crossing)
            for name, title in result.models.items()
            for crossing in [result.crossings[name]]
        ],
        "model=0", "qubits=1", "within a year=2", "3.error", "3.hours",
        "physical qubits=3.machine.physical_qubits",
    )  # fmt: skip
