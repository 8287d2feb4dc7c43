"""The noise of devices: exact distributions, relaxation, readout in both directions, batches."""

import logging
from collections import Counter
from itertools import pairwise
from math import prod

import numpy as np
import pytest
from qiskit import QuantumCircuit, transpile
from qiskit.quantum_info import DensityMatrix
from qiskit_aer.noise import NoiseModel

from backends import BackendError, CircuitJob, backend_from_spec
from backends.aer import MAX_THERMAL_QUBITS, device_noise
from backends.device_simulator import light_cone
from compiler.targets import target_from_spec
from compiler.targets.ibm_devices import snapshot
from compiler.targets.readout import readout_errors

TORINO = "heavy-hex:torino"
CHAIN = list(range(38, 51))
"""Qubits of Torino, each coupled to the next."""


def run(backend, circuit, shots, seed=0):
    machine = backend_from_spec(backend)
    return machine.run(CircuitJob(circuit, TORINO, shots, seed))


def entangled(qubits):
    """GHZ state along the chain, with other qubits that are measured by nobody."""
    circuit = QuantumCircuit(133, qubits)
    circuit.h(CHAIN[0])
    for a, b in pairwise(CHAIN[:qubits]):
        circuit.cx(a, b)
    circuit.barrier()
    circuit.measure(CHAIN[:qubits], range(qubits))
    target = target_from_spec(TORINO)
    layout = list(range(133))
    return transpile(circuit, target=target, initial_layout=layout, optimization_level=0)


def share(counts, outcome):
    return counts.get(outcome, 0) / sum(counts.values())


@pytest.mark.parametrize(("backend", "shots"), [("aer:torino", 200_000), ("sparse:torino", 40_000)])
def test_counts_follow_the_noisy_density_matrix(backend, shots):
    """Against Qiskit's density matrix, to which the same channels are applied one by one."""
    circuit = entangled(3)
    used = CHAIN[:3]
    noise = device_noise("torino", thermal=False, qubits=frozenset(used))
    place = {q: i for i, q in enumerate(used)}
    state = DensityMatrix.from_int(0, 8)
    for item in circuit.data:
        qubits = tuple(circuit.find_bit(q).index for q in item.qubits)
        name = item.operation.name
        if name in ("barrier", "measure"):
            continue
        where = [place[q] for q in qubits]
        state = state.evolve(item.operation, where)
        error = noise._local_quantum_errors.get(name, {}).get(qubits)
        state = state if error is None else state.evolve(error.to_quantumchannel(), where)
    exact = state.probabilities()
    for i, qubit in enumerate(used):
        error = readout_errors(TORINO)[qubit]
        p01, p10 = error.one_for_zero, error.zero_for_one
        confusion = np.array([[1 - p01, p10], [p01, 1 - p10]])
        exact = np.einsum("ab,xby->xay", confusion, exact.reshape(4 >> i, 2, 1 << i)).ravel()
    counts = run(backend, circuit, shots, seed=4)
    square = sum((counts.get(o, 0) - shots * p) ** 2 / (shots * p) for o, p in enumerate(exact))
    assert square < 24.32  # of seven degrees of freedom, exceeded with probability 0.001


@pytest.mark.parametrize("thermal", [False, pytest.param(True, marks=pytest.mark.full)])
def test_the_noise_of_some_qubits_is_that_of_the_whole_device(thermal):
    """All errors on them are Aer's to the last bit, and there are no others."""
    used = frozenset(CHAIN[:3])
    part = device_noise("torino", thermal, used)
    whole = NoiseModel.from_backend(
        snapshot("torino"), thermal_relaxation=thermal, readout_error=False
    )
    assert sorted(part.basis_gates) == sorted(whole.basis_gates)
    assert set(part.noise_instructions) - {"measure"} == set(whole.noise_instructions)
    assert {(q,) for q in used} == part._local_readout_errors.keys()
    compared = Counter()
    for name, errors in whole._local_quantum_errors.items():
        theirs = {at: error for at, error in errors.items() if used.issuperset(at)}
        ours = part._local_quantum_errors[name]
        assert ours.keys() == theirs.keys()
        for at, error in theirs.items():
            assert ours[at].circuits == error.circuits
            assert np.array_equal(ours[at].probabilities, error.probabilities)
            compared[name] += 1
    resets = {"reset": 3} if thermal else {}
    assert compared == {"cz": 4, "id": 3, "sx": 3, "x": 3} | resets


def test_what_no_measurement_notices_is_not_simulated():
    """Two qubits are entangled and measured; eleven others meet among themselves."""
    circuit = entangled(2)
    measured = circuit.copy_empty_like()
    measured.compose(circuit, inplace=True)
    for a, b in pairwise(CHAIN[2:]):
        measured.cz(a, b)
    reduced = light_cone(measured)
    assert reduced.count_ops()["cz"] == 1
    assert "barrier" not in reduced.count_ops()
    assert {reduced.find_bit(q).index for i in reduced.data for q in i.qubits} == set(CHAIN[:2])
    assert run("aer:torino", measured, 3000) == run("aer:torino", circuit, 3000)


def test_thermal_relaxation_is_refused_beyond_what_can_be_simulated():
    width = MAX_THERMAL_QUBITS + 1
    with pytest.raises(BackendError, match=rf"{width} active qubits.*try 'aer:torino'"):
        run("aer:torino:thermal", entangled(width), 10)


@pytest.mark.parametrize(
    ("backend", "qubits", "shots"), [("aer:torino", 11, 600), ("sparse:torino", 13, 300)]
)
def test_wide_circuits_are_repeatable_and_tell_how_far_they_are(backend, qubits, shots, caplog):
    circuit = entangled(qubits)
    with caplog.at_level(logging.INFO, logger="backends"):
        counts = run(backend, circuit, shots, seed=5)
    assert sum(counts.values()) == shots
    assert f" of {shots} shots" in caplog.messages[-1]
    assert counts == run(backend, circuit, shots, seed=5)
    assert counts != run(backend, circuit, shots, seed=6)
    survived = prod(1 - readout_errors(TORINO)[q].one_for_zero for q in CHAIN[:qubits])
    assert 0.3 < share(counts, 0) + share(counts, (1 << qubits) - 1) < survived + 0.1
