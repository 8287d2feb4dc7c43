"""The command `crossover`: when would a quantum machine win?"""

from collections.abc import Callable, Mapping
from functools import partial
from time import perf_counter
from typing import Annotated

import typer
from qiskit import QuantumCircuit

from compiler.errors import GameTooLargeError, InputError
from compiler.fault_tolerant import LogicalResources, logical_resources
from compiler.lowering.methods import LEAN, lower_operators
from compiler.measurement import final_measurements, registers_of
from compiler.near_misses import meant
from games import Game, encoded, encodings_of
from games.playing.playouts import Playouts, playouts_of
from games.sources import read_game
from service.cli.crossover.answer import crossover_answer, print_crossover
from service.cli.crossover.comparison import Contest
from service.cli.crossover.physical import MODELS, qubit_model
from service.cli.options import Json
from service.cli.output.plots import plot_path, write_figure
from service.cli.output.printing import print_json, say
from service.cli.program_argument import read_source

SYNTHESES: Mapping[str, Callable[[QuantumCircuit], QuantumCircuit]] = {
    "t_count": partial(lower_operators, method=LEAN),
    "two_qubit_gates": partial(lower_operators, method="cheapest"),
}
"""How operators become gates, by what there is to be little of."""

FLAG = "win"
"""The classical register of one bit whose probability is estimated."""

ERRORS = tuple(10.0**-digits for digits in range(2, 9))
SMALLEST_ERROR, LARGEST_ERROR = 1e-9, 0.1
MOST_CORES = 10_000_000
MOST_PLAYOUTS_PER_SECOND = 1e15
SECONDS = 0.5
"""How long playouts are measured at least."""
SEED = 0


def crossover_command(
    *,
    program: Annotated[
        str, typer.Argument(metavar="GAME", help="A game's name, or a game's .toml.")
    ],
    encoding: Annotated[
        str, typer.Option(help="How the game lies on qubits; by default the first with a win bit.")
    ] = "",
    error: Annotated[
        list[float] | None,
        typer.Option(
            help=f"How far P(win) may be off, {SMALLEST_ERROR:g} to {LARGEST_ERROR:g}; may be "
            "repeated. By default 1e-2 to 1e-8.",
            show_default=False,
        ),
    ] = None,
    objective: Annotated[
        str,
        typer.Option(help=f"Which syntheses are estimated: {', '.join(SYNTHESES)}, fewest of."),
    ] = "t_count",
    model: Annotated[
        list[str] | None,
        typer.Option(
            help=f"Only this model of qubits; may be repeated: {', '.join(MODELS)}.",
            show_default=False,
        ),
    ] = None,
    cores: Annotated[
        int, typer.Option(min=1, max=MOST_CORES, help="Cores that play classically side by side.")
    ] = 64,
    playouts_per_second: Annotated[
        float | None,
        typer.Option(
            help="Classical playouts a second on one core; by default measured on this machine.",
            show_default=False,
        ),
    ] = None,
    frontiers: Annotated[
        bool,
        typer.Option(
            "--frontiers",
            help="Also print every machine of which none is better in both qubits and hours.",
        ),
    ] = False,
    plot: Annotated[str, typer.Option(help="Draw it to a .png, .svg or .pdf.")] = "",
    as_json: Json = False,
) -> None:
    """Say when a quantum machine would find P(win) of a game sooner than classical playouts do.

    Logical resources are counted from the synthesised program, physical qubits and hours come
    from Microsoft's resource estimator, which runs here and asks nobody, and, as a second opinion,
    from the formulas of Gidney and Fowler; playouts are measured on this machine. All assumptions
    are printed.

    Example: `stichwerk crossover skat-32 --plot crossover.png`
    """
    path = plot_path(plot)
    if objective not in SYNTHESES:
        raise InputError(f"unknown objective '{objective}'; {meant(objective, SYNTHESES)}")
    errors = tuple(sorted(set(error or ERRORS), reverse=True))
    for one in errors:
        if not SMALLEST_ERROR <= one <= LARGEST_ERROR:
            raise InputError(
                f"error {one:g}: must lie between {SMALLEST_ERROR:g} and {LARGEST_ERROR:g}"
            )
    models = {name: qubit_model(name) for name in model or MODELS}
    if playouts_per_second is not None and not 0 < playouts_per_second <= MOST_PLAYOUTS_PER_SECOND:
        raise InputError(
            f"--playouts-per-second {playouts_per_second:g}: must be more than 0 and at most "
            f"{MOST_PLAYOUTS_PER_SECOND:g}"
        )
    game = _game(program)
    used, counted = _counted(game, encoding)
    for name, found in counted.items():
        say(f"{game.name}, {used}, {name}: {found.qubits} logical qubits")
    play = playouts_of(game)
    if play is None and playouts_per_second is None:
        raise InputError(
            f"{game.name}: there is no code for its playouts; say --playouts-per-second"
        )
    rate, share = _measured(play) if play is not None else (0.0, None)
    if share is not None:
        say(f"{rate:,.0f} playouts a second on one core, {share:.4f} of them won")
    exact = _exact(game)
    known = share if exact is None else exact
    contest = Contest(
        program=counted[objective],
        probability=known if known and known < 1 else 0.5,
        playouts_per_second=playouts_per_second or rate,
        cores=cores,
    )
    answer = crossover_answer(
        contest,
        errors,
        models,
        program=game.name,
        encoding=used,
        syntheses=counted,
        objective=objective,
        measured_rate=None if playouts_per_second else rate,
        measured_share=share,
        exact=exact,
    )
    if path is not None:
        from service.cli.crossover.plot import draw_crossover

        write_figure(draw_crossover(answer), path)
    if as_json:
        print_json(answer)
    else:
        print_crossover(answer, frontiers=frontiers)


def _game(program: str) -> Game:
    source = read_source(program)
    if source.is_circuit:
        raise InputError(f"{source.name}: not a game, so it has no playouts")
    return read_game(source)


def _counted(game: Game, wanted: str) -> tuple[str, Mapping[str, LogicalResources]]:
    """Return the encoding with a win bit that is used, and what its program takes, each way."""
    for name in [wanted] if wanted else encodings_of(game):
        circuit = encoded(game, name).circuit
        if len(registers_of(circuit).get(FLAG, ())) == 1:
            gates, _ = final_measurements(circuit)
            return name, {
                objective: logical_resources(lower(gates)) for objective, lower in SYNTHESES.items()
            }
    found = f"encoding '{wanted}' of {game.name}" if wanted else f"no encoding of {game.name}"
    raise InputError(
        f"{found} measures one bit '{FLAG}'; its encodings: {', '.join(encodings_of(game))}"
    )


def _exact(game: Game) -> float | None:
    """Return P(win) where the game is small enough to be enumerated."""
    try:
        return float(game.average(FLAG))
    except GameTooLargeError:
        return None


def _measured(play: Playouts) -> tuple[float, float]:
    """Return playouts a second on one core, and the share of games won."""
    play(1, SEED)
    games = 1000
    while True:
        started = perf_counter()
        won = play(games, SEED)
        seconds = perf_counter() - started
        if seconds >= SECONDS:
            return games / seconds, won / games
        games *= 4
