"""IBM's machines: the real SDK against a simulated IBM over loopback."""

import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from functools import partial
from itertools import count
from threading import Event

import pytest
from attrs import evolve
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import Clbit
from qiskit_ibm_runtime import QiskitRuntimeService

from backends import (
    BackendError,
    CircuitJob,
    CredentialsError,
    JobState,
    ResultError,
    UnavailableError,
    backend_from_spec,
)
from backends.aer import AerBackend
from backends.provider_simulators.faults import Fault, Faults, Rule
from backends.provider_simulators.ibm import SimulatedIBM
from backends.provider_simulators.machine import Machine
from backends.provider_simulators.protocol import Refusal, Response
from backends.provider_simulators.server import Server
from compiler.errors import InputError
from compiler.targets.readout import readout_errors

TARGET = "heavy-hex:torino"
KEYS = [f"{n:032x}" for n in range(1, 9)]
NUMBERS = count()
SECRET = "a-very-secret-api-key"
ACCOUNT_FILE = "qiskit_ibm_runtime.accounts.management._DEFAULT_ACCOUNT_CONFIG_JSON_FILE"


@pytest.fixture(scope="module")
def server():
    faults = Faults(seed=1)
    with Server(SimulatedIBM(faults, Machine(faults), api_key=SECRET)) as server:
        yield server


@pytest.fixture
def ibm(server, monkeypatch):
    """Return the simulated IBM that the environment points to, without faults or jobs."""
    ibm = server.provider
    point_to(server, monkeypatch)
    yield ibm
    ibm.faults.clear()
    ibm.machine.queue_seconds = 0
    for waiting in ibm.machine.jobs.values():
        ibm.machine.cancel(waiting)
    ibm.machine.jobs.clear()


@pytest.fixture
def torino(ibm):
    """Return the backend, already connected, so that faults meet the calls under test."""
    backend = backend_from_spec("ibm:torino")
    assert backend.find(KEYS[-1]) is None
    return backend


@pytest.fixture
def anew(monkeypatch):
    """Return what makes the next call connect, as in another process."""
    return lambda: monkeypatch.setenv("QISKIT_IBM_URL", f"https://{next(NUMBERS)}.example")


def three_registers():
    """Bits, from the lowest: 1, 0, then a random bit twice, then 1; in registers of 1, 3, 1."""
    qubits = QuantumRegister(133, "q")
    registers = [ClassicalRegister(n, name) for n, name in ((1, "low"), (3, "middle"), (1, "high"))]
    circuit = QuantumCircuit(qubits, *registers)
    circuit.x(0)
    circuit.sx(4)
    circuit.measure([0, 1, 4, 4, 0], [0, 1, 2, 3, 4])
    return circuit


def job(circuit=None, shots=200, target=TARGET):
    return CircuitJob(circuit or three_registers(), target, shots, seed=0)


def until_ended(backend, id):
    end = time.monotonic() + 20
    while time.monotonic() < end:
        status = backend.status(id)
        if status.state not in (JobState.QUEUED, JobState.RUNNING):
            return status
    raise AssertionError("the job did not end")


def fail(ibm, fault, operation="submit", times=1, seconds=1.0):
    ibm.faults.add(Rule(fault, operation, times, seconds=seconds))


def accepted(ibm, key=KEYS[0]):
    return [entry["id"] for entry in ibm.machine.audit() if entry["key"] == key]


def test_a_job_is_submitted_found_and_read(ibm, torino):
    id = torino.submit(job(), KEYS[0])
    assert accepted(ibm) == [id]
    assert ibm.machine.audit()[0]["shots"] == 200
    assert torino.find(KEYS[0]) == id
    assert torino.find(KEYS[1]) is None
    assert until_ended(torino, id).state is JobState.DONE
    counts = torino.counts(torino.raw_result(id), three_registers())
    assert set(counts) == {0b10001, 0b11101}
    assert sum(counts.values()) == 200
    assert 60 < counts[0b10001] < 140


