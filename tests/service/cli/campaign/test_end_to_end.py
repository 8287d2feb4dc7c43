"""A campaign from its file to its drift: real Redis, real workers, IBM played over loopback."""

import json
import os
from pathlib import Path
from types import SimpleNamespace

import pytest

from tests.backends.ibm.simulated import point_to
from tests.chaos.workers import WorkerProcess
from tests.servers.process import wait_until
from tests.servers.provider_simulators.faults import Fault, Faults, Rule
from tests.servers.provider_simulators.machine import DAY_SECONDS, Machine
from tests.servers.provider_simulators.noise import NoisyDevices
from tests.servers.provider_simulators.providers.ibm import SimulatedIBM
from tests.servers.provider_simulators.server import Server
from tests.servers.receivers import webhook
from workers.jobs.states import FINAL

NIGHTLY = Path(__file__).with_name("drifting.toml").read_text()
HASTY = {
    "LEASE_SECONDS": "1.5",
    "RESEND_SECONDS": "1",
    "SWEEP_SECONDS": "0.1",
    "POLL_SECONDS": "0.1",
    "POLL_MOST_SECONDS": "0.2",
    "SETTLE_SECONDS": "30",
    "BACKOFF_SECONDS": "0.1",
    "BACKOFF_MOST_SECONDS": "0.5",
}
ANSWER_SECONDS = 10.0
"""How long IBM lets a first submission wait for its answer, having accepted it."""


@pytest.fixture
def ibm(monkeypatch):
    """Return an IBM whose errors double every day of its clock."""
    faults, clock = Faults(), SimpleNamespace(seconds=0.0)
    noise = NoisyDevices(drift=1.0, clock=lambda: clock.seconds)
    with Server(SimulatedIBM(faults, Machine(faults), simulator=noise)) as server:
        point_to(server, monkeypatch)
        yield SimpleNamespace(machine=server.provider.machine, faults=faults, clock=clock)


@pytest.fixture
def hook(monkeypatch):
    with webhook() as receiver:
        monkeypatch.setenv("STICHWERK_NOTIFY_WEBHOOK", receiver.url)
        yield receiver


@pytest.fixture
def start(folder, ibm, hook, redis_url, monkeypatch):
    """Return a function that starts a worker, beside a campaign's file."""
    (folder / "nightly.toml").write_text(NIGHTLY)
    monkeypatch.setenv("STICHWERK_REDIS", redis_url)
    for name, value in HASTY.items():
        monkeypatch.setenv(f"STICHWERK_{name}", value)
    started = []

    def start_one():
        worker = WorkerProcess(folder, os.environ, f"worker{len(started)}", 2)
        started.append(worker)
        worker.start()
        return worker

    yield start_one
    for worker in started:
        worker.stop()


def begun(stichwerk, at):
    """Return the number of the job of the run that is due at a time."""
    answer = stichwerk("campaign", "nightly.toml", "--at", at, "--json")
    assert answer.code == 0, answer.err
    (job_id,) = json.loads(answer.out)["jobs"]
    return job_id


def told(stichwerk, job_id):
    return json.loads(stichwerk("job", str(job_id), "--json").out)


def ended(stichwerk, job_id):
    """Return what is told of a job that workers have brought to its end."""
    assert wait_until(lambda: told(stichwerk, job_id)["state"] in FINAL, 120, pause=0.1)
    job = told(stichwerk, job_id)
    assert job["state"] == "done", job["events"]
    return job


@pytest.mark.full
def test_runs_are_resumed_paid_once_and_tell_drift_only_where_there_is_some(
    stichwerk, start, ibm, hook
):
    ibm.faults.add(Rule(Fault.SLOW_ANSWER, "submit", times=1, seconds=ANSWER_SECONDS))
    first_worker = start()
    monday = begun(stichwerk, "2026-11-23T02:00")
    assert wait_until(ibm.machine.audit, 120)
    # IBM has the job, and nobody here will ever hear so: who asked is dead.
    first_worker.stop()
    assert told(stichwerk, monday)["state"] == "running"
    start()
    _owned(stichwerk, ended(stichwerk, monday), ibm.machine.audit())
    assert begun(stichwerk, "2026-11-24T01:59") == monday

    tuesday = ended(stichwerk, begun(stichwerk, "2026-11-24T02:00"))
    assert tuesday["id"] != monday
    assert tuesday["batched"]["drifts"] == []
    assert not any(" σ" in event["detail"] for event in tuesday["events"])

    ibm.clock.seconds += 4 * DAY_SECONDS
    saturday = ended(stichwerk, begun(stichwerk, "2026-11-28T02:00"))
    (drift,) = saturday["batched"]["drifts"]
    assert (drift["backend"], drift["verdict"], drift["runs"]) == ("ibm:torino", "worse", 2)
    changed = drift["calibration"]["changed"]
    assert changed["now"] == pytest.approx(min(0.5, 16 * changed["before"]))
    assert drift["told"].startswith("ibm:torino lost ")
    assert [event["detail"] for event in saturday["events"] if " σ" in event["detail"]] == [
        drift["told"]
    ]
    assert len(ibm.machine.audit()) == 3
    assert wait_until(lambda: hook.received, 30)
    assert [(one["kind"], one["text"]) for one in hook.received] == [("drift", drift["told"])]


def _owned(stichwerk, job, accepted):
    """Check that a run tells states, log and costs of its jobs, and that IBM was paid once."""
    assert [one["shots"] for one in accepted] == [1000]
    rounds = job["rounds"]
    assert [(one["backend"], one["state"]) for one in rounds["jobs"]] == [
        ("ibm:torino", "done"), ("sparse", "done"),
    ]  # fmt: skip
    log = [event["detail"] for event in job["events"]]
    assert log.count("ghz2.qasm on ibm:torino: 1000 shots") == 1
    assert log.count("ghz2.qasm on sparse: 1000 shots") == 1
    assert any(line.startswith("1 circuit for providers, up to ") for line in log)
    at_ibm = told(stichwerk, rounds["jobs"][0]["id"])
    assert (at_ibm["asks"], at_ibm["provider_id"]) == (1, accepted[0]["id"])
    assert at_ibm["tag"] == job["tag"] == "campaign nightly 2026-11-23 02:00"
    assert "the provider has it already" in [event["detail"] for event in at_ibm["events"]]
    kinds = [(one["budget"], one["kind"]) for one in at_ibm["ledger"]]
    assert kinds.count((f"batch:{job['id']}", "reserved")) == 1
    assert rounds["shots"] == 2000
    assert rounds["usage_seconds"] == at_ibm["usage_seconds"] > 0
    assert rounds["charged_cost_usd"] == at_ibm["charged_cost_usd"] is not None
    assert rounds["estimated_cost_usd"] == job["estimated_cost_usd"]
