import json
import math
import os
import socket
from collections.abc import Iterator
from decimal import Decimal
from urllib.request import urlopen

import pytest
from qiskit import QuantumCircuit, transpile

from backends import (
    BackendError,
    CircuitJob,
    CredentialsError,
    JobState,
    JobStatus,
    ProviderBackend,
    ResultError,
    UnavailableError,
    backend_from_spec,
)
from backends.braket import BraketBackend
from backends.braket_connection import forget
from backends.provider_simulators.braket import SimulatedBraket
from backends.provider_simulators.braket_access import SECRET_KEY
from backends.provider_simulators.faults import Fault, Faults, Rule
from backends.provider_simulators.machine import Machine
from backends.provider_simulators.protocol import Refusal
from backends.provider_simulators.server import Server
from compiler.errors import InputError
from compiler.targets import target_from_spec

KEY = "0123456789abcdef" * 2
POLLS = 20_000


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in [name for name in os.environ if "AWS" in name or "BRAKET" in name]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    faults = Faults()
    with Server(SimulatedBraket(faults, Machine(faults))) as server:
        for name, value in server.provider.environment(server.url).items():
            monkeypatch.setenv(name, value)
        yield server
    forget()


@pytest.fixture
def garnet() -> ProviderBackend:
    return BraketBackend("garnet")


def job(shots: int = 200) -> CircuitJob:
    """Return 1 in bit 0, a fair coin in bit 2, and bit 1 unused, on qubits 4 and 1."""
    circuit = QuantumCircuit(20, 3)
    circuit.r(math.pi, 0.3, 4)
    circuit.r(math.pi / 2, math.pi / 2, 1)
    circuit.cz(1, 4)
    circuit.barrier()
    circuit.measure(4, 0)
    circuit.measure(1, 2)
    return CircuitJob(circuit, "iqm:garnet", shots, seed=1)


def fail(server: Server, fault: Fault, operation: str, **rule: float) -> None:
    server.provider.faults.add(Rule(fault, operation, **{"times": 1, **rule}))


def tasks(server: Server) -> list[dict[str, object]]:
    with urlopen(f"{server.url}/audit") as answer:
        return json.load(answer)


def wait(backend: ProviderBackend, task: str) -> JobStatus:
    for _ in range(POLLS):
        status = backend.status(task)
        if status.state in (JobState.DONE, JobState.FAILED, JobState.CANCELLED):
            return status
    raise AssertionError("the task did not end")


def test_a_job_runs_on_a_machine_under_its_key(server, garnet):
    task = garnet.submit(job(), KEY)
    assert task.startswith("arn:aws:braket:eu-north-1:")
    assert wait(garnet, task) == JobStatus(JobState.DONE)
    counts = garnet.counts(garnet.raw_result(task), job().circuit)
    assert set(counts) == {0b001, 0b101}
    assert sum(counts.values()) == 200
    assert min(counts.values()) > 50
    assert garnet.find(KEY) == task
    assert garnet.find("f" * 32) is None
    assert [(t["id"], t["key"], t["shots"]) for t in tasks(server)] == [(task, KEY, 200)]


def test_the_sdk_itself_can_read_the_task_and_its_result(server, garnet):
    from braket.aws import AwsDevice, AwsQuantumTask

    task = garnet.submit(job(), KEY)
    wait(garnet, task)
    result = AwsQuantumTask(task).result()
    assert sum(result.measurement_counts.values()) == 200
    assert result.measured_qubits == [5, 2]
    device = AwsDevice(garnet.device.arn)
    assert (device.name, device.status) == ("Garnet", "ONLINE")
    assert len(device.topology_graph.edges) == 60


def test_a_key_is_one_task_however_often_it_is_submitted(server, garnet):
    first = garnet.submit(job(), KEY)
    assert garnet.submit(job(), KEY) == first
    assert len(tasks(server)) == 1
    with pytest.raises(BackendError, match="ValidationException: the client token was used"):
        garnet.submit(job(shots=201), KEY)


def test_tasks_are_found_on_later_pages(server, garnet):
    keys = [f"{i:032x}" for i in range(120)]
    ids = [garnet.submit(job(shots=1), key) for key in keys]
    assert garnet.find(keys[0]) == ids[0]
    assert garnet.find(keys[-1]) == ids[-1]
    assert BraketBackend("emerald").find(keys[0]) is None


