"""The command `fidelity`: how well devices play, as the papers build it and at its best."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated

import typer
from attrs import asdict, evolve, frozen
from sqlalchemy.orm import Session

from backends import BackendError
from compiler.compilation import Options
from compiler.compilation.options import check_objective
from compiler.compilation.plan import Plan
from compiler.errors import InputError
from compiler.lowering.pipeline import passes_from_zero
from compiler.program import Program
from compiler.scores.scoring import MAX_BITS, normalized, register_noise_fidelity, score
from compiler.targets.calibration import calibrated_spec
from compiler.targets.device import is_device
from compiler.targets.ibm_devices import snapshot
from games import Game, encodings, encodings_of
from games.sources import Source, read_game, read_program
from service.cli.compile_options import Pipelines
from service.cli.compiling.recorded import run_compiled
from service.cli.devices import Devices, checked_devices
from service.cli.options import (
    DATABASE,
    PROCESSES,
    Database,
    Details,
    Json,
    Processes,
    Seed,
    Shots,
)
from service.cli.output.plots import Plot, write_figure
from service.cli.output.printing import print_result, print_rows, progress, say
from service.cli.program_argument import read_source
from service.results.device_runs import (
    DeviceSnapshot,
    FidelityResult,
    FidelityRun,
    OwnerScore,
    UniformNoise,
)
from service.results.jobs.runs import Score, scores_of
from workers.compilation.compiling import compile_order, source_of
from workers.compilation.orders import CompileOrder, plan_order
from workers.jobs.request import check_shots
from workers.parallel import process_pool
from workers.records.database import open_database
from workers.records.tables import Job, now

OBJECTIVES = ("two_qubit_gates", "expected_fidelity")

LITERAL_PIPELINES = ("qiskit",)
"""The others take minutes to save a tenth of the gates, and noise dominates in any case."""


@frozen
class DeviceCircuit:
    """A circuit for a device, and how often it runs there."""

    device: str
    checked: tuple[CompileOrder, Plan]
    shots: int


def fidelity_command(
    *,
    program: Annotated[str, typer.Argument(metavar="[GAME]")] = "skat-4",
    device: Devices = None,
    shots: Shots = 2000,
    literal_shots: int = 24,
    objective: Annotated[
        list[str] | None, typer.Option(show_default=" and ".join(OBJECTIVES))
    ] = None,
    pipeline: Pipelines = None,
    seed: Seed = 0,
    plot: Plot = None,
    database: Database = DATABASE,
    processes: Processes = PROCESSES,
    details: Details = False,
    as_json: Json = False,
) -> None:
    """Compare how well devices play a game, with literal and optimised circuits.

    Example: `stichwerk fidelity --device boston --plot fidelity.png`

    Options:
        program: A game's name, or a game's .toml.
        literal_shots: Shots of the literal circuit, 1 to 4 s each; 0 omits it.
        objective: Only circuits with this objective; may be repeated.
    """
    source, devices = read_source(program), checked_devices(device)
    objectives = objective or OBJECTIVES
    for count in (shots, literal_shots) if literal_shots else (shots,):
        check_shots(count)
    for name in objectives:
        check_objective(name)
    game, bits = _game(source)
    options = Options("best", seed=seed, pipelines=tuple(pipeline or ()))
    circuits = [
        DeviceCircuit(name, plan_order(order), count)
        for name in devices
        for order in _orders(source, game, name, objectives, options)
        if (count := literal_shots if order.options.method == "literal" else shots)
    ]
    with Session(open_database(database)) as session:
        runs, left_out = _runs(session, circuits, bits, processes)
    used = dict.fromkeys(run.encoding for run in runs)
    result = FidelityResult(
        program=source.name,
        seed=seed,
        owner_bits=bits,
        observables={
            observable.name: float(game.average(observable.name)) for observable in game.observables
        },
        devices=[device_snapshot(name) for name in devices],
        runs=runs,
        left_out=left_out,
        uniform_noise=[uniform_noise(source, bits, encoding) for encoding in used],
        database=database,
    )
    if plot is not None:
        from service.cli.fidelity.plots import draw_fidelity

        write_figure(draw_fidelity(result), plot)
    print_result(result, print_fidelity, as_json=as_json, details=details)


def _game(source: Source) -> tuple[Game, int]:
    """Return a game, and the size of a register that holds its outcomes."""
    if source.is_circuit:
        raise InputError(
            f"{source.name}: not a card game, which has no exact result to compare with"
        )
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
    processes: int,
) -> tuple[list[FidelityRun], list[str]]:
    """Compile and run everything; also return why runs were left out."""
    runs, left_out, seen = [], [], set()
    with process_pool(processes) as each:
        compilations = [
            compile_order(session, *circuit.checked, each, progress) for circuit in circuits
        ]
    for circuit, compilation in zip(circuits, compilations, strict=True):
        key = (circuit.device, compilation.method, compilation.encoding, compilation.chosen.native)
        if key in seen:
            say(f"{compilation.program}: {compilation.objective} chooses the same circuit again")
            continue
        seen.add(key)
        backend = f"aer:{circuit.device}"
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


def print_fidelity(result: FidelityResult) -> None:
    """Print the best run, and every run as measured and mitigated beside uniform noise."""
    rows = [
        (run.noise, run.circuit, run.gates_text, run.shots, title, score)
        for run in result.runs
        for kind, title in (("raw", "as measured"), ("mitigated", "mitigated"))
        if (score := run.scores.get(kind))
    ]
    measured = [
        (score.owner_normalized_fidelity or 0.0, run)
        for run in result.runs
        if (score := run.scores.get("raw"))
    ]
    if measured:
        fidelity, best = max(measured, key=lambda of: of[0])
        print(
            f"{result.program} is played best on {best.noise}: fidelity {fidelity:.3f} (1 exact, "
            f"0 noise) with {best.gates_text} two-qubit gates ({best.circuit})."
        )
    noise = [
        ("uniform noise", of.encoding, None, None, "as measured", of.scores["raw"])
        for of in result.uniform_noise
        if of.scores
    ]
    print_rows(
        f"Runs; exact P(win) {result.observables['win']:.4f}",
        [*rows, *noise],
        "device=0", "circuit=1", "2q gates=2", "shots=3", "readout=4",
        "fidelity=5.owner_normalized_fidelity", "legal=5.legal_fraction",
        "P(win)=5.observables.win.measured", "low=5.observables.win.low",
        "high=5.observables.win.high",
    )  # fmt: skip
    for encoding in result.flattered:
        print(
            f"Ignore post-selected figures of {encoding}: post-selected uniform noise scores as "
            "well."
        )
    print_rows("Left out", [(reason,) for reason in result.left_out], "reason=0")


def device_snapshot(device: str) -> DeviceSnapshot:
    """Return which calibration snapshot of a device its noise comes from."""
    if is_device(device):
        return DeviceSnapshot(
            device=device, snapshot=device, backend_version=None, calibrated_at=None
        )
    shipped = snapshot(device)
    return DeviceSnapshot(
        device=device,
        snapshot=shipped.name,
        backend_version=shipped.backend_version,
        calibrated_at=shipped.properties().last_update_date.isoformat(),
    )


def fidelity_run(job: Job, owner_bits: int, device: str) -> FidelityRun:
    """Return a finished job's figures and its scores, as measured and mitigated.

    Args:
        job: one that is done.
        owner_bits: size of a register that holds the owners of all cards.
        device: whose noise it was run with.
    """
    chosen = job.compiled.chosen
    program = read_program(source_of(job.compiled), job.compiled.encoding)
    return FidelityRun.from_objects(
        job, job.compiled, chosen,
        job=job.id, device=device, pipeline_seed=chosen.seed,
        scores=_with_owners(scores_of(job), program, owner_bits),
    )  # fmt: skip


def uniform_noise(source: Source, owner_bits: int, encoding: str) -> UniformNoise:
    """Return the scores of uniform noise on an encoding's measured bits, none if they are many."""
    program = read_program(source, encoding)
    bits = program.circuit.num_clbits
    if bits > MAX_BITS:
        return UniformNoise(encoding=encoding, scores=None)
    kinds = zip(
        ("raw", "post_selected"), score(program, dict.fromkeys(range(1 << bits), 1.0)), strict=True
    )
    scores = {kind: Score(**asdict(of)) for kind, of in kinds if of is not None}
    return UniformNoise(encoding=encoding, scores=_with_owners(scores, program, owner_bits))


def _with_owners(
    scores: Mapping[str, Score], program: Program, owner_bits: int
) -> dict[str, OwnerScore]:
    """Return scores with a figure that encodings share.

    `owner_normalized_fidelity` is 0 for uniform noise on the owners of the cards, in any encoding;
    bits that stand for no outcome are wrong. Post-selected it has the same zero.
    """
    assert program.judge is not None
    noise = register_noise_fidelity(program.judge, owner_bits)

    def owners(fidelity: float | None) -> float | None:
        return None if fidelity is None or noise is None else normalized(fidelity, noise)

    return {
        kind: OwnerScore.from_objects(of, owner_normalized_fidelity=owners(of.hellinger_fidelity))
        for kind, of in scores.items()
    }