def test_bits_beyond_64_and_shared_registers_are_joined(ibm, torino):
    circuit = QuantumCircuit(133, 70)
    circuit.add_register(ClassicalRegister(bits=[circuit.clbits[69], circuit.clbits[0]], name="s"))
    circuit.x(5)
    circuit.measure(5, 69)
    circuit.measure(5, 3)
    id = torino.submit(job(circuit, shots=7), KEYS[0])
    assert until_ended(torino, id).state is JobState.DONE
    assert torino.counts(torino.raw_result(id), circuit) == {1 << 69 | 1 << 3: 7}


def test_feed_forward_is_carried(ibm, torino):
    circuit = QuantumCircuit(133, 2)
    circuit.x(0)
    circuit.measure(0, 0)
    with circuit.if_test((circuit.clbits[0], 1)):
        circuit.x(1)
    circuit.measure(1, 1)
    id = torino.submit(job(circuit, shots=5), KEYS[0])
    assert until_ended(torino, id).state is JobState.DONE
    assert torino.counts(torino.raw_result(id), circuit) == {3: 5}


def test_each_job_draws_its_own_shots(ibm, torino):
    ids = [torino.submit(job(shots=1000), key) for key in KEYS[:2]]
    drawn = []
    for id in ids:
        until_ended(torino, id)
        drawn.append(torino.counts(torino.raw_result(id), three_registers()))
    assert drawn[0] != drawn[1]


def test_shots_may_be_as_noisy_as_the_device(monkeypatch):
    faults = Faults()
    noisy = SimulatedIBM(faults, Machine(faults), simulator=AerBackend("torino"))
    circuit = QuantumCircuit(133, 1)
    circuit.measure(0, 0)
    with Server(noisy) as server:
        point_to(server, monkeypatch)
        backend = backend_from_spec("ibm:torino")
        id = backend.submit(job(circuit, 10_000), KEYS[0])
        assert until_ended(backend, id).state is JobState.DONE
        counts = backend.counts(backend.raw_result(id), circuit)
    wrong = readout_errors(TARGET)[0].one_for_zero
    assert abs(counts.get(1, 0) - 10_000 * wrong) < 5 * (10_000 * wrong * (1 - wrong)) ** 0.5


def test_the_queue_is_told_and_can_be_left(ibm, torino):
    ibm.machine.queue_seconds = 1000
    first, second = (torino.submit(job(), key) for key in KEYS[:2])
    assert torino.status(first).state is JobState.QUEUED
    assert [torino.status(id).queue_position for id in (first, second)] == [1, 2]
    torino.cancel(first)
    assert torino.status(first).state is JobState.CANCELLED
    assert torino.status(second).queue_position == 1
    torino.cancel(first)
    with pytest.raises(UnavailableError, match="not there yet"):
        torino.raw_result(second)


def test_cancelling_a_job_that_is_done_changes_nothing(ibm, torino):
    id = torino.submit(job(), KEYS[0])
    until_ended(torino, id)
    torino.cancel(id)
    assert torino.status(id).state is JobState.DONE


def test_another_process_asks_for_a_job_that_it_did_not_submit(ibm, torino, anew):
    id = torino.submit(job(), KEYS[0])
    anew()
    assert until_ended(torino, id).state is JobState.DONE
    assert sum(torino.counts(torino.raw_result(id), three_registers()).values()) == 200
    assert torino.find(KEYS[0]) == id


@pytest.mark.parametrize("fault", [Fault.CUT_AFTER, Fault.SERVER_ERROR_AFTER])
def test_a_job_accepted_without_an_answer_is_found_and_there_is_one(ibm, torino, fault):
    fail(ibm, fault)
    with pytest.raises(UnavailableError):
        torino.submit(job(), KEYS[0])
    assert len(accepted(ibm)) == 1
    assert torino.find(KEYS[0]) == accepted(ibm)[0]


