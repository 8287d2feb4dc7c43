"""The command `fidelity`: how well devices play, as the papers build it and at its best."""

from collections.abc import Iterator, Sequence
from typing import Annotated

import typer
from attrs import evolve, frozen
from sqlalchemy.orm import Session

from backends import BackendError
from compiler.compilation import Options
from compiler.compilation.options import check_objective
from compiler.errors import InputError
from compiler.lowering.pipeline import passes_from_zero
from compiler.targets.calibration import calibrated_spec
from games import Game, encodings, encodings_of
from games.sources import Source, read_game
from service.cli.compile_options import Pipelines
from service.cli.compiled_runs import compiled, run_compiled
from service.cli.devices import Devices, checked_devices
from service.cli.fidelity.scores import device_snapshot, fidelity_run, uniform_noise
from service.cli.fidelity.table import print_fidelity
from service.cli.options import DATABASE, PROCESSES, Database, Json, Processes, Seed, Shots
from service.cli.output.plots import Plot, write_figure
from service.cli.output.printing import print_result, say
from service.cli.program_argument import read_source
from service.results.device_runs import FidelityResult, FidelityRun
from workers.compilation.orders import CompileOrder, PlannedOrder, plan
from workers.jobs.request import check_shots
from workers.parallel import process_pool
from workers.records.database import open_database
from workers.records.tables import now

OBJECTIVES = ("two_qubit_gates", "expected_fidelity")

LITERAL_PIPELINES = ("qiskit",)
"""The others take minutes to save a tenth of the gates, and what is left is noise all the same."""


@frozen
class DeviceCircuit:
    """A circuit for a device, and how often it runs there."""

    device: str
    plan: PlannedOrder
    shots: int


def fidelity_command(
    *,
    program: Annotated[
        str, typer.Argument(metavar="[GAME]", help="A game's name, or a game's .toml.")
    ] = "skat-4",
    device: Devices = None,
    shots: Shots = 2000,
    literal_shots: Annotated[
        int, typer.Option(help="Shots of the literal circuit, 1 to 4 s each; 0 leaves it out.")
    ] = 24,
    thermal: Annotated[
        bool, typer.Option("--thermal", help="Also with thermal relaxation, where it is feasible.")
    ] = False,
    objective: Annotated[
        list[str] | None,
        typer.Option(
            help="Only the circuits that this objective chooses; may be repeated.",
            show_default=" and ".join(OBJECTIVES),
        ),
    ] = None,
    pipeline: Pipelines = None,
    seed: Seed = 0,
    plot: Plot = None,
    database: Database = DATABASE,
    processes: Processes = PROCESSES,
    as_json: Json = False,
) -> None:
    """Compile a game for devices, play it with their noise, and score it raw and mitigated.

    Example: `stichwerk fidelity --device torino --plot fidelity.png`
    """
    result = fidelity(
        read_source(program),
        checked_devices(device),
        shots=shots,
        literal_shots=literal_shots,
        thermal=thermal,
        objectives=objective or OBJECTIVES,
        pipelines=pipeline or (),
        seed=seed,
        database=database,
        processes=processes,
    )
    if plot is not None:
        from service.cli.fidelity.plots import draw_fidelity

        write_figure(draw_fidelity(result), plot)
    print_result(result, print_fidelity, as_json=as_json)


