"""Simulated devices: their calibrated noise, on the right qubits, and how it grows."""

from math import pi

import pytest
from qiskit import QuantumCircuit

from backends import CircuitJob, JobState
from backends.braket.backend import BraketBackend
from backends.braket.connection import forget
from compiler.targets import target_from_spec
from compiler.targets.readout import readout_errors
from tests.backends.braket.simulated import KEY, wait
from tests.servers.provider_simulators.faults import Faults
from tests.servers.provider_simulators.machine import DAY_SECONDS, Machine
from tests.servers.provider_simulators.noise import NoisyDevices
from tests.servers.provider_simulators.providers.braket import SimulatedBraket
from tests.servers.provider_simulators.server import Server

TORINO = "heavy-hex:torino"
GATES = 100


def flips(target, qubit, gates=GATES):
    """A qubit that is turned over and over again, an even number of times."""
    circuit = QuantumCircuit(target_from_spec(target).num_qubits, 1)
    for _ in range(gates):
        circuit.r(pi, 0, qubit) if target.startswith("iqm") else circuit.x(qubit)
    circuit.measure(qubit, 0)
    return circuit


def expected_one(gate, readout, growth=1.0, gates=GATES):
    """A gate of infidelity e shrinks the Bloch vector to 1 - 2e; readout errs either way."""
    one = (1 - (1 - 2 * growth * gate) ** gates) / 2
    wrong_1, wrong_0 = growth * readout.one_for_zero, growth * readout.zero_for_one
    return one * (1 - wrong_0) + (1 - one) * wrong_1


def errors(target, qubit):
    gate = target_from_spec(target)["r" if target.startswith("iqm") else "x"][qubit,].error
    return gate, readout_errors(target)[qubit]


def close(got, share, shots):
    return abs(got - shots * share) < 5 * (shots * share * (1 - share)) ** 0.5


@pytest.mark.parametrize("qubit", [11, 18])
def test_a_simulated_braket_has_the_errors_of_the_very_qubit(qubit, monkeypatch):
    """Qubits 11 and 18 of Garnet are its worst and its best, ten times apart."""
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    faults, shots = Faults(), 8000
    simulated = SimulatedBraket(faults, Machine(faults), simulator=NoisyDevices())
    with Server(simulated) as server:
        for name, value in simulated.environment(server.url).items():
            monkeypatch.setenv(name, value)
        forget()
        garnet = BraketBackend("garnet")
        job = CircuitJob(flips("iqm:garnet", qubit), "iqm:garnet", shots, 1)
        task = garnet.submit({KEY: job}, KEY)
        assert wait(garnet, task).state is JobState.DONE
        counts = garnet.counts(garnet.raw_result(task), job, KEY, task)
    forget()
    assert close(counts.get(1, 0), expected_one(*errors("iqm:garnet", qubit)), shots)


@pytest.mark.parametrize("target", [TORINO, "iqm:emerald"])
def test_errors_grow_by_the_drift_in_every_whole_day(target):
    """The clock is in seconds; 10 % in each of ten days are a factor of 2.59."""
    now = [1000.0]
    devices = NoisyDevices(drift=0.1, clock=lambda: now[0])
    shots, qubit = 8000, 3
    job = CircuitJob(flips(target, qubit), target, shots, seed=4)
    first = devices.run(job)
    now[0] += 0.9 * DAY_SECONDS
    assert devices.run(job) == first
    now[0] += 9.2 * DAY_SECONDS
    later = devices.run(job)
    gate, readout = errors(target, qubit)
    assert close(later.get(1, 0), expected_one(gate, readout, 1.1**10), shots)
    assert not close(later.get(1, 0), expected_one(gate, readout), shots)
