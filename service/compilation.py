"""The commands `compile` and `run`."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer
from sqlalchemy.orm import Session

from backends import backend_from_spec
from compiler.circuit_files import qasm3_text, qpy_bytes, read_qpy
from compiler.errors import InputError
from compiler.lowering.portfolio import BUDGET, SEEDS
from compiler.measurement import final_measurements
from compiler.scoring import exact_distribution
from compiler.workload import workload
from service.answers import ILLEGAL, compilation_answer, job_answer
from service.compile_options import (
    AnyInput,
    Budget,
    Encoding,
    Method,
    ObjectiveName,
    Pipelines,
    Program,
    Seeds,
    TimeLimit,
    Without,
    check_objective,
    read_source,
)
from service.options import DATABASE, PROCESSES, Database, Json, Processes, Seed, Shots
from service.output import print_json, print_table, say
from workers.compiling import compile_program, source_of, verify_compilation
from workers.database import open_database
from workers.jobs import check_shots, run_job
from workers.orders import CompileOrder, Plan, plan
from workers.parallel import process_pool
from workers.records import Compilation, Job
from workers.scoring import counts_of

MOST_OUTCOMES = 16
K = TypeVar("K")

Target = Annotated[
    str, typer.Option("--target", "-t", help="Where to lower to; see 'stichwerk targets'.")
]


def compile_command(
    *,
    program: Program,
    target: Target = "all",
    method: Method = "best",
    pipeline: Pipelines = None,
    encoding: Encoding = "best",
    objective: ObjectiveName = "two_qubit_gates",
    seed: Seed = 0,
    seeds: Seeds = SEEDS,
    budget: Budget = BUDGET,
    without: Without = None,
    any_input: AnyInput = False,
    time_limit: TimeLimit = None,
    output: Annotated[
        str, typer.Option("--output", "-o", help="Write the circuit: .qasm (OpenQASM 3) or .qpy.")
    ] = "",
    database: Database = DATABASE,
    processes: Processes = PROCESSES,
    as_json: Json = False,
) -> None:
    """Lower a program to a target's native gates, prove the result right, and record it.

    Examples:
    - `stichwerk compile skat-4 --target star:17 -o skat.qasm`

    - `stichwerk compile my-game.toml --target heavy-hex:torino --method literal --json`

    - `stichwerk compile circuit.qasm --target star:5:iqm --method fast`
    """
    check_objective(objective)
    source = read_source(program)
    path = _output_path(output)
    order = CompileOrder(
        source,
        target,
        method,
        encoding,
        objective,
        seed,
        pipelines=tuple(pipeline or ()),
        seeds=seeds,
        budget=budget,
        without=tuple(without or ()),
        any_input=any_input,
        time_limit=time_limit,
    )
    checked = plan(order)
    with Session(open_database(database)) as session:
        compilation = compile_and_verify(session, checked, processes)
        if path:
            _write(compilation, path)
        answer = compilation_answer(compilation)
    if as_json:
        print_json(answer)
    else:
        _print_compilation(answer, path)


def run_command(
    *,
    program: Program,
    backend: Annotated[str, typer.Option("--backend", "-b", help="See 'stichwerk backends'.")],
    target: Annotated[
        str, typer.Option("--target", "-t", help="Where to lower to; by default the backend's.")
    ] = "",
    shots: Shots = 1000,
    method: Method = "best",
    pipeline: Pipelines = None,
    encoding: Encoding = "best",
    objective: ObjectiveName = "two_qubit_gates",
    seed: Seed = 0,
    seeds: Seeds = SEEDS,
    budget: Budget = BUDGET,
    without: Without = None,
    any_input: AnyInput = False,
    time_limit: TimeLimit = None,
    database: Database = DATABASE,
    processes: Processes = PROCESSES,
    as_json: Json = False,
) -> None:
    """Compile a program, run it on a backend, and score what it measured.

    Examples:
    - `stichwerk run skat-4 --backend sparse --shots 4096`

    - `stichwerk run skat-4 --backend aer:torino --shots 20 --json`
    """
    check_objective(objective)
    check_shots(shots)
    source = read_source(program)
    machine = backend_from_spec(backend)
    spec = target or machine.default_target()
    if not machine.accepts(spec):
        raise InputError(
            f"backend '{backend}' runs circuits for '{machine.default_target()}', not '{spec}'"
        )
    order = CompileOrder(
        source,
        spec,
        method,
        encoding,
        objective,
        seed,
        pipelines=tuple(pipeline or ()),
        seeds=seeds,
        budget=budget,
        without=tuple(without or ()),
        any_input=any_input,
        time_limit=time_limit,
    )
    checked = plan(order)
    if not final_measurements(checked.work.program)[1]:
        raise InputError(f"{program}: the circuit measures nothing; add measurements to run it")
    with Session(open_database(database)) as session:
        compilation = compile_and_verify(session, checked, processes)
        say(f"{source.name}: {shots} shots on {backend}")
        job = run_job(session, compilation, backend, shots, seed)
        answer = job_answer(job)
    if as_json:
        print_json(answer)
    else:
        _print_job(answer, job)


def compile_and_verify(session: Session, checked: Plan, processes: int) -> Compilation:
    """Run the stages `compile` and `verify` with progress on stderr."""
    with process_pool(min(processes, len(checked.attempts))) as pool:
        compilation = compile_program(session, checked, pool, say)
        return verify_compilation(session, compilation, pool, say)


def _output_path(output: str) -> Path | None:
    """Check where a circuit is to be written, before anything is computed."""
    if not output:
        return None
    path = Path(output)
    if path.suffix not in (".qasm", ".qpy"):
        raise InputError(f"output '{output}': must end in .qasm or .qpy")
    if not path.parent.is_dir():
        raise InputError(f"output '{output}': there is no folder '{path.parent}'")
    if path.is_dir():
        raise InputError(f"output '{output}': is a folder")
    return path


def _write(compilation: Compilation, path: Path) -> None:
    circuit = read_qpy(compilation.chosen.native or b"", compilation.program)
    content = qpy_bytes(circuit) if path.suffix == ".qpy" else qasm3_text(circuit).encode()
    try:
        path.write_bytes(content)
    except OSError as error:
        raise InputError(f"output '{path}': cannot be written: {error.strerror}") from error


def _print_compilation(answer: dict[str, Any], path: Path | None) -> None:
    shown = [(key, value) for key, value in answer.items() if not isinstance(value, dict | list)]
    print_table("Compiled", ("figure", "value"), [(key, _text(value)) for key, value in shown])
    print_table(
        "Passes (0: what changed here does the same from |0…0⟩ only)",
        ("pass", "two-qubit gates", ""),
        [
            (step["name"], step["two_qubit_gates"], "0" if step["from_zero"] else "")
            for step in answer["steps"]
        ],
    )
    if path:
        print(f"written to {path}")


def _print_job(answer: dict[str, Any], job: Job) -> None:
    _print_compilation(answer, None)
    scores = {row.kind: row for row in job.scores}
    if scores:
        names = [name for name in answer["scores"] if name != "post_selected"]
        rows = [[name, *(getattr(row, name) for row in scores.values())] for name in names]
        print_table("Scores", ("score", *scores), rows)
    _print_outcomes(job)


def _print_outcomes(job: Job) -> None:
    work = workload(source_of(job.compiled), job.compiled.encoding)
    if work.game is None:
        bits = work.program.num_clbits
        rows = [(format(measured, f"0{bits}b"), n) for measured, n in _top(counts_of(job))]
        print_table("Most measured outcomes (bit 0 on the right)", ("bits", "shots"), rows)
        return
    game, exact = work.game, exact_distribution(work.game)
    print_table(
        "Most measured outcomes",
        ("outcome", "shots", "expected"),
        [
            (ILLEGAL, n, None)
            if outcome is None
            else (game.describe(outcome), n, exact and exact.get(outcome, 0.0) * job.shots)
            for outcome, n in _top(work.outcomes(counts_of(job)))
        ],
    )


def _top(counts: Mapping[K, int]) -> list[tuple[K, int]]:
    return sorted(counts.items(), key=lambda item: -item[1])[:MOST_OUTCOMES]


def _text(value: object) -> str:
    return "–" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
