"""The command `fidelity`: how well devices play, as the papers build it and at its best."""

from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from typing import Annotated, Any

import typer
from attrs import frozen
from sqlalchemy.orm import Session

from backends import BackendError
from compiler.compilation import Options
from compiler.compilation.options import check_objective
from compiler.errors import InputError
from compiler.lowering.pipeline import passes_from_zero
from compiler.targets.calibration import calibrated_spec
from compiler.words.plurals import how_many
from games import Game, encodings, encodings_of
from games.sources import Source, read_game
from service.cli.compile_options import Pipelines
from service.cli.devices import Devices, checked_devices
from service.cli.fidelity.answer import device_answer, noise_answer, run_answer
from service.cli.fidelity.plot import write_plot
from service.cli.fidelity.table import print_fidelity
from service.cli.options import DATABASE, PROCESSES, Database, Json, Processes, Seed, Shots
from service.cli.output.backend_progress import backend_progress
from service.cli.output.plots import plot_path
from service.cli.output.printing import print_json, say
from service.cli.program_argument import read_source
from workers.compilation.compiling import compile_program, verify_compilation
from workers.compilation.orders import CompileOrder, PlannedOrder, plan
from workers.jobs.request import check_shots
from workers.jobs.without_queue import run_job
from workers.parallel import process_pool
from workers.provenance import revision, versions
from workers.records.database import open_database
from workers.records.tables import Compilation, Job, now

OBJECTIVES = ("two_qubit_gates", "expected_fidelity")

LITERAL_PIPELINES = ("qiskit",)
"""The others take minutes to save a tenth of the gates, and what is left is noise all the same."""


@frozen
class Entry:
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
            help="Only the circuits that this objective chooses; may be repeated. "
            f"By default {' and '.join(OBJECTIVES)}."
        ),
    ] = None,
    pipeline: Pipelines = None,
    seed: Seed = 0,
    plot: Annotated[str, typer.Option(help="Draw the figures to a .png, .svg or .pdf.")] = "",
    database: Database = DATABASE,
    processes: Processes = PROCESSES,
    as_json: Json = False,
) -> None:
    """Compile a game for devices, play it with their noise, and score it raw and mitigated.

    Example: `stichwerk fidelity --device torino --plot fidelity.png`
    """
    for count in (shots, literal_shots) if literal_shots else (shots,):
        check_shots(count)
    objectives = tuple(objective or OBJECTIVES)
    for name in objectives:
        check_objective(name)
    source, path, devices = read_source(program), plot_path(plot), checked_devices(device)
    game, bits = _game(source)
    exact = {one.name: float(game.average(one.name)) for one in game.observables}
    entries = [
        Entry(name, plan(order), literal_shots if order.options.method == "literal" else shots)
        for name in devices
        for order in _orders(
            source,
            game,
            name,
            objectives=objectives,
            pipelines=tuple(pipeline or ()),
            seed=seed,
        )
        if literal_shots or order.options.method != "literal"
    ]
    with Session(open_database(database)) as session:
        runs, left_out = _runs(session, entries, bits, thermal, processes)
    encodings = dict.fromkeys(run["encoding"] for run in runs)
    answer = {
        "program": source.name,
        "seed": seed,
        "owner_bits": bits,
        "observables": exact,
        "devices": [device_answer(name) for name in devices],
        "runs": runs,
        "left_out": left_out,
        "uniform_noise": [noise_answer(source, bits, encoding) for encoding in encodings],
        "versions": versions(),
        "revision": revision(),
        "database": database,
    }
    if path:
        write_plot(answer, path)
    if as_json:
        print_json(answer)
    else:
        print_fidelity(answer, path)


def _game(source: Source) -> tuple[Game, int]:
    """Return a game, and the size of a register that holds its outcomes."""
    if source.is_circuit:
        raise InputError(f"{source.name}: not a card game, so nothing says what is right")
    game = read_game(source)
    if game.outcome_bits is None:
        raise InputError(f"{source.name}: says no outcome_bits, so noise has nothing to fall on")
    return game, game.outcome_bits


def _orders(
    source: Source,
    game: Game,
    device: str,
    *,
    objectives: tuple[str, ...],
    pipelines: tuple[str, ...],
    seed: int,
) -> Iterator[CompileOrder]:
    """Yield the literal circuit, then every small encoding by every objective."""
    batch = f"fidelity {now().isoformat(timespec='seconds')}"

    def order(
        method: str, encoding: str, objective: str, pipelines: tuple[str, ...] = pipelines
    ) -> CompileOrder:
        return CompileOrder(
            source,
            calibrated_spec(device),
            Options(
                method,
                objective=objective,
                seed=seed,
                pipelines=pipelines,
                without=passes_from_zero() if method == "literal" else (),
            ),
            encoding=encoding,
            batch=batch,
        )

    names = encodings_of(game)
    for name in names:
        if encodings[name].literal:
            yield order("literal", name, OBJECTIVES[0], pipelines or LITERAL_PIPELINES)
    for encoding in [name for name in names if encodings[name].small] or names[:1]:
        for objective in objectives:
            yield order("best", encoding, objective)


def _runs(
    session: Session,
    entries: Sequence[Entry],
    owner_bits: int,
    thermal: bool,
    processes: int,
) -> tuple[list[dict[str, Any]], list[str]]:
    """Compile and run everything; also return why runs were left out."""
    runs, left_out, seen = [], [], set()
    with process_pool(processes) as pool:
        made = [_compiled(session, entry.plan, pool) for entry in entries]
    for entry, compilation in zip(entries, made, strict=True):
        key = (entry.device, compilation.method, compilation.encoding, compilation.chosen.native)
        if key in seen:
            say(f"{compilation.program}: {compilation.objective} chooses the same circuit again")
            continue
        seen.add(key)
        backends = [f"aer:{entry.device}"]
        if thermal and compilation.method != "literal":
            backends.append(f"aer:{entry.device}:thermal")
        for backend in backends:
            try:
                job = _run(session, compilation, backend, entry.shots)
            except BackendError as error:
                left_out.append(f"{compilation.encoding} on {backend}: {error}")
                say(f"left out: {left_out[-1]}")
            else:
                runs.append(run_answer(job, owner_bits, entry.device))
    if not runs:
        raise BackendError(f"nothing could be run: {'; '.join(left_out)}")
    return runs, left_out


def _compiled(session: Session, checked: PlannedOrder, pool: Executor | None) -> Compilation:
    return verify_compilation(session, compile_program(session, checked, pool, say), pool, say)


def _run(session: Session, compilation: Compilation, backend: str, shots: int) -> Job:
    say(f"{compilation.program} on {compilation.target}: {how_many(shots, 'shot')} on {backend}")
    with backend_progress():
        return run_job(session, compilation, backend, shots, compilation.seed)
