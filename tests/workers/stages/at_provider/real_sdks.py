"""Both simulated providers behind their real SDKs, and jobs that only have to be submitted."""

import os
from collections.abc import Iterator
from functools import cache
from itertools import count

import dateutil.parser
import pytest
from attrs import evolve, field, frozen
from qiskit_ibm_runtime.utils import converters
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from backends.braket.connection import forget
from compiler.compilation import Options
from games.sources import Source
from tests.servers.provider_simulators.faults import Rule
from tests.servers.provider_simulators.playing import running_providers
from tests.servers.provider_simulators.server import Server
from tests.workers.conftest import HASTY
from workers.compilation.orders import CompileOrder
from workers.jobs.request import Submission
from workers.jobs.states import FINAL, Queue
from workers.jobs.submission import checked, submit
from workers.queue.worker import Worker
from workers.records.tables import Event, Job
from workers.settings import Settings

NUMBERS = count()

ONE = Source(
    "one.qasm",
    b'OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; creg c[2]; x q[0]; measure q -> c;',
)

BACKENDS = ("ibm:torino", "braket:garnet")

LOOKS = 400
"""After which a job that has not come where it should is told."""


@frozen(eq=False)
class Service:
    """A database and a worker beside both providers.

    Args:
        engine: of the database.
        servers: of the providers, by name.
        settings: of the worker.
    """

    engine: Engine
    servers: dict[str, Server]
    settings: Settings = field(default=evolve(HASTY, most_failures=2, settle_seconds=0.3))

    def with_settle(self, seconds: float) -> "Service":
        """Return the same service, which gives providers more time to show a job."""
        return evolve(self, settings=evolve(self.settings, settle_seconds=seconds))

    def submit(self, backend: str, **given: object) -> int:
        """Submit a job of one shot, compile it, and return its number."""
        asked = Submission(CompileOrder(ONE, "", Options("fast", budget=5)), backend, 1, **given)
        with Session(self.engine) as session:
            (job,) = submit(session, self.settings, checked(asked))
            job_id = job.id
        Worker(self.engine, self.settings, queues={Queue.COMPILE}).advance(job_id)
        return job_id

    def advance(self, job_id: int, times: int = 1) -> None:
        """Let a worker look at a job."""
        for _ in range(times):
            Worker(self.engine, self.settings).advance(job_id)

    def job(self, job_id: int) -> Job:
        """Return a job, read afresh and detached."""
        with Session(self.engine) as session:
            return session.get_one(Job, job_id)

    def until(self, job_id: int, *states: str) -> Job:
        """Advance a job until it is in one of these states, or has ended."""
        for _ in range(LOOKS):
            job = self.job(job_id)
            if job.state in (*states, *FINAL):
                return job
            self.advance(job_id)
        raise AssertionError(f"job {job_id} is {job.state}: {self.events(job_id)}")

    def events(self, job_id: int) -> list[str]:
        """Return what has happened to a job."""
        with Session(self.engine) as session:
            rows = select(Event.detail).where(Event.job_id == job_id).order_by(Event.id)
            return list(session.scalars(rows))

    def fail(self, backend: str, *rules: Rule) -> None:
        """Let a backend's provider fail."""
        for rule in rules:
            self.servers[backend.partition(":")[0]].provider.faults.add(rule)

    def fired(self, backend: str) -> int:
        """Return how often a backend's provider has failed."""
        rules = self.servers[backend.partition(":")[0]].provider.faults.listed()
        return sum(rule["fired"] for rule in rules)

    def mend(self) -> None:
        """Let all providers work again."""
        for server in self.servers.values():
            server.provider.faults.clear()

    def accepted(self) -> list[str]:
        """Return the keys of all jobs that the providers have accepted."""
        audits = (server.provider.machine.audit() for server in self.servers.values())
        return [entry["key"] for audit in audits for entry in audit]


def connect_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the next calls connect, as in another process."""
    monkeypatch.setenv("QISKIT_IBM_URL", f"https://{next(NUMBERS)}.example")
    forget()


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, Server]]:
    """Run both providers, and lead the SDKs of this process there."""
    monkeypatch.setattr(dateutil.parser, "isoparse", cache(dateutil.parser.isoparse))
    monkeypatch.setattr(converters, "utc_to_local", cache(converters.utc_to_local))
    for name in [name for name in os.environ if "AWS" in name or "BRAKET" in name]:
        monkeypatch.delenv(name)
    for name in ("AWS_SHARED_CREDENTIALS_FILE", "AWS_CONFIG_FILE"):
        monkeypatch.setenv(name, "/nonexistent")
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    with running_providers() as servers:
        for server in servers.values():
            for variable, value in server.provider.environment(server.url).items():
                monkeypatch.setenv(variable, value)
        connect_anew(monkeypatch)
        yield servers
    forget()
