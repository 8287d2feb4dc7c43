"""The service as a user starts it: `stichwerk serve` and a worker, on real servers."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from attrs import frozen
from sqlalchemy import ColumnElement, Engine, func, select, text
from sqlalchemy.orm import Session

from stichwerk.client import Client
from tests.chaos.programs import PROGRAMS
from tests.chaos.workers import WorkerProcess
from tests.servers.commands import SERVING, running_command
from tests.servers.postgres import PostgresServer
from tests.servers.redis import RedisServer
from workers.accounts.tokens import Scope, create_token
from workers.records.database import open_database
from workers.records.tables import Job

DATABASES = ("postgresql", "sqlite")


@frozen(eq=False)
class Service:
    """A service that runs.

    Args:
        engine: of its database.
        database: the database's name and version.
        url: of the HTTP API.
        token: that may submit and read.
        worker: not started yet.
        circuit: a file that all jobs run.
    """

    engine: Engine
    database: str
    url: str
    token: str
    worker: WorkerProcess
    circuit: Path

    def client(self, token: str = "") -> Client:
        """Return a client with a connection of its own, which asks once."""
        return Client(self.url, token or self.token, retries=0)

    def submit(self, client: Client, repeat: int = 1) -> list[int]:
        """Submit jobs, and return their numbers.

        Raises:
            ClientError: if they are refused.
        """
        return client.submit(
            file=self.circuit, backend="sparse", method="fast", shots=10, repeat=repeat
        )

    def count(self, *conditions: ColumnElement[bool]) -> int:
        """Return how many jobs fulfil conditions."""
        with self.engine.connect() as connection:
            counted = select(func.count()).select_from(Job).where(*conditions)
            return connection.scalar(counted) or 0


@contextmanager
def service(kind: str, processes: int) -> Iterator[Service]:
    """Run a service with an empty database.

    Args:
        kind: of the database, one of `DATABASES`.
        processes: of its worker.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stichwerk-load-")))
        redis = stack.enter_context(RedisServer())
        address = str(folder / "records.sqlite")
        if kind == "postgresql":
            address = stack.enter_context(PostgresServer()).create("load")
        engine = open_database(address)
        stack.callback(engine.dispose)
        environment = {
            **{name: text for name, text in os.environ.items() if "STICHWERK" not in name},
            "STICHWERK_DATABASE": address,
            "STICHWERK_REDIS": redis.url,
        }
        with Session(engine) as session:
            token = create_token(session, "load", [Scope.SUBMIT, Scope.READ])
        worker = WorkerProcess(folder, environment, "worker", processes)
        stack.callback(worker.stop)
        serving = running_command(
            folder, "serve", "--port", "0", ready=SERVING, environment=environment
        )
        url = f"http://127.0.0.1:{stack.enter_context(serving).port}"
        circuit = folder / PROGRAMS[-1].source.name
        circuit.write_bytes(PROGRAMS[-1].source.content)
        yield Service(engine, _version(engine), url, token, worker, circuit)


def _version(engine: Engine) -> str:
    question = "sqlite_version()" if engine.dialect.name == "sqlite" else "version()"
    with engine.connect() as connection:
        version = str(connection.scalar(text(f"SELECT {question}")))
    parts = version.split()
    return f"SQLite {version}" if engine.dialect.name == "sqlite" else " ".join(parts[:2])