@pytest.mark.parametrize("device", ["garnet", "emerald"])
def test_outcomes_are_distributed_as_they_should_be(server, device):
    program = QuantumCircuit(4, 4)
    program.ry(2 * math.asin(math.sqrt(0.2)), 0)
    program.cx(0, [1, 2])
    program.x(3)
    program.measure([0, 1, 2, 3], [2, 0, 3, 1])
    machine = BraketBackend(device)
    target = target_from_spec(machine.default_target())
    native = transpile(program, target=target, seed_transpiler=1, optimization_level=2)
    task = machine.submit(CircuitJob(native, machine.default_target(), 5000, seed=1), KEY)
    assert wait(machine, task).state is JobState.DONE
    counts = machine.counts(machine.raw_result(task), native)
    assert set(counts) == {0b0010, 0b1111}
    assert abs(counts[0b1111] / 5000 - 0.2) < 5 * math.sqrt(0.2 * 0.8 / 5000)


def test_sv1_runs_any_target_in_the_order_of_the_bits(server):
    sv1 = backend_from_spec("braket:sv1")
    circuit = QuantumCircuit(133, 2)
    circuit.sx(100)
    circuit.sx(100)
    circuit.cx(100, 7)
    circuit.rz(0.4, 7)
    circuit.r(math.pi, 1.0, 100)
    circuit.measure([7, 100], [1, 0])
    task = sv1.submit(CircuitJob(circuit, "heavy-hex:torino", 50, seed=1), KEY)
    assert wait(sv1, task).state is JobState.DONE
    assert sv1.counts(sv1.raw_result(task), circuit) == {0b10: 50}


@pytest.mark.parametrize("fault", [Fault.CUT_AFTER, Fault.SERVER_ERROR_AFTER])
def test_a_submission_that_lost_its_answer_is_found(server, garnet, fault):
    fail(server, fault, "submit")
    with pytest.raises(UnavailableError):
        garnet.submit(job(), KEY)
    task = garnet.find(KEY)
    assert [t["id"] for t in tasks(server)] == [task]
    assert garnet.submit(job(), KEY) == task
    assert len(tasks(server)) == 1


@pytest.mark.parametrize("fault", [Fault.CUT_BEFORE, Fault.SERVER_ERROR, Fault.TOO_MANY_REQUESTS])
def test_a_submission_that_never_arrived_is_not_repeated(server, garnet, fault):
    fail(server, fault, "submit", seconds=7)
    with pytest.raises(UnavailableError) as caught:
        garnet.submit(job(), KEY)
    assert caught.value.retry_after == (7 if fault is Fault.TOO_MANY_REQUESTS else None)
    assert tasks(server) == []
    assert garnet.find(KEY) is None


@pytest.mark.parametrize("fault", [Fault.CUT_BEFORE, Fault.SERVER_ERROR])
@pytest.mark.parametrize("operation", ["find", "status", "result", "cancel", "device", "identity"])
def test_every_call_says_when_the_provider_is_unavailable(server, garnet, fault, operation):
    task = garnet.submit(job(), KEY)
    wait(garnet, task)
    forget()
    fail(server, fault, operation)
    calls = {
        "find": lambda: garnet.find(KEY),
        "status": lambda: garnet.status(task),
        "result": lambda: garnet.raw_result(task),
        "cancel": lambda: garnet.cancel(task),
        "device": lambda: garnet.submit(job(), "1" * 32),
        "identity": lambda: garnet.submit(job(), "2" * 32),
    }
    with pytest.raises(UnavailableError) as caught:
        calls[operation]()
    assert "\n" not in str(caught.value)
    calls[operation]()


def test_nothing_listens(server, garnet, monkeypatch):
    monkeypatch.setenv("AWS_ENDPOINT_URL_BRAKET", "http://127.0.0.1:9")
    with pytest.raises(UnavailableError, match="Could not connect"):
        garnet.find(KEY)