@pytest.mark.parametrize("fault", [Fault.CUT_BEFORE, Fault.SERVER_ERROR, Fault.TOO_MANY_REQUESTS])
def test_a_submission_that_failed_is_sent_once_and_not_accepted(ibm, torino, fault):
    fail(ibm, fault, times=None)
    with pytest.raises(UnavailableError):
        torino.submit(job(), KEYS[0])
    assert ibm.faults.listed()[0]["fired"] == 1
    assert torino.find(KEYS[0]) is None


def test_the_wait_asked_for_is_told(ibm, torino):
    fail(ibm, Fault.TOO_MANY_REQUESTS, seconds=17)
    with pytest.raises(UnavailableError) as error:
        torino.submit(job(), KEYS[0])
    assert error.value.retry_after == 17


READ_FAULTS = (Fault.CUT_BEFORE, Fault.CUT_AFTER, Fault.SERVER_ERROR, Fault.SERVER_ERROR_AFTER)


@pytest.mark.parametrize("fault", READ_FAULTS)
def test_what_is_only_read_is_read_again(ibm, torino, fault):
    id = torino.submit(job(), KEYS[0])
    for operation in ("find", "status", "result"):
        fail(ibm, fault, operation)
    assert torino.find(KEYS[0]) == id
    assert until_ended(torino, id).state is JobState.DONE
    assert torino.raw_result(id)
    assert [rule["fired"] for rule in ibm.faults.listed()] == [1, 1, 1]


@pytest.mark.parametrize("fault", [*READ_FAULTS, Fault.TOO_MANY_REQUESTS])
def test_what_cannot_be_read_again_and_again_is_unavailable(ibm, torino, fault):
    id = torino.submit(job(), KEYS[0])
    until_ended(torino, id)
    fail(ibm, fault, "*", times=None)
    for ask in (lambda: torino.find(KEYS[0]), lambda: torino.raw_result(id)):
        with pytest.raises(UnavailableError):
            ask()


@pytest.mark.parametrize(
    ("fault", "operation"),
    [
        (Fault.CUT_BEFORE, "token"),
        (Fault.SERVER_ERROR, "search"),
        (Fault.TOO_MANY_REQUESTS, "search"),
        (Fault.CUT_AFTER, "devices"),
        (Fault.TOO_MANY_REQUESTS, "devices"),
        (Fault.SERVER_ERROR, "configuration"),
        (Fault.CUT_BEFORE, "properties"),
        (Fault.SERVER_ERROR, "usage"),
        (Fault.TOO_MANY_REQUESTS, "device-status"),
    ],
)
def test_no_failure_on_the_way_to_a_submission_is_taken_for_a_refusal(ibm, anew, fault, operation):
    anew()
    fail(ibm, fault, operation, times=None)
    backend = backend_from_spec("ibm:torino")
    with pytest.raises(UnavailableError):
        backend.submit(job(), KEYS[0])
    ibm.faults.clear()
    assert backend.submit(job(), KEYS[0]) == accepted(ibm)[0]


def test_a_server_that_is_gone_is_unavailable(ibm, monkeypatch):
    monkeypatch.setenv("STICHWERK_IBM_URL", "http://127.0.0.1:9")
    with pytest.raises(UnavailableError, match="connection"):
        backend_from_spec("ibm:torino").find(KEYS[0])


def replaced(operation, change):
    """Return a simulated IBM with another answer to an operation."""

    class Replaced(SimulatedIBM):
        def routes(self):
            return [
                evolve(route, answer=partial(change, route.answer))
                if route.operation == operation
                else route
                for route in super().routes()
            ]

    faults = Faults()
    return Server(Replaced(faults, Machine(faults), api_key=SECRET))


def point_to(server, monkeypatch):
    for name, value in server.provider.environment(server.url).items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize("answer", [b"junk", b"{}", b'{"id": "x", "backend": "ibm_other"}'])
