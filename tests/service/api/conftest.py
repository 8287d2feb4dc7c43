"""The API without a network: an application, its database, and tokens."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from attrs import define, field
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from service.api.app import create_app
from service.api.broker import BrokerLink
from service.api.dependencies import Service
from tests.service.conftest import GHZ_3
from workers.accounts.tokens import Scope, create_token
from workers.jobs.states import Queue
from workers.queue.worker import Worker
from workers.records.tables import Job
from workers.settings import Settings
from workers.untrusted_programs.inspector import Inspector

LIMITS = Settings(
    most_qubits=40, most_gates=500, most_bytes=20_000, most_shots=2000, most_jobs=8, readers=1
)


class KeptInspector(Inspector):
    """One for all tests: starting its child takes seconds."""

    def close(self) -> None:
        """Stay."""


@define(eq=False)
class Redis:
    """What stands for Redis: remembers what it was sent."""

    sent: list[tuple[int, Queue]] = field(factory=list)
    away: bool = False

    def send(self, job_id: int, queue: Queue) -> None:
        """Take a message."""
        self._require()
        self.sent.append((job_id, queue))

    def count(self) -> Mapping[Queue, int]:
        """Return the lengths of the queues."""
        self._require()
        return {queue: sum(to == queue for _, to in self.sent) for queue in Queue}

    def _require(self) -> None:
        if self.away:
            raise ConnectionError("refused")


@define(eq=False)
class Api:
    """A client with a token for everything but `all`, and what lies behind the API."""

    app: FastAPI
    client: TestClient
    engine: Engine
    redis: Redis
    token: str
    _names: int = 0

    def ask(self, method: str, path: str, token: str | None = None, **given: Any) -> Response:
        """Return the answer to a request."""
        headers = {"Authorization": f"Bearer {token or self.token}"} | given.pop("headers", {})
        return self.client.request(method, path, headers=headers, **given)

    def get(self, path: str, **given: Any) -> Response:
        """Return the answer to a GET request."""
        return self.ask("GET", path, **given)

    def post(self, path: str, json: Any = None, **given: Any) -> Response:
        """Return the answer to a POST request."""
        return self.ask("POST", path, json=json, **given)

    def submit(self, **given: Any) -> Response:
        """Submit GHZ states, or something else."""
        key = given.pop("key", None)
        token = given.pop("token", None)
        asked = {"backend": "sparse", "shots": 100, "method": "fast"} | given
        if not {"program", "game", "file"} & asked.keys():
            asked["file"] = {"name": "ghz.qasm", "content": GHZ_3}
        headers = {"Idempotency-Key": key} if key else {}
        return self.post("/jobs", asked, headers=headers, token=token)

    def jobs(self, **given: Any) -> list[int]:
        """Submit, and return the ids."""
        answer = self.submit(**given)
        assert answer.status_code == 202, answer.text
        return [job["id"] for job in answer.json()["jobs"]]

    def token_for(self, *scopes: str) -> str:
        """Return a new token."""
        self._names += 1
        with Session(self.engine) as session:
            return create_token(session, f"token-{self._names}", scopes)

    def change(self, job_id: int, **values: Any) -> None:
        """Change a record behind the API's back."""
        with Session(self.engine) as session:
            job = session.get_one(Job, job_id)
            for name, value in values.items():
                setattr(job, name, value)
            session.commit()

    def finish(self, job_id: int) -> None:
        """Do what workers do."""
        Worker(self.engine, LIMITS).advance(job_id)

    def count(self) -> int:
        """Return how many jobs are recorded."""
        with Session(self.engine) as session:
            return len(session.scalars(select(Job.id)).all())


@pytest.fixture(scope="session")
def inspector() -> Iterator[Inspector]:
    """The process that reads programs."""
    inspector = KeptInspector(LIMITS)
    inspector.start()
    yield inspector
    Inspector.close(inspector)


@pytest.fixture
def engine(any_engine: Engine) -> Engine:
    """An empty database."""
    return any_engine


@pytest.fixture
def make_api(inspector: Inspector, engine: Engine) -> Iterator[Callable[[Settings], Api]]:
    """Return a function that starts the API with other limits."""
    open_: list[TestClient] = []

    def make(set_: Settings) -> Api:
        redis = Redis()
        app = create_app(Service(engine, set_, inspector, BrokerLink(redis.send, redis.count)))
        client = TestClient(app).__enter__()
        open_.append(client)
        with Session(engine) as session:
            token = create_token(session, "tests", set(Scope) - {Scope.ALL})
        return Api(app, client, engine, redis, token)

    yield make
    for client in open_:
        client.__exit__(None, None, None)


@pytest.fixture
def api(make_api: Callable[[Settings], Api]) -> Api:
    """The API with small limits."""
    return make_api(LIMITS)
