"""The command `volume`: how large a game a device plays, with its noise."""

from typing import Annotated

import typer
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.compilation.plan import Plan
from compiler.errors import TargetError
from compiler.judge import enumerated
from compiler.scores.intervals import fidelity_interval
from compiler.scores.machine_score import THRESHOLDS, game_volume, normalized_interval
from compiler.scores.scoring import register_noise_fidelity
from compiler.targets.calibration import calibrated_spec
from games.sources import Source, read_game, read_program
from service.cli.compiling.recorded import run_compiled
from service.cli.devices import Devices, checked_devices
from service.cli.options import DATABASE, PROCESSES, Database, Details, Json, Processes, Seed, Shots
from service.cli.output.plots import Plot, write_figure
from service.cli.output.printing import print_result, print_rows, progress, say
from service.results.device_runs import DeviceVolume, VolumeResult, VolumeRun
from workers.compilation.compiling import compile_order, source_of
from workers.compilation.orders import CompileOrder, plan_order
from workers.jobs.request import check_shots
from workers.parallel import process_pool
from workers.records.database import open_database
from workers.records.tables import Job, now
from workers.scoring import counts_of
from workers.volume_ladder import LADDER


def volume_command(
    *,
    device: Devices = None,
    shots: Shots = 1000,
    idle: Annotated[
        bool, typer.Option("--idle", help="Include relaxation of idle qubits.")
    ] = False,
    method: Annotated[str, typer.Option(help="Method of `compile`.")] = "fast",
    seed: Seed = 0,
    plot: Plot = None,
    database: Database = DATABASE,
    processes: Processes = PROCESSES,
    details: Details = False,
    as_json: Json = False,
) -> None:
    """Find the largest card game that a noisy device plays well.

    Each game is compiled for the device, proven, played by `sparse:DEVICE` and scored: 1 is the
    exact distribution of outcomes, 0 uniform noise. The game volume is the number of cards of the
    largest game that scores 0.1, and 0.5.

    Example: `stichwerk volume --device boston --device miami --plot volume.png`
    """
    devices, options = checked_devices(device), Options(method, seed=seed)
    check_shots(shots)
    batch = f"volume {now().isoformat(timespec='seconds')}"
    with Session(open_database(database)) as session, process_pool(processes) as each:
        runs = [
            _result(
                run_compiled(
                    session, compile_order(session, *planned, each, progress), backend, shots
                )
            )
            for name in devices
            for backend in [f"sparse:{name}:idle" if idle else f"sparse:{name}"]
            for program, encoding in LADDER
            if (planned := _planned(
                CompileOrder(
                    Source(program), calibrated_spec(name), options, encoding=encoding, batch=batch
                )
            ))
        ]  # fmt: skip
    if not runs:
        raise TargetError(
            "no game of the ladder fits on any of these devices: the smallest needs 8 qubits"
        )
    plays: dict[str, list[tuple[int, float]]] = {}
    for run in runs:
        plays.setdefault(run.backend, []).append((run.cards, run.normalized_fidelity))
    volumes = [
        DeviceVolume(backend=backend, volume={str(at): n for at, n in game_volume(of).items()})
        for backend, of in plays.items()
    ]
    result = VolumeResult(runs=runs, volumes=volumes, seed=seed, database=database)
    if plot is not None:
        from service.cli.fidelity.plots import draw_volume

        write_figure(draw_volume(result), plot)
    print_result(result, print_volume, as_json=as_json, details=details)


def _planned(order: CompileOrder) -> tuple[CompileOrder, Plan] | None:
    """Check a game, and leave it out if it has more qubits than the device."""
    try:
        return plan_order(order)
    except TargetError as error:
        say(f"left out: {error}")
        return None


def _result(job: Job) -> VolumeRun:
    """Return a run's figures, its fidelity with uniform noise on the outcome's register at 0."""
    compilation, chosen = job.compiled, job.compiled.chosen
    source = source_of(compilation)
    game, program = read_game(source), read_program(source, compilation.encoding)
    exact = enumerated(game)
    assert exact is not None
    assert game.outcome_bits is not None
    noise = register_noise_fidelity(game, game.outcome_bits)
    assert noise is not None
    played = normalized_interval(fidelity_interval(program.outcomes(counts_of(job)), exact), noise)
    raw = job.scored.get("raw")
    return VolumeRun.from_objects(
        job, compilation, played, chosen, raw,
        job=job.id, pipeline_seed=chosen.seed, cards=game.axes["cards"],
        normalized_fidelity=played.value,
    )  # fmt: skip


def print_volume(result: VolumeResult) -> None:
    """Print the largest game volume, then the runs and the volumes."""
    threshold = str(THRESHOLDS[-1])
    best = max(result.volumes, key=lambda of: of.volume[threshold])
    print(
        f"{best.backend.partition(':')[2]} plays games of up to {best.volume[threshold]} cards "
        f"with a fidelity of {threshold} (1 exact, 0 noise)."
    )
    print_rows(
        "Fidelities of devices (1: exact, 0: uniform noise)",
        result.runs,
        "backend", "game=program", "cards", "encoding", "two-qubit gates=gates_text",
        "fidelity=normalized_fidelity", "low", "high", "legal=legal_fraction",
        "expected=expected_fidelity", "seconds=run_seconds",
    )  # fmt: skip
    print_rows(
        "Game volume: cards of the largest game that scores so much",
        [(volume.backend, *volume.volume.values()) for volume in result.volumes],
        "backend=0",
        *(f"{threshold}={place}" for place, threshold in enumerate(THRESHOLDS, 1)),
    )
