"""Amazon Braket: jobs, by the real SDK against a simulated Braket over loopback."""

import math
from decimal import Decimal

import pytest
from qiskit import QuantumCircuit

from backends import (
    BackendError,
    CircuitJob,
    JobState,
    JobStatus,
    backend_from_spec,
)
from tests.backends.braket.garnet import native, steered
from tests.backends.braket.simulated import KEY, counted, job, tasks, wait


def test_a_job_runs_on_a_machine_under_its_key(server, garnet):
    task = garnet.submit({KEY: job()}, KEY)
    assert task.startswith("arn:aws:braket:eu-north-1:")
    assert wait(garnet, task) == JobStatus(JobState.DONE)
    counts = counted(garnet, task, job())
    assert set(counts) == {0b001, 0b101}
    assert sum(counts.values()) == 200
    assert min(counts.values()) > 50
    assert garnet.find(KEY) == [task]
    assert garnet.find("f" * 32) == []
    assert [(t["id"], t["key"], t["shots"]) for t in tasks(server)] == [(task, KEY, 200)]


def test_the_sdk_itself_can_read_the_task_and_its_result(server, garnet):
    from braket.aws import AwsDevice, AwsQuantumTask

    task = garnet.submit({KEY: job()}, KEY)
    wait(garnet, task)
    result = AwsQuantumTask(task).result()
    assert sum(result.measurement_counts.values()) == 200
    assert result.measured_qubits == [5, 2]
    device = AwsDevice(garnet.device.arn)
    assert (device.name, device.status) == ("Garnet", "ONLINE")
    assert len(device.topology_graph.edges) == 60


def test_a_key_is_one_task_however_often_it_is_submitted(server, garnet):
    first = garnet.submit({KEY: job()}, KEY)
    assert garnet.submit({KEY: job()}, KEY) == first
    assert len(tasks(server)) == 1
    with pytest.raises(BackendError, match="ValidationException: the client token was used"):
        garnet.submit({KEY: job(shots=201)}, KEY)


def test_sv1_runs_any_target_in_the_order_of_the_bits(server):
    sv1 = backend_from_spec("braket:sv1")
    circuit = QuantumCircuit(133, 2)
    circuit.sx(100)
    circuit.sx(100)
    circuit.cx(100, 7)
    circuit.rz(0.4, 7)
    circuit.r(math.pi, 1.0, 100)
    circuit.measure([7, 100], [1, 0])
    asked = CircuitJob(circuit, "heavy-hex:torino", 50, seed=1)
    task = sv1.submit({KEY: asked}, KEY)
    assert wait(sv1, task).state is JobState.DONE
    assert counted(sv1, task, asked) == {0b10: 50}


def test_results_go_to_the_bucket_that_is_named(server, garnet, monkeypatch):
    monkeypatch.setenv("STICHWERK_BRAKET_BUCKET", "amazon-braket-ours")
    from backends.braket.connection import session_in

    task = garnet.submit({KEY: job()}, KEY)
    assert session_in("eu-north-1").get_quantum_task(task)["outputS3Bucket"] == "amazon-braket-ours"


def test_a_coupler_that_is_gone_is_noticed_before_anything_is_paid(server, garnet, monkeypatch):
    from tests.servers.provider_simulators.braket import devices

    coupled = devices.couplers(garnet.device)
    coupled.graph.remove_edge(1, 4)
    coupled.graph.remove_edge(4, 1)
    try:
        with pytest.raises(BackendError, match="no coupler between its qubits 2 and 5 at present"):
            garnet.submit({KEY: job()}, KEY)
    finally:
        devices.couplers.cache_clear()
    assert tasks(server) == []


def test_costs_and_targets_are_known_without_asking(garnet):
    sv1 = backend_from_spec("braket:sv1")
    assert garnet.least_cost_usd(1000) == garnet.estimated_cost_usd([job(1000)]) == Decimal("1.75")
    assert sv1.least_cost_usd(1000) == Decimal("0.00375")
    wide = QuantumCircuit(30, 1)
    for qubit in range(30):
        wide.sx(qubit)
    wide.measure(0, 0)
    gates = Decimal(31 * 2**30) / 10**8
    wide_job = CircuitJob(wide, "all", 10, seed=1)
    assert sv1.estimated_cost_usd([wide_job]) == gates * Decimal("0.00125")
    for _ in range(3000):
        wide.sx(1)
    assert sv1.estimated_cost_usd([CircuitJob(wide, "all", 10, seed=1)]) == 6 * 60 * Decimal(
        "0.075"
    )
    assert (garnet.default_target(), sv1.default_target()) == ("iqm:garnet", "all")
    assert garnet.accepts("iqm:garnet")
    assert not garnet.accepts("iqm:emerald")
    assert sv1.accepts("star:17")
    assert (garnet.reads_with_errors(), sv1.reads_with_errors()) == (True, False)


def test_sv1_is_sent_no_program_that_measures_on_the_way(server):
    sv1 = backend_from_spec("braket:sv1")
    with pytest.raises(BackendError, match="Amazon Braket takes final measurements only"):
        sv1.submit({KEY: CircuitJob(native(steered()), "all", 10, seed=1)}, KEY)
    assert tasks(server) == []
