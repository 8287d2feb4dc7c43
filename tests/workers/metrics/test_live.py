"""A worker with its exporter, an API and simulated providers: what they tell of real jobs."""

import subprocess
from urllib.request import urlopen

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from service.api.metrics import REQUESTS
from tests.live_service import PATIENT_SECONDS, LiveService, live_service
from tests.servers import fixtures
from tests.servers.process import wait_until
from tests.servers.prometheus import prometheus_program
from tests.servers.provider_simulators.faults import Fault, Rule
from tests.workers.metrics.exposed import Series
from tests.workers.metrics.rows import TODAY, job
from workers.jobs.states import FINAL
from workers.metrics.family import FAMILIES, Source
from workers.records.tables import Candidate, Compilation, Job, PeerResult

pytestmark = pytest.mark.full
BACKEND = "braket:garnet"


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """A whole service, in which some jobs have ended already."""
    folder = tmp_path_factory.mktemp("live")
    (folder / "tmp").mkdir()
    settings = {"STICHWERK_DAY_BUDGET_USD": "100", "TMPDIR": str(folder / "tmp")}
    with live_service(str(folder / "records.sqlite"), folder, **settings) as service:
        _work(service)
        yield service
    assert not list((folder / "tmp").glob("stichwerk-metrics-*"))


def _work(live: LiveService) -> None:
    """Let jobs go every way: done, compiled before, tried again, failed, cancelled."""
    twice = [live.submit(target="heavy-hex:torino")]
    live.done(twice[0])
    twice.append(live.submit(target="heavy-hex:torino"))
    live.done(twice[1])
    live.done(live.submit(program="skat-4", encoding="lean"))
    live.faults["braket"].add(Rule(Fault.SERVER_ERROR, "status", times=2))
    assert live.done(live.submit(backend=BACKEND, tag="paid")).state == "done"
    live.faults["braket"].add(Rule(Fault.JOB_FAILED, "submit", times=1))
    assert live.done(live.submit(backend=BACKEND)).state == "failed"
    live.faults["braket"].add(Rule(Fault.SERVER_ERROR, "submit"))
    stuck = live.submit(backend=BACKEND)
    assert wait_until(lambda: live.job(stuck).failures > 0, PATIENT_SECONDS, 0.1)
    live.faults["braket"].clear()
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


def told_by_worker(live):
    """Return what the worker tells Prometheus."""
    with urlopen(f"{live.exporter}/metrics") as answer:
        return Series(answer.read().decode())


@pytest.fixture
def estimated(live):
    """An estimate and a calibrated job in the records, on which no worker works."""
    found = {
        "estimate": 0.45, "low": 0.4, "high": 0.5, "exact": 0.42, "calls": 900, "deepest": 4,
        "sampling_calls": 1800, "reached": True, "method": "best", "encoding": "paper",
        "variant": "", "title": "P(win)", "rounds": [],
    }  # fmt: skip
    asked = {"observable": "win", "estimator": "bayesian", "confidence": 0.95}
    with Session(live.engine) as session:
        made = job(
            99, "done", "aer", kind="estimation", request=asked, result=found, finished_at=TODAY
        )
        calibrated = session.scalars(
            select(Compilation).where(Compilation.calibrated_at.is_not(None))
        ).first()
        waiting = job(98, "submitting", BACKEND, compilation=calibrated, due_at=None)
        session.add_all([made, waiting])
        session.commit()
        yield
        session.delete(made)
        session.delete(waiting)
        session.commit()


@pytest.mark.usefixtures("estimated")
def test_every_metric_that_is_declared_is_exported_with_its_labels_and_no_other(live):
    told = (Series(live.ask("/metrics")), told_by_worker(live))
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
    assert not [name for name in records if told_by_worker(live).labels(name)]
    work = {name for name, family in FAMILIES.items() if family.source is Source.WORK}
    assert {name for name in work if told_by_worker(live).labels(name)} == work


def test_promtool_finds_nothing_to_say(live):
    promtool = fixtures.present(lambda: prometheus_program("promtool"))
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
                if not event.detail.startswith(
                    ("will try again", "looked for", "reserved", "charged")
                )
            ]
            for state in states:
                entered[job.backend, state] = entered.get((job.backend, state), 0) + 1
        ended = {(job.backend, job.state) for job in jobs}
        seconds = sum(
            (job.finished_at - job.created_at).total_seconds()
            for job in jobs if job.backend == "sparse"
        )  # fmt: skip
    series = told_by_worker(live)
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
    series = told_by_worker(live)
    found = series.of("stichwerk_compilation_cache_lookups_total")
    # A circuit for each of two targets, and one of four cards, and six jobs.
    assert found == {("hit",): 3, ("miss",): 3}
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
    series = told_by_worker(live)
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


def test_health_is_told_without_asking_anybody(live):
    with urlopen(f"{live.exporter}/health") as answer:
        assert (answer.status, answer.read()) == (200, b"ok\n")
