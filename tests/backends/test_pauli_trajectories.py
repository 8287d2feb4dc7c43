"""Noisy shots with Pauli errors: channels like Aer's, waits, wide circuits, what is refused."""

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, Delay, Qubit
from qiskit.quantum_info import PTM
from qiskit_aer.noise import thermal_relaxation_error

from backends import BackendError, backend_from_spec
from backends.aer import device_noise
from backends.pauli.frames import channel_of
from compiler.targets.ibm_devices import snapshot
from compiler.targets.readout import readout_errors
from tests.backends.test_noise import CHAIN, TORINO, run, share

LETTERS = {"id": "I", "x": "X", "y": "Y", "z": "Z"}


def aer_probabilities(error):
    """The probability of each Pauli error but the identity, its letters by qubit."""
    found = {}
    for circuit, probability in zip(error.circuits, error.probabilities, strict=True):
        (item,) = circuit.data
        name = item.operation.name
        label = item.operation.params[0][::-1] if name == "pauli" else LETTERS[name]
        found[tuple(label)] = found.get(tuple(label), 0) + probability
    return {label: p for label, p in found.items() if set(label) != {"I"}}


@pytest.mark.parametrize("device", ["torino", "marrakesh"])
def test_gate_errors_are_those_of_aer(device):
    used = CHAIN[:4] if device == "torino" else [0, 1, 2, 3]
    noise = device_noise(device, thermal=False, qubits=frozenset(used))
    compared = 0
    for name, errors in noise._local_quantum_errors.items():
        gate = snapshot(device).target.operation_from_name(name)
        for at, error in errors.items():
            qubits = [Qubit() for _ in at]
            channel = channel_of(device, CircuitInstruction(gate, qubits), at)
            theirs = aer_probabilities(error)
            assert dict(zip(channel.errors, channel.probabilities, strict=True)) == pytest.approx(
                theirs
            )
            compared += 1
    assert compared >= 4 * 2 + 3


@pytest.mark.parametrize("microseconds", [0.1, 20, 1000])
def test_waits_are_twirled_relaxation(microseconds):
    """Pauli transfer matrices agree on the diagonal, which is all that a twirl leaves."""
    target, qubit = snapshot("torino").target, CHAIN[0]
    steps = round(microseconds * 1e-6 / target.dt)
    wait = CircuitInstruction(Delay(steps), [Qubit()])
    known = target.qubit_properties[qubit]
    theirs = thermal_relaxation_error(known.t1, min(known.t2, 2 * known.t1), steps * target.dt)
    diagonal = np.real(np.diag(PTM(theirs.to_quantumchannel()).data))
    channel = channel_of("torino", wait, [qubit])
    flips = {label: p for (label,), p in zip(channel.errors, channel.probabilities, strict=True)}
    ours = [1 - 2 * sum(p for other, p in flips.items() if other != axis) for axis in "XYZ"]
    assert ours == pytest.approx(diagonal[1:], abs=1e-9)
    assert channel.total < 0.75


def test_qubits_that_wait_lose_what_they_hold():
    """While its partner is delayed for half of T1, a qubit loses half of what decays."""
    target = snapshot("torino").target
    waiting, busy = CHAIN[:2]
    t1 = target.qubit_properties[waiting].t1
    circuit = QuantumCircuit(133, 1)
    circuit.x(waiting)
    circuit.delay(round(0.5 * t1 / target.dt), busy)
    circuit.cz(waiting, busy)
    circuit.measure(waiting, 0)
    wrong = readout_errors(TORINO)[waiting].zero_for_one
    assert share(run("sparse:torino", circuit, 2000), 0) == pytest.approx(wrong, abs=0.02)
    lost = (1 - np.exp(-0.5)) / 2
    waited = share(run("sparse:torino:idle", circuit, 2000), 0)
    assert waited == pytest.approx(wrong + lost * (1 - 2 * wrong), abs=0.05)


def test_what_cannot_be_simulated_so():
    late = QuantumCircuit(133, 1)
    late.measure(CHAIN[0], 0)
    late.x(CHAIN[0])
    late.measure(CHAIN[0], 0)
    with pytest.raises(BackendError, match="goes on after measurements; try 'aer:torino'"):
        run("sparse:torino", late, 10)
    assert not backend_from_spec("sparse:torino").supports()
