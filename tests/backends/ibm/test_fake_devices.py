"""IBM's fake devices in the SDK's local mode."""

import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister

from backends import BackendError, CircuitJob, backend_from_spec
from compiler.errors import InputError

TARGET = "heavy-hex:torino"


def run(circuit, seed=0):
    return backend_from_spec("ibm-fake:torino").run(CircuitJob(circuit, TARGET, 2000, seed))


def flipped():
    circuit = QuantumCircuit(
        QuantumRegister(133), ClassicalRegister(1, "low"), ClassicalRegister(2, "high")
    )
    circuit.x(5)
    circuit.measure([5, 6], [2, 0])
    return circuit


def test_shots_are_noisy_and_joined_from_registers():
    counts = run(flipped())
    assert sum(counts.values()) == 2000
    assert 1800 < counts[0b100] < 2000


@pytest.mark.full
def test_shots_depend_on_the_seed_alone():
    assert run(flipped()) == run(flipped()) != run(flipped(), seed=1)


def test_what_the_device_cannot_run_is_refused():
    circuit = QuantumCircuit(133, 1)
    circuit.cz(0, 100)
    circuit.measure(0, 0)
    with pytest.raises(BackendError, match="cz on qubits"):
        run(circuit)


def test_a_fake_device_is_for_its_own_target():
    backend = backend_from_spec("ibm-fake:torino")
    assert backend.default_target() == TARGET
    assert backend.accepts(TARGET)
    assert not backend.accepts("heavy-hex:fez")
    assert backend.reads_with_errors()
    with pytest.raises(InputError, match="ibm-fake:fez"):
        backend_from_spec("ibm-fake")