def test_nobody_answers(server, garnet, monkeypatch):
    monkeypatch.setattr("backends.braket_connection.READ_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        monkeypatch.setenv("AWS_ENDPOINT_URL_BRAKET", url)
        with pytest.raises(UnavailableError, match="Read timeout"):
            garnet.find(KEY)


def test_what_is_not_allowed_is_a_matter_of_credentials(server, garnet, monkeypatch):
    def deny(*_: object) -> None:
        raise Refusal(403, "AccessDeniedException", "not authorized to perform: braket:Create")

    monkeypatch.setattr(server.provider._tasks, "create", deny)
    with pytest.raises(CredentialsError, match="AccessDeniedException: not authorized to perform"):
        garnet.submit(job(), KEY)


@pytest.mark.parametrize(
    ("status", "code"),
    [(402, "ServiceQuotaExceededException"), (424, "DeviceOfflineException")],
)
def test_what_is_refused_for_good_is_not_tried_again(server, garnet, monkeypatch, status, code):
    def refuse(*_: object) -> None:
        raise Refusal(status, code, "no\nmore")

    monkeypatch.setattr(server.provider._tasks, "create", refuse)
    with pytest.raises(BackendError, match=f"braket:garnet: {code}: no more") as caught:
        garnet.submit(job(), KEY)
    assert type(caught.value) is BackendError


@pytest.mark.parametrize(
    ("source", "shots", "message"),
    [
        ("box {\ncz $2, $6;\n}", 10, r"qubits \[2, 6\] are not connected"),
        ("box {\nrz(0.1) $1;\n}", 10, "does not support the gate 'rz'"),
        ("box {\nprx(0.1) $1;\n}", 10, "has wrong angles"),
        ("box {\nprx(0.1, 0.2) $1, $2;\n}", 10, "acts on 1 qubits"),
        ("box {\nprx(0.1, 0.2) $0;\n}", 10, "no qubit"),
        ("box {\nprx(0.1, 0.2) q[1];\n}", 10, "no qubit"),
        ("box {\ncz $1, $2;", 10, "cannot read"),
        ("box {\ncz $1, $2;\n}", 0, "shots must be"),
    ],
)
def test_the_simulated_machine_refuses_what_the_real_one_would(
    server, garnet, monkeypatch, source, shots, message
):
    text = f"OPENQASM 3.0;\nbit[1] b;\n#pragma braket verbatim\n{source}\nb[0] = measure $1;\n"
    monkeypatch.setattr("backends.braket_devices.verbatim_source", lambda _: text)
    with pytest.raises(BackendError, match=f"ValidationException: .*{message}"):
        garnet.submit(job(shots), KEY)
    assert tasks(server) == []


def test_expired_credentials_are_asked_for_anew(server, garnet):
    task = garnet.submit(job(), KEY)
    fail(server, Fault.EXPIRED_TOKEN, "status")
    with pytest.raises(CredentialsError, match=r"\(ExpiredTokenException\); renew them"):
        garnet.status(task)
    assert wait(garnet, task).state is JobState.DONE


def test_wrong_and_missing_credentials(server, garnet, monkeypatch):
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "WRONGACCESSKEY000001")
    with pytest.raises(CredentialsError, match="UnrecognizedClientException") as wrong:
        garnet.submit(job(), KEY)
    monkeypatch.delenv("AWS_ACCESS_KEY_ID")
    monkeypatch.delenv("AWS_SECRET_ACCESS_KEY")
    with pytest.raises(CredentialsError, match="set AWS_ACCESS_KEY_ID") as missing:
        garnet.find(KEY)
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    with pytest.raises(CredentialsError, match="AWS_PROFILE"):
        garnet.find(KEY)
    assert tasks(server) == []
    for error in (wrong, missing):
        assert SECRET_KEY not in str(error.value)
        assert "WRONGACCESSKEY" not in str(error.value)
        assert "Signature" not in str(error.value)
        assert "\n" not in str(error.value)


def test_secrets_show_nowhere(server, garnet):
    garnet.submit(job(), KEY)
    assert SECRET_KEY not in repr(vars(garnet))
    fail(server, Fault.SERVER_ERROR, "find")
    with pytest.raises(UnavailableError) as caught:
        garnet.find(KEY)
    assert SECRET_KEY not in str(caught.value)
    assert caught.value.__suppress_context__


def test_a_failed_job_says_why(server, garnet):
    fail(server, Fault.JOB_FAILED, "submit")
    status = wait(garnet, garnet.submit(job(), KEY))
    assert status == JobStatus(JobState.FAILED, None, "simulated failure of the job")


