"""The noise of devices: exact distributions, relaxation, readout in both directions, batches."""

import logging
from collections import Counter
from itertools import pairwise
from math import exp, prod

import numpy as np
import pytest
from qiskit import QuantumCircuit, transpile
from qiskit.quantum_info import DensityMatrix
from qiskit_aer.noise import NoiseModel

from backends import BackendError, CircuitJob, backend_from_spec
from backends.aer import MAX_THERMAL_QUBITS, device_noise, noisy_counts
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


def prepared(ones, qubits):
    """Qubits of the device flipped or not, and measured in this order."""
    circuit = QuantumCircuit(133, len(qubits))
    for qubit in ones:
        circuit.x(qubit)
    circuit.measure(qubits, range(len(qubits)))
    return circuit


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


def test_readout_tells_zero_from_one():
    """Shares follow what the snapshot says of each direction, within five standard deviations."""
    properties = snapshot("torino").properties()
    worst = max(
        CHAIN,
        key=lambda q: abs(
            properties.qubit_property(q)["prob_meas1_prep0"][0]
            - properties.qubit_property(q)["prob_meas0_prep1"][0]
        ),
    )
    known = properties.qubit_property(worst)
    shots = 40_000
    for ones, wrong, key in (((), 1, "prob_meas1_prep0"), ((worst,), 0, "prob_meas0_prep1")):
        p = known[key][0]
        got = share(run("aer:torino", prepared(ones, [worst]), shots), wrong)
        assert got == pytest.approx(p, abs=1e-3 + 5 * (p * (1 - p) / shots) ** 0.5)
    asymmetry = known["prob_meas1_prep0"][0] - known["prob_meas0_prep1"][0]
    assert abs(asymmetry) > 0.01


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
    """All errors on them are Aer's to the last bit, there are no others, and counts agree."""
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
    for qubit in used:
        whole.add_readout_error(part._local_readout_errors[qubit,], [qubit])
    circuit = QuantumCircuit(133, 3)
    for a, b in pairwise(CHAIN[:3]):
        circuit.sx([a, b])
        circuit.delay(10_000, a)
        circuit.cz(a, b)
    circuit.measure(CHAIN[:3], range(3))
    job = CircuitJob(circuit, TORINO, 2000, 7)
    assert noisy_counts(job, circuit, part) == noisy_counts(job, circuit, whole)


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


@pytest.mark.full
def test_idle_qubits_relax_in_the_thermal_variant_only():
    """A qubit in |1⟩ waits while its neighbour is busy for about its T1."""
    waiting, busy = CHAIN[:2]
    target = snapshot("torino").target
    t1 = target.qubit_properties[waiting].t1
    steps = round(0.5 * t1 / target["x"][busy,].duration)
    circuit = QuantumCircuit(133, 1)
    circuit.x(waiting)
    circuit.barrier()
    circuit.rz(0.1, busy)
    for _ in range(steps):
        circuit.x(busy)
    circuit.barrier()
    circuit.cz(waiting, busy)
    circuit.measure(waiting, 0)
    wrong = readout_errors(TORINO)[waiting].zero_for_one
    calm = share(run("aer:torino", circuit, 4000), 0)
    relaxed = share(run("aer:torino:thermal", circuit, 4000), 0)
    assert calm == pytest.approx(wrong, abs=0.02)
    lost = 1 - exp(-steps * target["x"][busy,].duration / t1)
    assert relaxed == pytest.approx(wrong + lost * (1 - 2 * wrong), abs=0.05)
    assert lost > 0.35


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