def test_an_acceptance_that_cannot_be_read_is_no_refusal(monkeypatch, answer):
    def garbled(real, request):
        real(request)
        return Response(200, answer)

    with replaced("submit", garbled) as server:
        point_to(server, monkeypatch)
        backend = backend_from_spec("ibm:torino")
        with pytest.raises(UnavailableError):
            backend.submit(job(), KEYS[0])
        assert [backend.find(KEYS[0])] == accepted(server.provider)


@pytest.mark.parametrize("operation", ["token", "search", "devices", "usage", "submit"])
def test_a_server_that_never_answers_is_not_waited_for(monkeypatch, operation):
    ended = Event()
    asked = []

    def hanging(real, request):
        asked.append(request.path)
        ended.wait(30)
        return real(request)

    monkeypatch.setattr("backends.ibm_connection.PATIENCE_SECONDS", 1.5)
    with replaced(operation, hanging) as server:
        point_to(server, monkeypatch)
        with pytest.raises(UnavailableError):
            backend_from_spec("ibm:torino").submit(job(), KEYS[0])
        assert not ended.is_set()
        assert len(asked) == 1 or operation in ("devices", "usage")
        ended.set()


def test_a_failed_job_tells_why(ibm, torino):
    fail(ibm, Fault.JOB_FAILED)
    status = until_ended(torino, torino.submit(job(), KEYS[0]))
    assert status.state is JobState.FAILED
    assert "simulated failure of the job" in status.detail
    assert "\n" not in status.detail


def test_a_late_result_is_waited_for(ibm, torino):
    fail(ibm, Fault.LATE_RESULT, seconds=0.3)
    id = torino.submit(job(), KEYS[0])
    assert until_ended(torino, id).state is JobState.DONE
    with pytest.raises(UnavailableError, match="not there yet"):
        torino.raw_result(id)
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            raw = torino.raw_result(id)
        except UnavailableError:
            continue
        break
    assert sum(torino.counts(raw, three_registers()).values()) == 200


def test_a_result_that_is_not_known_yet_is_waited_for(monkeypatch):
    def unknown(real, request):
        raise Refusal(404, "1291", "no result")

    with replaced("result", unknown) as server:
        point_to(server, monkeypatch)
        backend = backend_from_spec("ibm:torino")
        id = backend.submit(job(), KEYS[0])
        assert until_ended(backend, id).state is JobState.DONE
        with pytest.raises(UnavailableError, match="not there yet"):
            backend.raw_result(id)


def test_a_result_sent_in_part_is_kept_and_can_be_fetched_again(ibm, torino):
    id = torino.submit(job(), KEYS[0])
    until_ended(torino, id)
    fail(ibm, Fault.CORRUPT_RESULT, "result")
    raw = torino.raw_result(id)
    with pytest.raises(ResultError, match="cannot be read"):
        torino.counts(raw, three_registers())
    assert sum(torino.counts(torino.raw_result(id), three_registers()).values()) == 200


@pytest.mark.parametrize("raw", [b"", b"junk", b"{}", b"[1]", b"\xff", b'{"__type__": "ndarray"}'])
def test_junk_is_no_result(raw):
    with pytest.raises(ResultError):
        backend_from_spec("ibm:torino").counts(raw, three_registers())


def test_the_result_of_another_circuit_is_refused(ibm, torino):
    other = QuantumCircuit(133)
    other.add_register(ClassicalRegister(2, "low"))
    other.measure([0, 1], [0, 1])
    id = torino.submit(job(other), KEYS[0])
    until_ended(torino, id)
    with pytest.raises(ResultError):
        torino.counts(torino.raw_result(id), three_registers())


def test_a_token_that_ran_out_is_renewed(ibm, torino):
    id = torino.submit(job(), KEYS[0])
    ibm.access.revoke()
    assert torino.find(KEYS[0]) == id
    ibm.access.revoke()
    assert torino.submit(job(), KEYS[1]) == accepted(ibm, KEYS[1])[0]