def test_queued_jobs_have_a_position_and_can_be_cancelled(server, garnet):
    fail(server, Fault.SLOW_QUEUE, "submit", times=2, seconds=600)
    first, second = garnet.submit(job(), "1" * 32), garnet.submit(job(), "2" * 32)
    assert garnet.status(first) == JobStatus(JobState.QUEUED, 1)
    assert garnet.status(second) == JobStatus(JobState.QUEUED, 2)
    fail(server, Fault.CUT_AFTER, "cancel")
    with pytest.raises(UnavailableError):
        garnet.cancel(first)
    assert garnet.status(first) == JobStatus(JobState.CANCELLED)
    assert garnet.status(second) == JobStatus(JobState.QUEUED, 1)
    garnet.cancel(first)


def test_a_late_result_is_waited_for(server, garnet):
    fail(server, Fault.LATE_RESULT, "submit", seconds=0.2)
    task = garnet.submit(job(), KEY)
    wait(garnet, task)
    with pytest.raises(UnavailableError, match="is not there yet"):
        garnet.raw_result(task)
    for _ in range(POLLS):
        try:
            raw = garnet.raw_result(task)
            break
        except UnavailableError:
            continue
    assert sum(garnet.counts(raw, job().circuit).values()) == 200


def test_a_truncated_result_is_kept_but_not_read(server, garnet):
    task = garnet.submit(job(), KEY)
    wait(garnet, task)
    fail(server, Fault.CORRUPT_RESULT, "result")
    raw = garnet.raw_result(task)
    with pytest.raises(ResultError, match="cannot be read"):
        garnet.counts(raw, job().circuit)
    assert garnet.counts(garnet.raw_result(task), job().circuit)


def test_results_go_to_the_bucket_that_is_named(server, garnet, monkeypatch):
    monkeypatch.setenv("STICHWERK_BRAKET_BUCKET", "amazon-braket-ours")
    from backends.braket_connection import session_in

    task = garnet.submit(job(), KEY)
    assert session_in("eu-north-1").get_quantum_task(task)["outputS3Bucket"] == "amazon-braket-ours"


def test_a_coupler_that_is_gone_is_noticed_before_anything_is_paid(server, garnet, monkeypatch):
    from backends.provider_simulators import braket_devices

    coupled = braket_devices.couplers(garnet.device)
    coupled.graph.remove_edge(1, 4)
    coupled.graph.remove_edge(4, 1)
    try:
        with pytest.raises(BackendError, match="no coupler between its qubits 2 and 5 at present"):
            garnet.submit(job(), KEY)
    finally:
        braket_devices.couplers.cache_clear()
    assert tasks(server) == []


def test_costs_and_targets_are_known_without_asking(garnet):
    sv1 = backend_from_spec("braket:sv1")
    assert garnet.least_cost_usd(1000) == garnet.estimated_cost_usd(job(1000)) == Decimal("1.75")
    assert sv1.least_cost_usd(1000) == Decimal("0.00375")
    wide = QuantumCircuit(30, 1)
    for qubit in range(30):
        wide.sx(qubit)
    wide.measure(0, 0)
    gates = Decimal(31 * 2**30) / 10**9
    wide_job = CircuitJob(wide, "all", 10, seed=1)
    assert sv1.estimated_cost_usd(wide_job) == gates * Decimal("0.00125")
    assert (garnet.default_target(), sv1.default_target()) == ("iqm:garnet", "all")
    assert garnet.accepts("iqm:garnet")
    assert not garnet.accepts("iqm:emerald")
    assert sv1.accepts("star:17")
    assert (garnet.reads_with_errors(), sv1.reads_with_errors()) == (True, False)


def test_a_device_has_a_name_or_an_arn():
    arn = "arn:aws:braket:eu-north-1::device/qpu/iqm/Emerald"
    assert backend_from_spec(f"braket:{arn}").device.name == "emerald"
    for spec in ("braket", "braket:aquila", "braket:arn:aws:braket:::device/qpu/d-wave/x"):
        with pytest.raises(InputError, match=r"unknown device; known: garnet, emerald, sv1"):
            backend_from_spec(spec)
