"""Compiling, proving and recording, with progress on stderr."""

from pathlib import Path

from sqlalchemy.orm import Session

from compiler.formats.circuit_files import qpy_bytes, read_qpy
from compiler.formats.openqasm.writing import qasm3_text
from service.cli.output.files import write_output
from service.cli.output.first_time import say_if_first
from service.cli.output.printing import say
from service.results.jobs.compilations import CompilationResult
from workers.compilation.best_encoding import carry_out
from workers.compilation.orders import PlannedOrder
from workers.parallel import process_pool
from workers.records.database import open_database
from workers.records.tables import Compilation


def compile_recorded(
    checked: PlannedOrder, database: str, processes: int, path: Path | None
) -> CompilationResult:
    """Compile, record, and return the result.

    Args:
        checked: what is to be compiled.
        database: of the records.
        processes: how many attempts are made side by side.
        path: of the file that the circuit is written to; None for none.
    """
    with Session(open_database(database)) as session:
        compilation = compile_and_verify(session, checked, processes)
        if path:
            _write(compilation, path)
        return CompilationResult.of(compilation)


def compile_and_verify(session: Session, checked: PlannedOrder, processes: int) -> Compilation:
    """Run the stages `compile` and `verify` with progress on stderr."""
    say_if_first("compiler")
    with process_pool(min(processes, len(checked.plan.attempts))) as pool:
        return carry_out(session, checked, pool, say)


def _write(compilation: Compilation, path: Path) -> None:
    circuit = read_qpy(compilation.chosen.native or b"", compilation.program)
    content = qpy_bytes(circuit) if path.suffix == ".qpy" else qasm3_text(circuit).encode()
    write_output("output", path, content)
