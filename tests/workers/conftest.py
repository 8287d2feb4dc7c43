"""Small programs, a database of their own, and a provider that is a folder."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from attrs import evolve, field, frozen
from sqlalchemy import Engine, select, update
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.compilation.listener import each_here
from games import DEFAULT_ENCODING
from games.sources import Source
from tests.workers.compiled_once import compiled_once
from tests.workers.folder_provider import FolderProvider
from workers.compilation.compiling import compile_order
from workers.compilation.orders import CompileOrder, plan_order
from workers.jobs.request import Submission
from workers.jobs.states import FINAL, Queue
from workers.jobs.submission import checked, submit
from workers.queue.sweeper import Sweeper
from workers.queue.worker import Worker
from workers.records.database import open_database
from workers.records.tables import Compilation, Event, Job
from workers.settings import Settings
from workers.stages.context import shared_backend

__all__ = ["compiled_once"]

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

PATIENT_SECONDS = 300.0

HASTY = Settings(
    lease_seconds=0.6,
    resend_seconds=0.1,
    poll_seconds=0.01,
    poll_most_seconds=0.05,
    settle_seconds=0.05,
    backoff_seconds=0.01,
    backoff_most_seconds=0.05,
    outage_most_seconds=0.05,
    most_failures=4,
)


@pytest.fixture
def ghz() -> Source:
    """Three qubits that are all 0 or all 1."""
    return GHZ


@pytest.fixture
def toy() -> Source:
    """Three cards, one of them in the skat."""
    return TOY


@pytest.fixture
def wide() -> Source:
    """A gate with seven controls, which takes fewer gates where there are clean ancillas."""
    return WIDE


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[Engine]:
    """An empty database."""
    engine = open_database(str(tmp_path / "records.sqlite"))
    yield engine
    engine.dispose()


@pytest.fixture
def session(engine: Engine) -> Iterator[Session]:
    """A session of that database."""
    with Session(engine) as session:
        yield session


@pytest.fixture
def compiled(session: Session) -> Callable[..., Compilation]:
    """Return a function that compiles and verifies a source in this process."""

    def compile_(
        source: Source, target: str = "all", method: str = "fast", budget: int = 5
    ) -> Compilation:
        checked_plan = plan_order(CompileOrder(source, target, Options(method, budget=budget)))
        return compile_order(session, *checked_plan, each_here, lambda _: None)

    return compile_


def swept(
    engine: Engine,
    settings: Settings,
    is_local: Callable[[str], bool] = lambda spec: not spec.startswith("folder"),
    **waiting: int,
) -> list[tuple[int, Queue]]:
    """Sweep once and return the messages that are sent, where queues have these lengths."""
    sent: list[tuple[int, Queue]] = []
    Sweeper(
        engine,
        settings,
        send=lambda job_id, queue: sent.append((job_id, queue)),
        waiting=lambda: {queue: waiting.get(queue, 0) for queue in Queue},
        is_local=is_local,
    ).sweep()
    return sent


@frozen(eq=False)
class StageContext:
    """A service without Redis: a database, a provider, and a worker that is called."""

    engine: Engine
    provider: FolderProvider
    settings: Settings = HASTY
    sent: list[int] = field(factory=list)

    @property
    def backend(self) -> str:
        """The provider's spec."""
        return f"folder:{self.provider.folder}"

    def submit(
        self,
        source: Source = GHZ,
        backend: str = "",
        encoding: str = DEFAULT_ENCODING,
        **given: object,
    ) -> list[int]:
        """Submit jobs and return their numbers."""
        order = CompileOrder(source, "", Options("fast", budget=5, pipelines=("qiskit",)), encoding)
        asked = Submission(order, backend or self.backend, shots=50, **given)
        with Session(self.engine) as session:
            return [job.id for job in submit(session, self.settings, checked(asked))]

    def job(self, job_id: int) -> Job:
        """Return a job with its events, read afresh and detached."""
        with Session(self.engine, expire_on_commit=False) as session:
            job = session.get_one(Job, job_id)
            _ = job.events, job.scores, job.raw_result
            return job

    def rounds(self, job_id: int) -> list[Job]:
        """Return the jobs that an estimate or a training has asked for."""
        with Session(self.engine, expire_on_commit=False) as session:
            rows = session.scalars(select(Job).where(Job.parent_id == job_id).order_by(Job.id))
            return list(rows)

    def events(self, job_id: int) -> list[tuple[str, str]]:
        """Return what has happened to a job."""
        with Session(self.engine) as session:
            rows = session.scalars(select(Event).where(Event.job_id == job_id).order_by(Event.id))
            return [(event.state, event.detail) for event in rows]

    def sweep(self) -> None:
        """Do what is due, once."""
        for job_id, _ in swept(self.engine, self.settings):
            self.advance(job_id)

    def advance(self, job_id: int, times: int = 1) -> None:
        """Let a worker look at a job."""
        for _ in range(times):
            Worker(self.engine, self.settings).advance(job_id)

    def control(self, change: Callable[[Session, int], Job], job_id: int) -> int:
        """Cancel, retry or rescore a job, and return the number of the job that goes on."""
        with Session(self.engine) as session:
            return change(session, job_id).id

    def taken_over(self, job_id: int) -> None:
        """Let another worker take a job over, as if its lease had run out."""
        free = {"lease_owner": None, "lease_until": None, "version": Job.version + 1}
        with self.engine.begin() as connection:
            connection.execute(update(Job).where(Job.id == job_id).values(free))
        self.advance(job_id)

    def until_doubtful(self, job_id: int) -> None:
        """Sweep until nobody knows whether the provider has a job."""
        while not self.job(job_id).doubtful:
            self.sweep()

    def until(self, job_id: int, *states: str) -> Job:
        """Sweep until a job is in one of these states, or has ended."""
        end = time.monotonic() + PATIENT_SECONDS
        while True:
            job = self.job(job_id)
            if job.state in (*states, *FINAL):
                return job
            assert time.monotonic() < end, f"job {job_id} is still {job.state}: {job.events}"
            self.sweep()

    def with_settings(self, **given: object) -> "StageContext":
        """Return the same service with other settings."""
        return evolve(self, settings=evolve(self.settings, **given))


@pytest.fixture
def context(engine: Engine) -> Iterator[StageContext]:
    """A service whose provider accepts everything."""
    # Not below pytest's own folders, whose names are too long for a backend's.
    with TemporaryDirectory() as folder:
        provider = shared_backend(f"folder:{folder}")
        assert isinstance(provider, FolderProvider)
        yield StageContext(engine, provider)
