"""A worker with its exporter, an API and simulated providers: what they tell of real jobs."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from attrs import frozen
from sqlalchemy import Engine, select
from sqlalchemy.orm import Session

from backends.provider_simulators.braket.api import SimulatedBraket
from backends.provider_simulators.faults import Fault, Faults, Rule
from backends.provider_simulators.machine import Machine
from backends.provider_simulators.server import Server
from service.api.metrics import REQUESTS
from tests.servers import fixtures
from tests.servers.process import MissingServerError, wait_until
from tests.servers.redis import RedisServer
from tests.workers.metrics.exposed import Series
from workers.accounts.tokens import Scope, create_token
from workers.jobs.states import FINAL
from workers.metrics.family import FAMILIES, Source
from workers.records.database import open_database
from workers.records.tables import Candidate, Job, PeerResult

PATIENT_SECONDS = 120.0
COMMAND = (sys.executable, "-m", "service")
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
        """Submit the toy and return the job's number."""
        asked = {"game": TOY, "backend": backend, "shots": 50, "method": "fast"} | given
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


@contextmanager
def started(log: Path, says: str, *words: str, **variables: str) -> Iterator[tuple]:
    """Run a command until the block ends; yield its process and the address that it says."""
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*COMMAND, *words], env=os.environ | variables, cwd=log.parent, stdout=out, stderr=out
        )
    try:
        pattern = re.compile(says + r" (http://127\.0\.0\.1:\d+)")
        found: list[re.Match[str]] = []

        def ready() -> bool:
            found.extend(pattern.finditer(log.read_text()))
            return bool(found) or process.poll() is not None

        assert wait_until(ready, PATIENT_SECONDS, 0.1)
        assert found, log.read_text()
        yield process, found[0][1]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)


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
            "PYTHONPATH": str(Path(__file__).parents[3]),
        }
        words = ("worker", "--processes", str(PROCESSES), "--metrics-port", "0")
        worker, exporter = stack.enter_context(
            started(folder / "worker.log", "metrics on", *words, **variables)
        )
        _, api = stack.enter_context(
            started(folder / "api.log", "serving on", "serve", "--port", "0", **variables)
        )
        service = Live(engine, api, exporter, token, worker, faults)
        _work(service)
        yield service
    assert not list((folder / "tmp").glob("stichwerk-metrics-*"))
    engine.dispose()


def _work(live: Live) -> None:
    """Let jobs go every way: done, compiled before, tried again, failed, cancelled."""
    live.done(live.submit(target="heavy-hex:torino"))
    live.done(live.submit(target="heavy-hex:torino"))
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
        session.add(
            PeerResult(
                comparison="one", suite="s", program="p", form="f", target="t", peer="qiskit",
                variant="0", two_qubit_gates=1, two_qubit_depth=1, seconds=1.0, verified="exact",
                holds="any input", versions={},
            )
        )  # fmt: skip
        session.commit()


def test_every_metric_that_is_declared_is_exported_with_its_labels_and_no_other(live):
    told = (live.told_by_api(), live.told_by_worker())
    exported: dict[str, tuple[str, set[tuple[str, ...]]]] = {}
    for series in told:
        for family in series.families:
            name = f"{family.name}_total" if family.type == "counter" else family.name
            labels = series.labels(name)
            if labels:
                kind, known = exported.setdefault(name, (family.type, set()))
                assert kind == family.type
                known |= labels
    declared = {
        name: (str(family.kind), {tuple(sorted(family.labels))})
        for name, family in FAMILIES.items()
    }
    assert REQUESTS.name in declared
    assert exported == declared


def test_only_the_api_tells_of_the_records(live):
    records = {name for name, family in FAMILIES.items() if family.source is not Source.WORK}
    assert not [name for name in records if live.told_by_worker().labels(name)]
    work = {name for name, family in FAMILIES.items() if family.source is Source.WORK}
    assert {name for name in work if live.told_by_worker().labels(name)} == work


def test_promtool_finds_nothing_to_say(live):
    promtool = fixtures.present(_promtool)
    with urlopen(f"{live.exporter}/metrics") as answer:
        worker = answer.read()
    for text in (live.ask("/metrics").encode(), worker):
        checked = subprocess.run(
            [promtool, "check", "metrics"], input=text, capture_output=True, check=False
        )
        assert (checked.returncode, checked.stdout + checked.stderr) == (0, b"")


def test_transitions_and_durations_are_those_of_the_events(live):
    with Session(live.engine) as session:
        jobs = session.scalars(select(Job)).all()
        entered: dict[tuple[str, str], int] = {}
        for job in jobs:
            states = [
                event.state
                for event in job.events
                if not event.detail.startswith(("will try again", "looked for"))
            ]
            for state in states:
                entered[job.backend, state] = entered.get((job.backend, state), 0) + 1
        ended = {(job.backend, job.state) for job in jobs}
        seconds = sum(
            (job.finished_at - job.created_at).total_seconds()
            for job in jobs if job.backend == "sparse"
        )  # fmt: skip
    series = live.told_by_worker()
    found = series.of("stichwerk_job_transitions_total")
    expected = {key: n for key, n in entered.items() if key[1] != "queued"}
    assert {key: n for key, n in found.items() if n} == expected
    left = series.of("stichwerk_job_state_duration_seconds_count")
    assert left == {key: n for key, n in entered.items() if key[1] not in FINAL}
    assert set(series.of("stichwerk_job_duration_seconds_count")) == ended
    total = series.get("stichwerk_job_duration_seconds_sum", state="done", backend="sparse")
    assert total == pytest.approx(seconds, abs=1e-4)
    spent = series.of("stichwerk_job_state_duration_seconds_sum")
    in_states = sum(n for (backend, _), n in spent.items() if backend == "sparse")
    # Between a job's creation and the first event lies next to nothing.
    assert in_states == pytest.approx(seconds, abs=0.1)


