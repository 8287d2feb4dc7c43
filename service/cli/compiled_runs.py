"""Compiling, proving and running programs one after the other, with progress on stderr."""

from concurrent.futures import Executor

from sqlalchemy.orm import Session

from compiler.words.plurals import how_many
from service.cli.output.backend_progress import backend_progress
from service.cli.output.printing import say
from workers.compilation.compiling import compile_program, verify_compilation
from workers.compilation.orders import PlannedOrder
from workers.jobs.without_queue import run_job
from workers.records.tables import Compilation, Job


def compiled(session: Session, planned: PlannedOrder, pool: Executor | None) -> Compilation:
    """Compile and prove a program; see `compile_program`."""
    return verify_compilation(session, compile_program(session, planned, pool, say), pool, say)


def run_compiled(session: Session, compilation: Compilation, backend: str, shots: int) -> Job:
    """Run a compiled program with the seed that it was compiled with; see `run_job`."""
    say(f"{compilation.program} on {compilation.target}: {how_many(shots, 'shot')} on {backend}")
    with backend_progress():
        return run_job(session, compilation, backend, shots, compilation.seed, progress=say)
