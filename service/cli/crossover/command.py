"""The command `crossover`: when would a quantum machine win?"""

from typing import Annotated

import typer

from compiler.errors import InputError
from games.sources import read_game
from service.cli.crossover.estimates import ERRORS, MAX_ERROR, MIN_ERROR, SYNTHESES, crossover
from service.cli.options import Details, Json
from service.cli.output.plots import Plot, write_figure
from service.cli.output.printing import print_result, print_rows
from service.cli.program_argument import read_source
from service.results.crossover import CrossoverResult

MAX_CORES = 10_000_000


def crossover_command(
    *,
    program: Annotated[str, typer.Argument(metavar="GAME")],
    encoding: str = "",
    error: Annotated[
        list[float] | None,
        typer.Option(
            "--error",
            help=f"Error of P(win), {MIN_ERROR:g} to {MAX_ERROR:g}; may be repeated.",
            show_default="1e-2 to 1e-8",
        ),
    ] = None,
    objective: Annotated[
        str, typer.Option(help=f"Figure that the synthesis minimises: {', '.join(SYNTHESES)}.")
    ] = "t_count",
    cores: Annotated[int, typer.Option(min=1, max=MAX_CORES)] = 64,
    playouts_per_second: Annotated[float | None, typer.Option(show_default="measured")] = None,
    plot: Plot = None,
    details: Details = False,
    as_json: Json = False,
) -> None:
    """Estimate when a quantum computer finds P(win) faster than classical playouts.

    Logical resources are counted from the synthesised program. Physical qubits and hours come
    from Microsoft's resource estimator, which runs locally without network access. The rate of
    playouts is measured on this computer. All assumptions are printed.

    Example: `stichwerk crossover skat-32 --plot crossover.png`

    Options:
        program: A game's name, or a game's .toml.
        encoding: Encoding of the game; by default the first with a win bit.
        cores: Cores of the classical computation.
        playouts_per_second: Classical playouts per second on one core.
    """
    source = read_source(program)
    if source.is_circuit:
        raise InputError(f"{source.name}: not a game, so it has no playouts")
    result = crossover(
        read_game(source),
        encoding=encoding,
        errors=error or ERRORS,
        objective=objective,
        cores=cores,
        playouts_per_second=playouts_per_second,
    )
    if plot is not None:
        from service.cli.crossover.plot import draw_crossover

        write_figure(draw_crossover(result), plot)
    print_result(result, print_crossover, as_json=as_json, details=details)


def print_crossover(result: CrossoverResult) -> None:
    """Print when the first machine overtakes the playouts, and the crossing of each model."""
    crossings = [
        (crossing.hours, title, crossing)
        for name, title in result.models.items()
        if (crossing := result.crossings[name]) is not None
    ]
    playouts = f"playouts of {result.program} on {result.cores:,} cores"
    if crossings:
        hours, title, first = min(crossings, key=lambda of: of[0])
        print(
            f"{title} with {first.machine.physical_qubits:,} physical qubits overtake {playouts} "
            f"after {hours:.3g} hours, at an error of {first.error:.2g}."
        )
    else:
        print(f"No machine overtakes {playouts} within a year.")
    if result.exact is not None:
        print(f"No estimate is needed: enumeration gives exactly P(win) = {result.exact:.6g}.")
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
    print("--details lists all errors, machines and assumptions.")