def test_a_token_that_runs_out_at_the_submission_itself_is_not_answered_by_another(ibm, torino):
    fail(ibm, Fault.EXPIRED_TOKEN)
    with pytest.raises(UnavailableError, match="new token"):
        torino.submit(job(), KEYS[0])
    assert torino.find(KEYS[0]) is None
    assert torino.submit(job(), KEYS[0]) == accepted(ibm)[0]


def test_tokens_that_live_for_two_seconds_are_renewed(ibm, anew, monkeypatch):
    anew()
    monkeypatch.setattr(ibm.access, "token_seconds", 2)
    backend = backend_from_spec("ibm:torino")
    id = backend.submit(job(), KEYS[0])
    end = time.monotonic() + 3.5
    while time.monotonic() < end:
        assert backend.find(KEYS[0]) == id


def test_wrong_or_missing_credentials_are_told_without_them(ibm, monkeypatch, caplog):
    backend = backend_from_spec("ibm:torino")
    monkeypatch.setenv("QISKIT_IBM_TOKEN", "wrong-and-secret")
    with pytest.raises(CredentialsError, match="does not accept") as error:
        backend.submit(job(), KEYS[0])
    assert "secret" not in f"{error.value}{caplog.text}"
    monkeypatch.delenv("QISKIT_IBM_TOKEN")
    monkeypatch.setattr(ACCOUNT_FILE, "/nowhere")
    with pytest.raises(CredentialsError, match="QISKIT_IBM_TOKEN"):
        backend.submit(job(), KEYS[0])


@pytest.mark.parametrize("instance", [None, "simulated"])
def test_a_saved_account_is_used_whether_its_instance_is_named_or_not(
    ibm, monkeypatch, tmp_path, instance
):
    file = str(tmp_path / "accounts.json")
    QiskitRuntimeService.save_account(token=SECRET, instance=instance, filename=file)
    monkeypatch.setattr(ACCOUNT_FILE, file)
    for name in ("QISKIT_IBM_TOKEN", "QISKIT_IBM_INSTANCE"):
        monkeypatch.delenv(name)
    id = backend_from_spec("ibm:torino").submit(job(), KEYS[0])
    assert accepted(ibm) == [id]


def test_an_instance_that_is_none_of_the_account_is_told(ibm, monkeypatch):
    monkeypatch.setenv("QISKIT_IBM_INSTANCE", "crn:v1:bluemix:public:x:us-east:a/b:another::")
    with pytest.raises(CredentialsError, match="QISKIT_IBM_INSTANCE"):
        backend_from_spec("ibm:torino").find(KEYS[0])


def test_credentials_revoked_in_between_are_told(ibm, torino, monkeypatch):
    ibm.access.revoke()
    with monkeypatch.context() as changed, pytest.raises(CredentialsError):
        changed.setattr(ibm.access, "api_key", "another")
        torino.find(KEYS[0])
    assert torino.find(KEYS[0]) is None


@pytest.mark.parametrize(
    "fault", [Fault.TOO_MANY_REQUESTS, Fault.CUT_AFTER, Fault.EXPIRED_TOKEN, Fault.CORRUPT_RESULT]
)
def test_no_message_holds_a_secret(ibm, torino, fault, caplog):
    caplog.set_level("DEBUG")
    id = torino.submit(job(), KEYS[0])
    until_ended(torino, id)
    fail(ibm, fault, "*", times=None)
    told = []
    for ask in (
        lambda: torino.submit(job(), KEYS[1]),
        lambda: torino.find(KEYS[0]),
        lambda: torino.status("unknown"),
        lambda: torino.raw_result(id),
        lambda: torino.cancel(id),
    ):
        try:
            ask()
        except BackendError as error:
            assert "\n" not in str(error)
            told += [str(error), repr(error)]
    secrets = [SECRET, *ibm.access.issued()]
    assert not [secret for secret in secrets if secret in "".join([*told, caplog.text])]


