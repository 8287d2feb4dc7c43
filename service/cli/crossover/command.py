"""The command `crossover`: when would a quantum machine win?"""

from functools import partial
from typing import Annotated

import typer

from compiler.errors import InputError
from games.sources import read_game
from service.cli.crossover.estimates import ERRORS, MAX_ERROR, MIN_ERROR, SYNTHESES, crossover
from service.cli.crossover.physical import MODELS
from service.cli.crossover.tables import print_crossover
from service.cli.options import Json
from service.cli.output.plots import Plot, write_figure
from service.cli.output.printing import print_result
from service.cli.program_argument import read_source

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
    from Microsoft's resource estimator, which runs on this machine without a network, and, as a
    second opinion, from the formulas of Gidney and Fowler. Playouts are measured on this machine.
    All assumptions are printed.

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
