"""A small database with everything that a report has to cope with."""

from collections.abc import Iterator

import pytest
from sqlalchemy.orm import Session

from compiler.workload import Source
from workers.compiling import compile_program, verify_compilation
from workers.database import open_database
from workers.jobs import run_job
from workers.orders import CompileOrder, plan
from workers.records import Candidate, Compilation, Job
from workers.scoring import scored

THREE = Source(
    "three.toml",
    b'game = "skat"\nrules = "paper"\nplayers = 3\nhand = 1\ndeck = ["CA", "C10", "CK"]\n',
)
GHZ = Source(
    "ghz.qasm",
    b'OPENQASM 2.0; include "qelib1.inc"; qreg q[3]; creg c[3];'
    b"h q[0]; cx q[0], q[1]; cx q[1], q[2]; measure q -> c;",
)
HOSTILE = '<script src="x">alert(1)</script>$x^$.toml'


def compiled(session: Session, source: Source, target: str = "all") -> Compilation:
    """Compile a source fast."""
    checked = plan(CompileOrder(source, target, "fast"))
    compilation = compile_program(session, checked, None, lambda _: None)
    return verify_compilation(session, compilation, None, lambda _: None)


def recorded(
    session: Session, compilation: Compilation, backend: str, counts: dict[str, int]
) -> Job:
    """Record a job whose counts are made up."""
    job = Job(
        compilation=compilation, program=compilation.program, target=compilation.target,
        backend=backend, shots=sum(counts.values()), seed=0, state="done", counts=counts,
    )  # fmt: skip
    session.add(job)
    session.commit()
    return job


def hostile(verified: str) -> Compilation:
    """Return a record of a source that cannot be read, with markup in every text."""
    return Compilation(
        program=HOSTILE,
        source=b"no game",
        source_digest="d" * 64,
        target="star:4<i>",
        method="fast",
        encoding="paper",
        objective="two_qubit_gates",
        seed=0,
        program_verified="exact",
        compile_seconds=None,
        versions={"<u>": "<b>"},
        revision="<s>",
        candidates=[
            Candidate(
                synthesis="literal",
                pipeline="qiskit",
                seed=0,
                verified=verified,
                detail="<em>why</em>",
                chosen=verified == "unverified",
                two_qubit_gates=12,
            )
        ],
    )


@pytest.fixture
def empty() -> Iterator[Session]:
    """A database without records."""
    with Session(open_database("sqlite://")) as session:
        yield session


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Session]:
    """A game compiled twice, run, scored and not; a circuit; failures; hostile names."""
    path = tmp_path_factory.mktemp("records") / "records.sqlite"
    with Session(open_database(str(path))) as session:
        compiled(session, THREE)
        game = compiled(session, THREE)
        run_job(session, game, "sparse", 500, 0)
        recorded(session, game, "aer", {"1": 77})
        noise = recorded(session, game, "aer:noisy", {str(bits): 10 for bits in range(64)})
        noise.scores = scored(noise)
        lost = recorded(session, game, "aer:lost", {})
        lost.counts, lost.shots = None, 5
        lost.state, lost.error = "failed", "the machine <is> down"
        for verified, detail in (("failed", "no <route>"), ("refuted", "state differs")):
            game.candidates.append(
                Candidate(synthesis="literal", pipeline="tket", seed=1, verified=verified,
                          detail=detail)
            )  # fmt: skip
        circuit = compiled(session, GHZ)
        run_job(session, circuit, "sparse", 200, 0)
        session.add_all([hostile("unverified"), hostile("failed")])
        session.commit()
        yield session