def fidelity(
    source: Source,
    devices: Sequence[str],
    *,
    shots: int = 2000,
    literal_shots: int = 24,
    thermal: bool = False,
    objectives: Sequence[str] = OBJECTIVES,
    pipelines: Sequence[str] = (),
    seed: int = 0,
    database: str = DATABASE,
    processes: int = PROCESSES,
) -> FidelityResult:
    """Return the fidelities of a game on devices.

    Args:
        source: of a game with an outcome register.
        devices: names, or specs of one's own.
        shots: of each circuit.
        literal_shots: of the literal circuit; 0 leaves it out.
        thermal: whether circuits also run with thermal relaxation.
        objectives: that choose circuits.
        pipelines: that compile; all if empty.
        seed: first seed of the attempts.
        database: of the records.
        processes: that compile.

    Raises:
        InputError: if the program is no game with an outcome register, or an option is invalid.
        BackendError: if nothing can be run.
    """
    for count in (shots, literal_shots) if literal_shots else (shots,):
        check_shots(count)
    for name in objectives:
        check_objective(name)
    game, bits = _game(source)
    options = Options("best", seed=seed, pipelines=tuple(pipelines))
    exact = {one.name: float(game.average(one.name)) for one in game.observables}
    circuits = [
        DeviceCircuit(
            name, plan(order), literal_shots if order.options.method == "literal" else shots
        )
        for name in devices
        for order in _orders(source, game, name, objectives, options)
        if literal_shots or order.options.method != "literal"
    ]
    with Session(open_database(database)) as session:
        runs, left_out = _runs(session, circuits, bits, thermal, processes)
    used = dict.fromkeys(run.encoding for run in runs)
    return FidelityResult(
        program=source.name,
        seed=seed,
        owner_bits=bits,
        observables=exact,
        devices=[device_snapshot(name) for name in devices],
        runs=runs,
        left_out=left_out,
        uniform_noise=[uniform_noise(source, bits, encoding) for encoding in used],
        database=database,
    )


def _game(source: Source) -> tuple[Game, int]:
    """Return a game, and the size of a register that holds its outcomes."""
    if source.is_circuit:
        raise InputError(f"{source.name}: not a card game, so nothing says what is right")
    game = read_game(source)
    if game.outcome_bits is None:
        raise InputError(f"{source.name}: has no outcome_bits; set the width of its outcomes")
    return game, game.outcome_bits


def _orders(
    source: Source, game: Game, device: str, objectives: Sequence[str], options: Options
) -> Iterator[CompileOrder]:
    """Yield the literal circuit, then every small encoding by every objective."""
    batch = f"fidelity {now().isoformat(timespec='seconds')}"

    def order(encoding: str, options: Options) -> CompileOrder:
        target = calibrated_spec(device)
        return CompileOrder(source, target, options, encoding=encoding, batch=batch)

    names = encodings_of(game)
    literal = evolve(
        options,
        method="literal",
        pipelines=options.pipelines or LITERAL_PIPELINES,
        without=passes_from_zero(),
    )
    yield from (order(name, literal) for name in names if encodings[name].literal)
    for name in [name for name in names if encodings[name].small] or names[:1]:
        for objective in objectives:
            yield order(name, evolve(options, objective=objective))


def _runs(
    session: Session,
    circuits: Sequence[DeviceCircuit],
    owner_bits: int,
    thermal: bool,
    processes: int,
) -> tuple[list[FidelityRun], list[str]]:
    """Compile and run everything; also return why runs were left out."""
    runs, left_out, seen = [], [], set()
    with process_pool(processes) as pool:
        compilations = [compiled(session, one.plan, pool) for one in circuits]
    for circuit, compilation in zip(circuits, compilations, strict=True):
        key = (circuit.device, compilation.method, compilation.encoding, compilation.chosen.native)
        if key in seen:
            say(f"{compilation.program}: {compilation.objective} chooses the same circuit again")
            continue
        seen.add(key)
        variants = ["", ":thermal"] if thermal and compilation.method != "literal" else [""]
        for variant in variants:
            backend = f"aer:{circuit.device}{variant}"
            try:
                job = run_compiled(session, compilation, backend, circuit.shots)
            except BackendError as error:
                left_out.append(f"{compilation.encoding} on {backend}: {error}")
                say(f"left out: {left_out[-1]}")
            else:
                runs.append(fidelity_run(job, owner_bits, circuit.device))
    if not runs:
        raise BackendError(f"nothing could be run: {'; '.join(left_out)}")
    return runs, left_out
