"""Program sets: several circuits in one task of Amazon Braket."""

import json

import pytest
from attrs import evolve

from backends import CircuitsRefusedError, FailedCircuitError, JobState, ResultError
from backends.braket import backend as braket_backend
from backends.braket.backend import BraketBackend
from tests.backends.braket.simulated import KEY, fail, job, tasks, wait
from tests.backends.braket.test_devices import compiled_job
from tests.servers.provider_simulators.faults import Fault
from workers.stages.scoring import Executed, compare_programs

OTHER = KEY[::-1]


def less(asked, gates=1):
    """Return a job without its first gates."""
    circuit = asked.circuit.copy()
    del circuit.data[:gates]
    return evolve(asked, circuit=circuit)


@pytest.mark.parametrize("name", ["cepheus-1-108q", "forte-1"])
def test_each_circuit_of_a_task_is_found_by_its_program(server, name):
    backend, asked = BraketBackend(name), compiled_job(name)
    jobs = {KEY: asked, OTHER: less(asked)}
    assert backend.together([*jobs.values(), evolve(asked, shots=300)]) == [*jobs.values()]
    task = backend.submit(jobs, KEY)
    assert wait(backend, task).state is JobState.DONE
    assert [entry["shots"] for entry in tasks(server)] == [800]
    raw = backend.raw_result(task)
    assert [
        sum(backend.counts(raw, jobs[key], key, task, circuits=2).values()) for key in jobs
    ] == [400, 400]
    programs = backend.executed_program(task, raw)
    assert (programs is None) == name.startswith("forte")
    for key, one in jobs.items() if programs else ():
        ran = backend.executed_circuit(programs, one, key)
        assert compare_programs(one.circuit, ran)[0] in (Executed.IDENTICAL, Executed.EQUIVALENT)
    assert backend.charge(task).usd == backend.estimated_cost_usd(list(jobs.values()))
    with pytest.raises(ResultError):
        backend.counts(raw, less(asked, 2), KEY, task, circuits=2)


def test_a_program_that_fails_at_the_device_does_not_lose_the_others(server, garnet):
    fail(server, Fault.CIRCUIT_FAILED, "submit")
    jobs = {KEY: job(), OTHER: less(job())}
    task = garnet.submit(jobs, KEY)
    wait(garnet, task)
    raw = garnet.raw_result(task)
    assert sum(garnet.counts(raw, jobs[KEY], KEY, task, circuits=2).values()) == 200
    with pytest.raises(FailedCircuitError, match="simulated failure"):
        garnet.counts(raw, jobs[OTHER], OTHER, task, circuits=2)


@pytest.mark.parametrize("checked_here", [True, False])
def test_programs_that_the_device_does_not_take_are_named(
    server, garnet, monkeypatch, checked_here
):
    if not checked_here:
        monkeypatch.setattr(braket_backend, "_require_possible", lambda *_: None)
    apart = job()
    apart.circuit.data.insert(
        0, apart.circuit.data[2].replace(qubits=apart.circuit.qubits[0:20:19])
    )
    with pytest.raises(CircuitsRefusedError) as refused:
        garnet.submit({KEY: job(), OTHER: apart}, KEY)
    assert set(refused.value.reasons) == {OTHER}
    assert tasks(server) == []


def test_a_program_set_keeps_to_the_limits_of_the_device(server, garnet):
    distinct = [less(job(20_000), gates) for gates in range(3)]
    assert garnet.together([*distinct, *distinct]) == distinct
    many = [job(20_000) for _ in range(12)]
    for n, one in enumerate(many):
        for _ in range(n):
            one.circuit.data.insert(0, one.circuit.data[0])
    assert len(garnet.together(many)) == 10
    assert len(BraketBackend("sv1").together(distinct)) == 1


def test_a_hostile_result_of_a_program_set_is_refused_when_it_is_read(server, garnet):
    jobs = {KEY: job(), OTHER: less(job())}
    task = garnet.submit(jobs, KEY)
    wait(garnet, task)
    result = json.loads(garnet.raw_result(task))
    for change in (
        {"programResults": result["programResults"][:1]},
        {"programResults": result["programResults"][:1] * 2},
        {"programResults": None},
        {"taskMetadata": {**result["taskMetadata"], "requestedShots": 200}},
        {"taskMetadata": {**result["taskMetadata"], "id": "another"}},
    ):
        with pytest.raises(ResultError):
            garnet.counts(json.dumps(result | change).encode(), job(), KEY, task, circuits=2)
