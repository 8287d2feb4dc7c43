"""Shots of Clifford circuits by Pauli frames, against Aer's distributions."""

import pytest
from qiskit import QuantumCircuit, transpile
from qiskit.quantum_info import Statevector, random_clifford

from backends.aer import METHODS, AerBackend, device_noise
from backends.backend import CircuitJob
from backends.pauli.frames import channel_of, clifford_counts
from compiler.targets import target_from_spec
from compiler.targets.readout import readout_errors

SHOTS = 20_000


def nothing(item, qubits):
    return None


def distance(counts, right):
    shots = sum(counts.values())
    keys = counts.keys() | right.keys()
    return sum(abs(counts.get(key, 0) / shots - right.get(key, 0)) for key in keys) / 2


@pytest.mark.parametrize("seed", range(3))
def test_without_errors_shots_have_the_circuits_distribution(seed):
    circuit = random_clifford(4, seed=seed).to_circuit()
    right = {int(key, 2): p for key, p in Statevector(circuit).probabilities_dict().items()}
    circuit.measure_all()
    counts = clifford_counts(circuit, nothing, {}, SHOTS, seed)
    assert counts.keys() <= right.keys()
    assert distance(counts, right) < 0.03


def test_with_a_devices_errors_they_are_aers():
    target = target_from_spec("heavy-hex:torino")
    circuit = QuantumCircuit(4, 4)
    circuit.compose(random_clifford(3, seed=3).to_circuit(), range(3), inplace=True)
    for _ in range(80):
        circuit.barrier()
        circuit.cx(2, 3)
    circuit.measure(range(4), [2, 0, 1, 3])
    native = transpile(circuit, target=target, seed_transpiler=1, optimization_level=1)
    errors = readout_errors("heavy-hex:torino")
    counts = clifford_counts(
        native, lambda item, qubits: channel_of("torino", item, qubits), errors, SHOTS, 1
    )
    used = frozenset(native.find_bit(q).index for item in native.data for q in item.qubits)
    aer = _aer(native, device_noise("torino", False, used))
    assert distance(counts, aer) < 0.03
    ideal = clifford_counts(native, nothing, {}, SHOTS, 1)
    assert distance(counts, {key: n / SHOTS for key, n in ideal.items()}) > 0.1


def _aer(circuit, noise):
    from qiskit_aer import AerSimulator

    result = AerSimulator(method=METHODS[0].name, noise_model=noise).run(
        circuit, shots=SHOTS, seed_simulator=5
    ).result()  # fmt: skip
    return {int(key, 16): n / SHOTS for key, n in result.data(0)["counts"].items()}


def test_other_circuits_are_left_to_other_methods():
    for change in (lambda c: c.t(0), lambda c: (c.measure(0, 0), c.x(0)), lambda c: c.reset(0)):
        circuit = QuantumCircuit(2, 2)
        circuit.h(0)
        change(circuit)
        circuit.measure([0, 1], [0, 1])
        assert clifford_counts(circuit, nothing, {}, 10, 0) is None


def test_aer_runs_wide_clifford_circuits():
    circuit = QuantumCircuit(156, 100)
    circuit.x(range(100))
    circuit.measure(range(100), range(100))
    job = CircuitJob(circuit, "heavy-hex:boston", 50, 1)
    counts = AerBackend("boston").run(job)
    assert sum(counts.values()) == 50
    wrong = sum(n * (100 - key.bit_count()) for key, n in counts.items()) / 50
    assert 0 < wrong < 10
