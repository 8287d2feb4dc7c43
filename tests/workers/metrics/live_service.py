"""A worker with its exporter, an API and simulated providers, in which jobs have gone every way."""

import json
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from attrs import frozen
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from tests.servers import fixtures
from tests.servers.commands import SERVING, running_command
from tests.servers.process import wait_until
from tests.servers.provider_simulators.faults import Fault, Faults, Rule
from tests.servers.provider_simulators.machine import Machine
from tests.servers.provider_simulators.providers.braket import SimulatedBraket
from tests.servers.provider_simulators.server import Server
from tests.servers.redis import RedisServer
from tests.workers.metrics.exposed import Series
from workers.accounts.tokens import Scope, create_token
from workers.jobs.states import FINAL
from workers.records.database import open_database
from workers.records.tables import Job, PeerResult

PATIENT_SECONDS = 300.0
PROCESSES = 2
BACKEND = "braket:garnet"

TOY = 'game = "skat"\nplayers = 2\nhand = 1\ndeck = ["CA", "C10", "CK"]\n'


@frozen(eq=False)
class Live:
    """What runs.

    Args:
        engine: of its database.
        api, exporter: addresses.
        token: that opens the API.
        worker: the worker's process.
        faults: what the simulated Braket does wrong.
    """

    engine: Engine
    api: str
    exporter: str
    token: str
    worker: "subprocess.Popen[bytes]"
    faults: Faults

    def ask(self, path: str, body: object = None, method: str | None = None) -> str:
        """Return what the API answers."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(self.api + path, data, headers, method=method)) as answer:
            return answer.read().decode()

    def submit(self, backend: str = "sparse", **given: object) -> int:
        """Submit the toy, or the program that is given, and return the job's number."""
        program = {} if "program" in given else {"game": TOY}
        asked = program | {"backend": backend, "shots": 50, "method": "fast"} | given
        return json.loads(self.ask("/jobs", asked))["jobs"][0]["id"]

    def job(self, job_id: int) -> Job:
        """Return a job as it is now."""
        with Session(self.engine, expire_on_commit=False) as session:
            return session.get_one(Job, job_id)

    def done(self, job_id: int) -> Job:
        """Wait for a job's end and return it."""
        assert wait_until(lambda: self.job(job_id).state in FINAL, PATIENT_SECONDS, 0.1)
        return self.job(job_id)

    def told_by_api(self) -> Series:
        """Return what the API tells Prometheus."""
        return Series(self.ask("/metrics"))

    def told_by_worker(self) -> Series:
        """Return what the worker tells Prometheus."""
        with urlopen(f"{self.exporter}/metrics") as answer:
            return Series(answer.read().decode())

    def children(self) -> set[int]:
        """Return the worker's processes that take jobs."""
        found = set()
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                words = path.read_text().rpartition(")")[2].split()
                line = (path.parent / "cmdline").read_bytes()
                if (
                    int(words[1]) == self.worker.pid
                    and words[0] != "Z"
                    and b"sweeper_process" not in line
                ):
                    found.add(int(path.parent.name))
        return found


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """A whole service, in which some jobs have ended already."""
    folder = tmp_path_factory.mktemp("live")
    address = str(folder / "records.sqlite")
    engine = open_database(address)
    with Session(engine) as session:
        token = create_token(session, "tests", list(Scope))
    faults = Faults()
    braket = SimulatedBraket(faults, Machine(faults))
    with ExitStack() as stack:
        redis = stack.enter_context(fixtures.present(RedisServer))
        server = stack.enter_context(Server(braket))
        (folder / "tmp").mkdir()
        variables = braket.environment(server.url) | {
            "STICHWERK_DATABASE": address,
            "STICHWERK_REDIS": redis.url,
            "STICHWERK_POLL_SECONDS": "0.1",
            "STICHWERK_SETTLE_SECONDS": "0.2",
            "STICHWERK_DAY_BUDGET_USD": "100",
            "TMPDIR": str(folder / "tmp"),
        }
        words = ("worker", "--processes", str(PROCESSES), "--metrics-port", "0")
        exporter = SERVING.replace("serving", "metrics")
        worker = stack.enter_context(running_command(folder, *words, ready=exporter, **variables))
        api = stack.enter_context(
            running_command(folder, "serve", "--port", "0", ready=SERVING, **variables)
        )
        service = Live(engine, api.address, worker.address, token, worker.process, faults)
        _work(service)
        yield service
    assert not list((folder / "tmp").glob("stichwerk-metrics-*"))
    engine.dispose()


def _work(live: Live) -> None:
    """Let jobs go every way: done, compiled before, tried again, failed, cancelled."""
    twice = [live.submit(target="heavy-hex:torino")]
    live.done(twice[0])
    twice.append(live.submit(target="heavy-hex:torino"))
    live.done(twice[1])
    live.done(live.submit(program="skat-4", encoding="lean"))
    live.faults.add(Rule(Fault.SERVER_ERROR, "status", times=2))
    assert live.done(live.submit(BACKEND, tag="paid")).state == "done"
    live.faults.add(Rule(Fault.JOB_FAILED, "submit", times=1))
    assert live.done(live.submit(BACKEND)).state == "failed"
    live.faults.add(Rule(Fault.SERVER_ERROR, "submit"))
    stuck = live.submit(BACKEND)
    assert wait_until(lambda: live.job(stuck).failures > 0, PATIENT_SECONDS, 0.1)
    live.faults.clear()
    live.done(stuck)
    with Session(live.engine) as session:
        for job, error in zip(twice, (0.01, 0.09), strict=True):
            of_17 = {"what": "readout", "on": [17], "error": error, "uses": 1}
            session.get_one(Job, job).calibration = {"at": "", "errors": [of_17]}
        session.add(
            PeerResult(
                comparison="one", suite="s", program="p", form="f", target="t", peer="qiskit",
                variant="0", two_qubit_gates=1, two_qubit_depth=1, seconds=1.0, verified="exact",
                holds="any input", versions={},
            )
        )  # fmt: skip
        session.commit()