def test_a_second_equal_job_finds_its_circuit(live):
    series = live.told_by_worker()
    found = series.of("stichwerk_compilation_cache_lookups_total")
    # A circuit for each of two targets, and five jobs.
    assert found == {("hit",): 3, ("miss",): 2}
    with Session(live.engine) as session:
        rows = session.scalars(select(Candidate)).all()
        lowered = {row.pipeline: row.lower_seconds for row in rows}
        verified = sum(row.verify_seconds or 0 for row in rows)
    seconds = series.of("stichwerk_compile_duration_seconds_sum")
    assert {pipeline for pipeline, _ in seconds} == set(lowered)
    of = {stage: sum(n for (_, at), n in seconds.items() if at == stage)
          for stage in ("lower", "refine", "verify")}  # fmt: skip
    assert of["verify"] == pytest.approx(verified, rel=1e-6)
    assert of["lower"] + of["refine"] == pytest.approx(
        sum(row.lower_seconds for row in rows), rel=1e-6
    )


def test_calls_of_the_provider_are_told_by_their_outcome(live):
    series = live.told_by_worker()
    calls = series.of("stichwerk_provider_calls_total")
    assert {key[2] for key in calls} == {"braket"}
    of = {(call, outcome): n for (call, outcome, _), n in calls.items()}
    assert of["submit", "ok"] == 3
    assert of["raw_result", "ok"] == 2
    assert of["status", "unavailable"] == 2
    assert of["submit", "unavailable"] >= 1
    assert of["find", "ok"] >= 1
    assert {outcome for _, outcome in of} == {"ok", "unavailable"}
    counted = series.of("stichwerk_provider_call_duration_seconds_count")
    for call in ("submit", "status", "find", "raw_result"):
        both = of.get((call, "ok"), 0) + of.get((call, "unavailable"), 0)
        assert counted[call, "braket"] == both
    failures = series.of("stichwerk_job_temporary_failures_total")
    assert sum(failures.values()) == sum(
        n for (_, outcome), n in of.items() if outcome == "unavailable"
    )


def test_reserved_cost_is_that_of_the_jobs(live):
    with Session(live.engine) as session:
        jobs = session.scalars(select(Job).where(Job.backend == BACKEND)).all()
        costs = [job.estimated_cost_microusd for job in jobs]
        charged = [job.charged_microusd for job in jobs]
    total = live.told_by_worker().get("stichwerk_reserved_cost_usd_total", backend=BACKEND)
    assert total == pytest.approx(sum(costs) / 1e6)
    assert total > 0
    budget = live.told_by_api().get("stichwerk_budget_reserved_usd", budget="day")
    # A job that failed there is charged for nothing.
    assert budget == pytest.approx(sum(charged) / 1e6)
    assert sorted(charged) == [0, *sorted(costs)[1:]]


def test_the_sweeper_counts_beside_the_worker(live):
    before = live.told_by_worker().get("stichwerk_sweeps_total", outcome="ok")
    assert before > 0

    def more() -> bool:
        return live.told_by_worker().get("stichwerk_sweeps_total", outcome="ok") > before

    assert wait_until(more, PATIENT_SECONDS, 0.1)


def test_what_the_api_does_itself_is_told_by_the_api(live):
    name, labels = "stichwerk_job_transitions_total", {"state": "cancelled", "backend": "sparse"}
    before = live.told_by_api().get(name, **labels) or 0
    live.worker.send_signal(signal.SIGSTOP)
    try:
        for child in (children := live.children()):
            os.kill(child, signal.SIGSTOP)
        job_id = live.submit()
        live.ask(f"/jobs/{job_id}/cancel", method="POST")
    finally:
        for process in (*children, live.worker.pid):
            os.kill(process, signal.SIGCONT)
    assert live.told_by_api().get(name, **labels) == before + 1


def test_a_child_that_is_killed_leaves_the_gauges_but_not_the_counters(live):
    assert wait_until(lambda: len(live.children()) == PROCESSES, PATIENT_SECONDS)

    def idle() -> bool:
        return live.told_by_worker().get("stichwerk_worker_busy_processes") == 0

    assert wait_until(idle, PATIENT_SECONDS, 0.1)
    before = live.told_by_worker()
    assert before.get("stichwerk_worker_processes") == PROCESSES
    killed = live.children()
    for child in killed:
        os.kill(child, signal.SIGKILL)

    def replaced() -> bool:
        now = live.children()
        return len(now) == PROCESSES and not now & killed

    assert wait_until(replaced, PATIENT_SECONDS)

    def counted() -> bool:
        return live.told_by_worker().get("stichwerk_worker_processes") == PROCESSES

    assert wait_until(counted, PATIENT_SECONDS, 0.1)
    after = live.told_by_worker()
    name = "stichwerk_job_transitions_total"
    assert after.of(name) == before.of(name)
    assert live.done(live.submit(target="heavy-hex:torino")).state == "done"
    done = {"state": "done", "backend": "sparse"}
    assert wait_until(
        lambda: live.told_by_worker().get(name, **done) == before.get(name, **done) + 1, 10
    )


def test_health_is_told_without_asking_anybody(live):
    with urlopen(f"{live.exporter}/health") as answer:
        assert (answer.status, answer.read()) == (200, b"ok\n")


def test_a_port_that_is_taken_is_refused_at_once(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [*COMMAND, "worker", "--metrics-port", str(port)],
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[3])},
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"stichwerk: cannot listen on 127.0.0.1 port {port}: ")
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def _promtool() -> str:
    found = shutil.which("promtool")
    if found is None:
        raise MissingServerError("promtool is not installed: apt-get install prometheus")
    return found
