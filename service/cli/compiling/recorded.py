"""Compiling, proving and recording, with progress on stderr."""

from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from backends import check_runnable, target_on
from compiler.compilation import Options
from compiler.compilation.listener import each_here
from compiler.compilation.plan import Plan
from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.formats.openqasm.writing import qasm3_text
from compiler.words.plurals import how_many
from games.sources import Source
from games.training import CircuitRun
from service.cli.output.plots import write_output
from service.cli.output.printing import progress, say
from service.cli.output.progress import backend_progress, say_if_first
from service.results.jobs.compilations import CompilationResult
from service.results.jobs.scores import scores_of
from workers.compilation.compiling import compile_order
from workers.compilation.orders import CompileOrder, plan_order
from workers.jobs.request import check_shots
from workers.jobs.submission import least_cost_usd
from workers.jobs.without_queue import run_job
from workers.parallel import process_pool
from workers.records.database import open_database
from workers.records.tables import Compilation, Job
from workers.scoring import counts_of
from workers.settings import settings

QUICK_QUBITS, QUICK_GATES = 16, 200
"""Size of programs that the method `fast` compiles in this process.

Near the limits, such as the Fourier transform on 16 qubits, two processes still take longer.
"""


def compile_recorded(
    checked: tuple[CompileOrder, Plan], database: str, processes: int, path: Path | None
) -> CompilationResult:
    """Compile, record, and return the result.

    Args:
        checked: the order, with its plan.
        database: of the records.
        processes: number of attempts side by side.
        path: of the file that the circuit is written to; None for none.
    """
    with Session(open_database(database)) as session:
        compilation = compile_and_verify(session, checked, processes)
        if path:
            _write(compilation, path)
        return CompilationResult.of(compilation)


def compile_and_verify(
    session: Session, checked: tuple[CompileOrder, Plan], processes: int
) -> Compilation:
    """Compile and prove an order with progress on stderr."""
    say_if_first("compiler")
    if _is_quick(checked[1]):
        processes = 1
    with process_pool(min(processes, len(checked[1].attempts))) as each:
        return compile_order(session, *checked, each, progress)


def _is_quick(plan: Plan) -> bool:
    """Return whether its attempts likely take less time than other processes take to start."""
    circuit = plan.program.circuit
    is_small = circuit.num_qubits <= QUICK_QUBITS and circuit.size() <= QUICK_GATES
    return plan.options.method == "fast" and is_small


def _write(compilation: Compilation, path: Path) -> None:
    circuit = read_qpy(compilation.chosen.native or b"", compilation.program)
    content = qpy_bytes(circuit) if path.suffix == ".qpy" else qasm3_text(circuit).encode()
    write_output("output", path, content)


def run_game(source: Source, backend: str, shots: int, options: Options) -> CircuitRun:
    """Compile a game, run it, record it, and return its scores.

    Args:
        source: the game.
        backend: that runs it.
        shots: of the circuit.
        options: of the compiler; the seed is also the backend's.

    Raises:
        InputError: if the game, the shots or the backend are invalid.
        BackendError: if the backend refuses or fails the circuit.
    """
    check_shots(shots)
    order, plan = plan_order(CompileOrder(source, target_on(backend, ""), options))
    check_runnable(backend, plan.program.circuit)
    cost = least_cost_usd(backend, shots, 1)
    if cost:
        say(f"{source.name}: costs at least {cost.normalize():f} USD")
    with Session(open_database(settings().database)) as session:
        compilation = compile_order(session, order, plan, each_here, progress)
        job = run_job(session, compilation, backend, shots, options.seed, progress=progress)
        gates = compilation.chosen.two_qubit_gates
        assert gates is not None, "the circuit of a run has been lowered"
        observables = scores_of(job)["raw"].model_dump()["observables"]
        return CircuitRun(job.id, counts_of(job), gates, observables)


def run_compiled(
    session: Session, compilation: Compilation, backend: str, shots: int, **columns: Any
) -> Job:
    """Run a compiled program with the seed that it was compiled with; see `run_job`."""
    progress(
        f"{compilation.program} on {compilation.target}: {how_many(shots, 'shot')} on {backend}"
    )
    with backend_progress():
        return run_job(
            session, compilation, backend, shots, compilation.seed, progress=progress, **columns
        )
