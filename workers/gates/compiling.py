"""Carrying out one order and counting: calls that any process can make."""

from sqlalchemy import create_engine
from sqlalchemy.orm import Session

from compiler.errors import InputError, LoweringError, VerificationError
from workers.compiling import compile_program, verify_compilation
from workers.gates.counts import Counts
from workers.orders import CompileOrder, plan
from workers.records.base import Record


def objection(order: CompileOrder) -> str:
    """Return what is wrong with an order, `""` if it can be carried out."""
    try:
        plan(order)
    except InputError as error:
        return str(error)
    return ""


def counted(order: CompileOrder) -> Counts:
    """Compile, prove and count; nothing is recorded."""
    engine = create_engine("sqlite://")
    Record.metadata.create_all(engine)
    try:
        with Session(engine) as session:
            made = compile_program(session, plan(order), None, _quietly)
            proven = verify_compilation(session, made, None, _quietly)
            chosen = proven.chosen
            return Counts(
                chosen.two_qubit_gates or 0,
                chosen.two_qubit_depth or 0,
                chosen.depth or 0,
                chosen.gates or 0,
                proven.verified,
            )
    except (LoweringError, VerificationError) as error:
        return Counts.of_failure(error)
    finally:
        engine.dispose()


def _quietly(_: str) -> None:
    """Attempts are too many to be told of one by one."""
