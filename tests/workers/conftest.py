"""A database in memory, and a game of three cards compiled into it."""

from collections.abc import Callable, Iterator

import pytest
from sqlalchemy.orm import Session

from compiler.workload import Source
from workers.compiling import compile_program, verify_compilation
from workers.database import open_database
from workers.orders import CompileOrder, plan
from workers.records import Compilation

TOY = Source("toy.toml", b'game = "skat"\nplayers = 2\nhand = 1\ndeck = ["CA", "C10", "CK"]\n')


GHZ = Source(
    "ghz.qasm",
    b'OPENQASM 2.0; include "qelib1.inc"; qreg q[3]; creg c[3];'
    b"h q[0]; cx q[0], q[1]; cx q[1], q[2]; measure q -> c;",
)


WIDE = Source(
    "wide.qasm",
    b'OPENQASM 3.0; include "stdgates.inc"; qubit[8] q; bit[8] c; h q[0]; h q[1];'
    b"ctrl(7) @ x q[0], q[1], q[2], q[3], q[4], q[5], q[6], q[7]; c = measure q;",
)


@pytest.fixture
def wide() -> Source:
    """A gate with seven controls, which takes fewer gates where there are clean ancillas."""
    return WIDE


@pytest.fixture
def ghz() -> Source:
    """Three qubits that are all 0 or all 1."""
    return GHZ


@pytest.fixture
def toy() -> Source:
    """Three cards, one of them in the skat."""
    return TOY


@pytest.fixture
def session() -> Iterator[Session]:
    """An empty database."""
    with Session(open_database("sqlite://")) as session:
        yield session


@pytest.fixture
def compiled(session: Session) -> Callable[..., Compilation]:
    """Return a function that compiles and verifies a source in this process."""

    def compile_(source: Source, target: str = "all", method: str = "fast") -> Compilation:
        checked = plan(CompileOrder(source, target, method))
        made = compile_program(session, checked, None, lambda _: None)
        return verify_compilation(session, made, None, lambda _: None)

    return compile_