def test_an_unknown_job_is_a_refusal(ibm, torino):
    with pytest.raises(BackendError, match="no such job") as error:
        torino.status("unknown")
    assert not isinstance(error.value, UnavailableError)


def test_a_circuit_for_another_device_is_refused_with_the_way_out(ibm, torino):
    circuit = QuantumCircuit(133, 1)
    circuit.cz(0, 100)
    circuit.measure(0, 0)
    with pytest.raises(BackendError, match="recompile") as error:
        torino.submit(job(circuit), KEYS[0])
    assert not isinstance(error.value, UnavailableError)
    assert ibm.machine.audit() == []


def test_bits_outside_registers_would_be_lost(ibm, torino):
    circuit = QuantumCircuit(QuantumRegister(133), [Clbit()])
    circuit.measure(0, 0)
    with pytest.raises(BackendError, match="register"):
        torino.submit(job(circuit), KEYS[0])


def test_a_job_of_many_that_fail_at_random_is_paid_once(ibm, torino):
    for fault in (Fault.CUT_AFTER, Fault.SERVER_ERROR_AFTER, Fault.CUT_BEFORE, Fault.SERVER_ERROR):
        ibm.faults.add(Rule(fault, "submit", None, probability=0.2))
        ibm.faults.add(Rule(fault, "find", None, probability=0.1))
    pending = dict.fromkeys(KEYS)
    for _ in range(200):
        key = next((key for key, id in pending.items() if id is None), None)
        if key is None:
            break
        try:
            pending[key] = torino.find(key) or torino.submit(job(shots=1), key)
        except UnavailableError:
            continue
    jobs = Counter(entry["key"] for entry in ibm.machine.audit())
    assert jobs == Counter(KEYS)
    assert {entry["id"] for entry in ibm.machine.audit()} == set(pending.values())


def test_threads_share_a_connection(ibm, torino):
    with ThreadPoolExecutor(4) as threads:
        ids = list(threads.map(lambda key: torino.submit(job(shots=1), key), KEYS))
        assert list(threads.map(torino.find, KEYS)) == ids
    assert Counter(entry["key"] for entry in ibm.machine.audit()) == Counter(KEYS)


def test_prices_count_seconds(monkeypatch, tmp_path):
    file = tmp_path / "prices.toml"
    file.write_text('[ibm]\nper_second_usd = 2\nas_of = 2026-01-01\nsource = "a test"\n')
    monkeypatch.setenv("STICHWERK_PRICES", str(file))
    backend = backend_from_spec("ibm:torino")
    assert backend.least_cost_usd(4000) == Decimal("6.00")  # 2 × (2 s + 4000 × 250 µs)
    circuit = QuantumCircuit(133, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    cost = backend.estimated_cost_usd(job(circuit, 4000))  # an x of 32 ns, a measurement of 1.56 µs
    assert cost == Decimal("6.00") + 2 * 4000 * Decimal("0.000001592")


def test_a_branch_counts_as_its_longest(monkeypatch):
    backend = backend_from_spec("ibm:torino")

    def cost(*, branches):
        circuit = QuantumCircuit(133, 1)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)) as otherwise:
            circuit.x(1)
        if branches:
            with otherwise:
                circuit.x(1)
                circuit.x(1)
        return backend.estimated_cost_usd(job(circuit, 10**6))

    assert cost(branches=True) - cost(branches=False) == Decimal("1.6") * Decimal("0.032")


def test_a_backend_is_its_device(ibm):
    backend = backend_from_spec("ibm:fez")
    assert backend.default_target() == "heavy-hex:fez"
    assert backend.accepts("heavy-hex:fez")
    assert not backend.accepts(TARGET)
    assert backend.reads_with_errors()
    for spec in ("ibm", "ibm:ibm_torino", "ibm:brisbane"):
        with pytest.raises(InputError, match="ibm:torino"):
            backend_from_spec(spec)
