"""IBM's fake devices in the SDK's local mode."""

import pytest
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit_ibm_runtime.fake_provider import FakeManilaV2

from backends import BackendError, CircuitJob, backend_from_spec
from backends.ibm import fake_devices
from compiler.errors import InputError

TARGET = "heavy-hex:torino"


def run(circuit, seed=0):
    return backend_from_spec("ibm-fake:torino").run(CircuitJob(circuit, TARGET, 2000, seed))


@pytest.fixture(params=["manila", pytest.param("torino", marks=pytest.mark.full)])
def qubits(request, monkeypatch):
    """Qubits of the device: of one whose noise is simulated soon, or of the one that is asked."""
    if request.param == "torino":
        return 133
    small = FakeManilaV2()
    monkeypatch.setattr(fake_devices, "_device", lambda _: small)
    return small.num_qubits


def flipped(qubits):
    circuit = QuantumCircuit(
        QuantumRegister(qubits), ClassicalRegister(1, "low"), ClassicalRegister(2, "high")
    )
    circuit.x(3)
    circuit.measure([3, 4], [2, 0])
    return circuit


def test_shots_are_noisy_and_joined_from_registers(qubits):
    counts = run(flipped(qubits))
    assert sum(counts.values()) == 2000
    assert 1700 < counts[0b100] < 2000


def test_shots_depend_on_the_seed_alone(qubits):
    assert run(flipped(qubits)) == run(flipped(qubits)) != run(flipped(qubits), seed=1)


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
