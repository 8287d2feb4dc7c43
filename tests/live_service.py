"""A running service: HTTP API, worker with its exporter, broker and simulated providers."""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from attrs import frozen
from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from tests.servers import fixtures
from tests.servers.commands import SERVING, running_command
from tests.servers.process import wait_until
from tests.servers.provider_simulators.faults import Faults
from tests.servers.provider_simulators.playing import running_providers
from tests.servers.redis import RedisServer
from workers.accounts.tokens import Scope, create_token
from workers.jobs.states import FINAL
from workers.records.database import open_database
from workers.records.tables import Job

PATIENT_SECONDS = 300.0

TOY = 'game = "skat"\nplayers = 2\nhand = 1\ndeck = ["CA", "C10", "CK"]\n'
"""Two players, three cards, one of them in the skat."""

FOREIGN = ("AWS_", "QISKIT_IBM", "STICHWERK_", "PROMETHEUS_")
"""Prefixes of variables that the service does not inherit from the tests."""


@frozen(eq=False)
class LiveService:
    """A running service.

    Args:
        engine: of the records.
        redis: the broker.
        faults: of the simulated providers, by name.
        worker: the process of the command `worker`.
        api: address; likewise `exporter`, of the worker's metrics.
        token: with all scopes.
    """

    engine: Engine
    redis: RedisServer
    faults: Mapping[str, Faults]
    worker: "subprocess.Popen[bytes]"
    api: str
    exporter: str
    token: str

    def ask(self, path: str, body: object = None) -> str:
        """Return the answer of the HTTP API to a request; with a body it is a POST."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self.api + path, data, headers), timeout=PATIENT_SECONDS) as answer:
            return str(answer.read().decode())

    def submit(self, **given: Any) -> int:
        """Submit a job over HTTP, by default of the toy on the sparse simulator."""
        program = {} if {"program", "file"} & given.keys() else {"game": TOY}
        asked = {"backend": "sparse", "method": "fast", "shots": 400} | program | given
        return int(json.loads(self.ask("/jobs", asked))["jobs"][0]["id"])

    def job(self, job_id: int) -> Job:
        """Return a job as it is now."""
        with Session(self.engine, expire_on_commit=False) as session:
            return session.get_one(Job, job_id)

    def done(self, job_id: int) -> Job:
        """Wait for a job's end and return it."""
        assert wait_until(lambda: self.job(job_id).state in FINAL, PATIENT_SECONDS, 0.1)
        return self.job(job_id)

    def states(self) -> dict[str, int]:
        """Return how many jobs are in each state."""
        with Session(self.engine) as session:
            rows = session.execute(select(Job.state, func.count()).group_by(Job.state))
            return dict(rows.all())


@contextmanager
def live_service(database: str, folder: Path, **settings: str) -> Iterator[LiveService]:
    """Run a service until the block ends.

    Args:
        database: address of the records, which are empty.
        folder: of its logs.
        settings: variables of its environment.
    """
    with ExitStack() as stack:
        redis = stack.enter_context(fixtures.present(RedisServer))
        engine = open_database(database)
        stack.callback(engine.dispose)
        with Session(engine) as session:
            token = create_token(session, "tests", list(Scope))
        servers = stack.enter_context(running_providers())
        environment = {k: v for k, v in os.environ.items() if not k.startswith(FOREIGN)}
        for server in servers.values():
            environment |= server.provider.environment(server.url)
        environment |= settings | {
            "STICHWERK_DATABASE": database,
            "STICHWERK_REDIS": redis.url,
            "STICHWERK_POLL_SECONDS": "0.2",
            "STICHWERK_SETTLE_SECONDS": "0.2",
        }
        api, worker = (
            stack.enter_context(
                running_command(folder, *words, ready=ready, environment=environment)
            )
            for words, ready in (
                (("serve", "--port", "0"), SERVING),
                (("worker", "--processes", "2", "--metrics-port", "0"),
                 SERVING.replace("serving", "metrics")),
            )
        )  # fmt: skip
        faults = {name: server.provider.faults for name, server in servers.items()}
        yield LiveService(engine, redis, faults, worker.process, api.address, worker.address, token)
