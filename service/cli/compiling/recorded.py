"""Compiling, proving and recording, with progress on stderr."""

from pathlib import Path
from typing import Any

from sqlalchemy.orm import Session

from compiler.compilation.plan import Plan
from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.formats.openqasm.writing import qasm3_text
from compiler.words.plurals import how_many
from service.cli.output.plots import write_output
from service.cli.output.printing import progress
from service.cli.output.progress import backend_progress, say_if_first
from service.results.jobs.compilations import CompilationResult
from workers.compilation.compiling import compile_order
from workers.compilation.orders import CompileOrder
from workers.jobs.without_queue import run_job
from workers.parallel import process_pool
from workers.records.database import open_database
from workers.records.tables import Compilation, Job

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
