"""A running service with simulated providers, and a Prometheus that watches it."""

import json
import os
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import yaml
from attrs import frozen
from sqlalchemy import Engine, func, select
from sqlalchemy.orm import Session

from compiler.compilation import Options
from compiler.words.estimator_names import EstimatorName
from games.sources import Source
from tests.dashboards.rule_files import RULES
from tests.servers.commands import running_command
from tests.servers.process import free_port, wait_until
from tests.servers.prometheus import PrometheusServer
from tests.servers.provider_simulators.faults import Faults
from tests.servers.provider_simulators.playing import running_providers
from tests.servers.redis import RedisServer
from workers.accounts.tokens import Scope, create_token
from workers.compilation.orders import CompileOrder
from workers.estimation.request import Estimation
from workers.jobs.request import Submission
from workers.jobs.states import JobKind
from workers.jobs.submission import checked, submit
from workers.records.database import open_database
from workers.records.tables import Job
from workers.settings import Settings

PATIENT_SECONDS = 240.0

SETTINGS = {
    "STICHWERK_LEASE_SECONDS": "5",
    "STICHWERK_RESEND_SECONDS": "1",
    "STICHWERK_POLL_SECONDS": "0.2",
    "STICHWERK_SETTLE_SECONDS": "0.2",
    "STICHWERK_BACKOFF_SECONDS": "0.2",
    "STICHWERK_DAY_BUDGET_USD": "1000",
    "STICHWERK_TAG_BUDGET_USD": "1000",
}


@frozen(eq=False)
class Watched:
    """The service and what watches it.

    Args:
        engine: of the records.
        redis: the broker.
        prometheus: scrapes every second.
        faults: of the simulated providers, by name.
        worker: the process of the command `worker`.
    """

    engine: Engine
    redis: RedisServer
    prometheus: PrometheusServer
    faults: Mapping[str, Faults]
    worker: "subprocess.Popen[bytes]"
    _api: str
    _token: str

    def ask(self, method: str, path: str, asked: Mapping[str, Any] | None = None) -> Any:
        """Return the answer of the HTTP API to a request."""
        headers = {"Authorization": f"Bearer {self._token}", "Content-Type": "application/json"}
        body = None if asked is None else json.dumps(asked).encode()
        request = Request(f"{self._api}{path}", body, headers, method=method)
        with urlopen(request, timeout=PATIENT_SECONDS) as answer:
            return json.load(answer)

    def submit(self, **asked: Any) -> int:
        """Submit a job over HTTP, and return its number."""
        (job,) = self.ask("POST", "/jobs", {"method": "fast", "shots": 400} | asked)["jobs"]
        return int(job["id"])

    def estimate(self, source: Source, backend: str) -> int:
        """Record an estimate of a game's first event, for any input, and return its number."""
        asked = Estimation("win", EstimatorName.BAYESIAN, 0.1, 0.95, 50, 4)
        order = CompileOrder(source, "all", Options("fast", any_input=True))
        submission = Submission(
            order, backend, 50, 0, kind=JobKind.ESTIMATION, request=asked.as_json()
        )
        with Session(self.engine) as session:
            (job,) = submit(session, Settings(), checked(submission))
            return job.id

    def states(self) -> dict[str, int]:
        """Return how many jobs are in each state."""
        with Session(self.engine) as session:
            rows = session.execute(select(Job.state, func.count()).group_by(Job.state))
            return dict(rows.all())

    def wait_for_jobs(self, **ended: int) -> None:
        """Wait until so many jobs have ended in each state, and no other is left."""
        assert wait_until(lambda: self.states() == ended, PATIENT_SECONDS, 0.1), self.states()

    def wait_for(self, expression: str) -> None:
        """Wait until PromQL has an answer."""
        assert wait_until(lambda: bool(self.prometheus.query(expression)), PATIENT_SECONDS, 0.2), (
            f"nothing answers {expression}"
        )


@contextmanager
def watched_service(database: str) -> Iterator[Watched]:
    """Run a service on an empty PostgreSQL database, and a Prometheus with the rules.

    Args:
        database: its address.
    """
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stichwerk-watched-")))
        redis = stack.enter_context(RedisServer())
        engine = open_database(database)
        stack.callback(engine.dispose)
        environment = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("AWS_", "QISKIT_IBM", "STICHWERK_", "PROMETHEUS_"))
        }
        environment |= SETTINGS | {
            "STICHWERK_DATABASE": database,
            "STICHWERK_REDIS": redis.url,
        }
        servers = stack.enter_context(running_providers())
        for server in servers.values():
            environment |= server.provider.environment(server.url)
        faults = {name: server.provider.faults for name, server in servers.items()}
        with Session(engine) as session:
            token = create_token(session, "watched", [Scope.SUBMIT, Scope.READ, Scope.CANCEL])
            scraper = create_token(session, "prometheus", [Scope.METRICS])
        api, worker = free_port(), free_port()
        words = ("worker", "--processes", "2", "--metrics-port", str(worker))
        _, command = (
            stack.enter_context(running_command(folder, *each, environment=environment))
            for each in (("serve", "--port", str(api)), words)
        )
        prometheus = stack.enter_context(
            PrometheusServer(
                _configuration(
                    f"127.0.0.1:{api}", f"127.0.0.1:{worker}", scraper, _hurried(RULES, folder)
                )
            )
        )
        watched = Watched(
            engine, redis, prometheus, faults, command.process, f"http://127.0.0.1:{api}", token
        )
        watched.wait_for("count(up == 1) == 2")
        yield watched


def _hurried(rules: Sequence[Path], folder: Path) -> list[Path]:
    """Return copies of rules without intervals of their own, which are too long to wait for."""
    copies = [folder / path.name for path in rules]
    for path, copy in zip(rules, copies, strict=True):
        groups = yaml.safe_load(path.read_text())["groups"]
        for group in groups:
            group.pop("interval", None)
        copy.write_text(json.dumps({"groups": groups}))
    return copies


def _configuration(api: str, worker: str, token: str, rules: Sequence[Path]) -> str:
    """Return a `prometheus.yml`, which is JSON, and so YAML."""
    return json.dumps(
        {
            "global": {"scrape_interval": "1s", "evaluation_interval": "1s"},
            "rule_files": [str(path) for path in rules],
            "scrape_configs": [
                {
                    "job_name": "stichwerk-api",
                    "authorization": {"credentials": token},
                    "static_configs": [{"targets": [api]}],
                },
                {"job_name": "stichwerk-worker", "static_configs": [{"targets": [worker]}]},
            ],
        }
    )
