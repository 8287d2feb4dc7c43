"""Amazon Braket: the last check before a task is created, searches, and what tasks cost."""

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import boto3
import pytest
from attrs import evolve
from botocore.exceptions import ClientError
from qiskit import QuantumCircuit

from backends import BackendError, Charge, CircuitJob, JobState, UnavailableError, backend_from_spec
from backends.braket.devices import sdk_devices
from tests.backends.braket.simulated import KEY, fail, job, tasks, wait
from tests.servers.provider_simulators.braket.tasks import WORDS
from tests.servers.provider_simulators.faults import Fault


@pytest.fixture
def asked(server):
    """Return the names of the requests that arrive."""
    arrived = []

    def noting(route):
        def answer(request, real=route.answer):
            arrived.append(route.operation)
            return real(request)

        return evolve(route, answer=answer)

    server.http.routes = [noting(route) for route in server.http.routes]
    return arrived


def test_a_job_needs_no_fence(garnet):
    assert garnet.fence() is None
    with pytest.raises(BackendError, match="no fences"):
        garnet.close_fence("anything")


def test_a_search_reads_only_what_is_younger_than_it_is_told(server, garnet, asked):
    for n in range(110):
        garnet.submit({f"{n:032x}": job(shots=1)}, f"{n:032x}")
    for old in list(server.provider.machine.jobs.values())[:105]:
        old.created -= timedelta(days=2)
    now = datetime.now(UTC)
    asked.clear()
    assert len(garnet.find(f"{109:032x}", now - timedelta(hours=1))) == 1
    assert asked == ["find"]
    assert garnet.find(f"{0:032x}", now - timedelta(hours=1)) == []
    assert len(garnet.find(f"{0:032x}", now - timedelta(days=3))) == 1
    assert len(garnet.find(f"{0:032x}")) == 1


def test_a_task_that_is_not_shown_yet_is_the_same_one_when_submitted_again(server, garnet):
    fail(server, Fault.HIDDEN, "submit", seconds=1000)
    task = garnet.submit({KEY: job()}, KEY)
    assert garnet.find(KEY) == []
    assert garnet.submit({KEY: job()}, KEY) == task
    assert len(tasks(server)) == 1


def test_a_machine_charges_for_the_task_and_its_shots_once_it_is_done(server, garnet):
    server.provider.machine.queue_seconds = 1000
    waiting = garnet.submit({"1" * 32: job()}, "1" * 32)
    assert garnet.charge(waiting) is None
    garnet.cancel(waiting)
    assert garnet.charge(waiting) == Charge(Decimal(0), None)
    server.provider.machine.queue_seconds = 0
    fail(server, Fault.JOB_FAILED, "submit")
    failed = garnet.submit({"2" * 32: job()}, "2" * 32)
    wait(garnet, failed, "2" * 32)
    assert garnet.charge(failed) == Charge(Decimal(0), None)
    done = garnet.submit({KEY: job(1000)}, KEY)
    wait(garnet, done)
    assert garnet.charge(done) == Charge(Decimal("1.75"), None)  # 0.30 + 1000 × 0.00145


@pytest.mark.parametrize(("milliseconds", "usd"), [(40, "0.00375"), (90_500, "0.113125")])
def test_sv1_charges_for_the_time_that_its_result_tells(server, monkeypatch, milliseconds, usd):
    circuit = QuantumCircuit(2, 1)
    circuit.sx(0)
    circuit.measure(0, 0)
    sv1 = backend_from_spec("braket:sv1")
    task = sv1.submit({KEY: CircuitJob(circuit, "all", 20, seed=1)}, KEY)
    assert wait(sv1, task).state is JobState.DONE
    seconds = sv1.charge(task).seconds
    whole = json.loads(sv1.raw_result(task))
    told = whole["additionalMetadata"]["simulatorMetadata"]
    assert seconds == told["executionDuration"] / 1000
    told["executionDuration"] = milliseconds
    result = json.dumps(whole).encode()
    monkeypatch.setattr(server.provider.machine, "result", lambda job: result)
    assert sv1.charge(task) == Charge(Decimal(usd), milliseconds / 1000)


def test_a_cancellation_that_is_ignored_shows(server, garnet):
    server.provider.machine.queue_seconds = 1000
    task = garnet.submit({KEY: job()}, KEY)
    fail(server, Fault.CANCEL_IGNORED, "cancel")
    garnet.cancel(task)
    assert garnet.status(task, KEY).state is JobState.QUEUED
    assert tasks(server)[0]["can_bill"]
    garnet.cancel(task)
    assert garnet.status(task, KEY).state is JobState.CANCELLED
    assert not tasks(server)[0]["can_bill"]


def test_an_unknown_state_is_no_end(server, garnet, monkeypatch):
    task = garnet.submit({KEY: job()}, KEY)
    wait(garnet, task)
    monkeypatch.setitem(WORDS, JobState.DONE, "PAUSED\u202e\n" + "!" * 1000)
    with pytest.raises(UnavailableError, match="unknown state 'PAUSED !!") as error:
        garnet.status(task, KEY)
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"shots": 0}, "shots must be from 1 to 20000"),
        ({"clientToken": "0" * 65}, "'clientToken' must have 1 to 64 characters"),
        ({"source": "prx(1.0, 0.0) $21;"}, "the device has no qubit"),
        ({"source": "cz $1, $20;"}, "are not connected"),
        ({"deviceArn": sdk_devices()["ibex-q1"].arn, "source": "xx(1.6) $0, $1;"}, "out of range"),
        ({"deviceArn": sdk_devices()["dm1"].arn, "qubits": 18}, "the device has 17 qubits"),
    ],
)
def test_the_simulated_service_refuses_what_the_real_one_would(server, change, why):
    gate = change.pop("source", "prx(1.0, 0.0) $1;")
    if qubits := change.pop("qubits", 0):
        body = [f"qubit[{qubits}] q;", "x q[0];", "b[0] = measure q[0];"]
    else:
        body = ["#pragma braket verbatim", "box {", gate, "}", "b[0] = measure $1;"]
    source = "\n".join(["OPENQASM 3.0;", "bit[1] b;", *body, ""])
    request = {
        "clientToken": KEY, "deviceArn": sdk_devices()["garnet"].arn, "deviceParameters": "{}",
        "shots": 1000, "outputS3Bucket": "amazon-braket-x", "outputS3KeyPrefix": "stichwerk",
        "action": json.dumps({"source": source}), **change,
    }  # fmt: skip
    with pytest.raises(ClientError, match=f"ValidationException.*{why}"):
        boto3.client("braket", region_name="eu-north-1").create_quantum_task(**request)
    assert tasks(server) == []
