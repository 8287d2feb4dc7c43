"""The command `volume`: how large a game a device plays, with its noise."""

from collections.abc import Sequence
from concurrent.futures import Executor
from typing import Annotated, Any

import typer
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.errors import TargetError
from compiler.judge import enumerated
from compiler.scores.game_volume import THRESHOLDS, game_volume
from compiler.scores.intervals import fidelity_interval
from compiler.scores.machine_score import normalized_interval
from compiler.scores.scoring import register_noise_fidelity
from compiler.targets.calibration import calibrated_spec
from compiler.words.held_inputs import count_text
from compiler.words.plurals import how_many
from games.sources import Source, read_game, read_program
from service.cli.devices import Devices, checked_devices
from service.cli.options import DATABASE, PROCESSES, Database, Json, Processes, Seed, Shots
from service.cli.output.backend_progress import backend_progress
from service.cli.output.plots import plot_path, write_figure
from service.cli.output.printing import print_json, print_table, say
from workers.compilation.compiling import compile_program, source_of, verify_compilation
from workers.compilation.orders import CompileOrder, PlannedOrder, plan
from workers.jobs.request import check_shots
from workers.jobs.without_queue import run_job
from workers.parallel import process_pool
from workers.provenance import revision, versions
from workers.records.database import open_database
from workers.records.tables import Job, now
from workers.scoring import counts_of
from workers.volume_ladder import LADDER


def volume_command(
    *,
    device: Devices = None,
    shots: Shots = 1000,
    idle: Annotated[
        bool, typer.Option("--idle", help="Qubits that wait lose what they hold, too.")
    ] = False,
    method: Annotated[str, typer.Option(help="As of `compile`.")] = "fast",
    seed: Seed = 0,
    plot: Annotated[str, typer.Option(help="Draw the fidelities to a .png, .svg or .pdf.")] = "",
    database: Database = DATABASE,
    processes: Processes = PROCESSES,
    as_json: Json = False,
) -> None:
    """Play games of four to nine cards with the noise of devices: which is the largest it plays?

    Each game is compiled for the device, proven, played by `sparse:DEVICE` and scored: 1 is the
    exact distribution of outcomes, 0 uniform noise. The game volume is the number of cards of the
    largest game that scores 0.1, and 0.5.

    Example: `stichwerk volume --device torino --device marrakesh --plot volume.png`
    """
    check_shots(shots)
    path, devices = plot_path(plot), checked_devices(device)
    options = Options(method, seed=seed)
    batch = f"volume {now().isoformat(timespec='seconds')}"
    with Session(open_database(database)) as session, process_pool(processes) as pool:
        runs = [
            _run(session, pool, planned, backend, shots)
            for name in devices
            for backend in [f"sparse:{name}:idle" if idle else f"sparse:{name}"]
            for program, encoding in LADDER
            if (planned := _planned(_order(name, program, encoding, options, batch)))
        ]
        if not runs:
            raise TargetError("no game of the ladder fits on any of these devices: "
                              "the smallest needs 8 qubits")  # fmt: skip
    answer = {
        "runs": runs,
        "volumes": _volumes(runs),
        "seed": seed,
        "versions": versions(),
        "revision": revision(),
        "database": database,
    }
    if path is not None:
        from service.cli.volume.plot import draw_volume

        write_figure(draw_volume(answer), path)
    if as_json:
        print_json(answer)
    else:
        _print(answer)


def _order(device: str, program: str, encoding: str, options: Options, batch: str) -> CompileOrder:
    target = calibrated_spec(device)
    return CompileOrder(Source(program), target, options, encoding=encoding, batch=batch)


def _planned(order: CompileOrder) -> PlannedOrder | None:
    """Check a game, and leave it out if it has more qubits than the device."""
    try:
        return plan(order)
    except TargetError as error:
        say(f"left out: {error}")
        return None


def _run(
    session: Session, pool: Executor | None, planned: PlannedOrder, backend: str, shots: int
) -> dict[str, Any]:
    compilation = compile_program(session, planned, pool, say)
    verify_compilation(session, compilation, pool, say)
    say(f"{compilation.program}: {how_many(shots, 'shot')} on {backend}")
    with backend_progress():
        job = run_job(session, compilation, backend, shots, compilation.seed, progress=say)
    return _answer(job)


def _answer(job: Job) -> dict[str, Any]:
    """Return a run's figures, its fidelity with uniform noise on the outcome's register at 0."""
    compilation, chosen = job.compiled, job.compiled.chosen
    source = source_of(compilation)
    game, program = read_game(source), read_program(source, compilation.encoding)
    exact = enumerated(game)
    assert exact is not None
    assert game.outcome_bits is not None
    noise = register_noise_fidelity(game, game.outcome_bits)
    assert noise is not None
    raw = next(score for score in job.scores if score.kind == "raw")
    measured = fidelity_interval(program.outcomes(counts_of(job)), exact)
    played = normalized_interval(measured, noise)
    return {
        "backend": job.backend,
        "program": compilation.program,
        "encoding": compilation.encoding,
        "cards": game.axes["cards"],
        "two_qubit_gates": chosen.two_qubit_gates,
        "from_zero": chosen.from_zero,
        "verified": compilation.verified,
        "expected_fidelity": chosen.expected_fidelity,
        "normalized_fidelity": played.value,
        "low": played.low,
        "high": played.high,
        "legal_fraction": raw.legal_fraction,
        "shots": job.shots,
        "run_seconds": job.run_seconds,
        "job": job.id,
    }


def _volumes(runs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    plays: dict[str, list[tuple[int, float]]] = {}
    for run in runs:
        plays.setdefault(run["backend"], []).append((run["cards"], run["normalized_fidelity"]))
    return [
        {"backend": backend, "volume": {str(at): cards for at, cards in game_volume(of).items()}}
        for backend, of in plays.items()
    ]


def _print(answer: dict[str, Any]) -> None:
    print_table(
        "How well devices play (1: exactly, 0: as uniform noise)",
        ("backend", "game", "cards", "encoding", "two-qubit gates", "fidelity", "95 %", "legal",
         "expected", "seconds"),
        [
            (run["backend"], run["program"], run["cards"], run["encoding"],
             count_text(run["two_qubit_gates"], from_zero=run["from_zero"]),
             f"{run['normalized_fidelity']:.3f}",
             f"{run['low']:.3f} to {run['high']:.3f}", f"{run['legal_fraction']:.3f}",
             f"{run['expected_fidelity']:.3f}", f"{run['run_seconds']:.0f}")
            for run in answer["runs"]
        ],
    )  # fmt: skip
    print_table(
        "Game volume: cards of the largest game that scores so much",
        ("backend", *map(str, THRESHOLDS)),
        [(one["backend"], *one["volume"].values()) for one in answer["volumes"]],
    )
    named = ", ".join(f"{name} {version}" for name, version in answer["versions"].items())
    print(f"seed {answer['seed']}; {named}; revision {answer['revision'] or 'unknown'}")
