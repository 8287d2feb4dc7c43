"""The service as a user starts it: `stichwerk serve` and a worker, on real servers."""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from attrs import frozen
from sqlalchemy import Engine, text
from sqlalchemy.orm import Session

from tests.chaos.workers import COMMAND, WorkerProcess
from tests.servers.postgres import PostgresServer
from tests.servers.process import ServerError, tethered, wait_until
from tests.servers.redis import RedisServer
from workers.accounts.tokens import Scope, create_token
from workers.records.database import open_database

START_SECONDS = 60.0
STOP_SECONDS = 20.0
SERVING = re.compile(r"serving on http://127\.0\.0\.1:(\d+)")
DATABASES = ("postgresql", "sqlite")


@frozen(eq=False)
class Service:
    """A service that runs.

    Args:
        engine: of its database.
        database: the database's name and version.
        port: of the HTTP API on 127.0.0.1.
        token: that may submit and read.
        worker: not started yet.
    """

    engine: Engine
    database: str
    port: int
    token: str
    worker: WorkerProcess


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
        port = stack.enter_context(_serving(folder, environment))
        yield Service(engine, _version(engine), port, token, worker)


@contextmanager
def _serving(folder: Path, environment: Mapping[str, str]) -> Iterator[int]:
    """Run `stichwerk serve` and return its port."""
    log = folder / "serve.log"
    with log.open("wb") as out:
        process = subprocess.Popen(
            tethered([str(COMMAND), "serve", "--port", "0"], "KILL"),
            cwd=folder,
            env=dict(environment),
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
    try:
        wait_until(lambda: bool(SERVING.search(log.read_text())), START_SECONDS)
        found = SERVING.search(log.read_text())
        if found is None:
            raise ServerError(f"stichwerk serve does not start: {log.read_text()[-1000:]}")
        yield int(found[1])
    finally:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _version(engine: Engine) -> str:
    question = "sqlite_version()" if engine.dialect.name == "sqlite" else "version()"
    with engine.connect() as connection:
        told = str(connection.scalar(text(f"SELECT {question}")))
    words = told.split()
    return f"SQLite {told}" if engine.dialect.name == "sqlite" else " ".join(words[:2])
