"""T counts: counting, estimates, rotations, temporary ANDs, and the objective."""

from itertools import count
from math import asin, pi, sqrt

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import MCXGate, XGate, ZGate
from qiskit.quantum_info import Operator as Gates
from qiskit.quantum_info import Statevector
from qiskit_aer import AerSimulator
from scipy.signal.windows import dpss

from compiler.compilation import Options, compile
from compiler.errors import InputError
from compiler.fault_tolerant import LogicalResources, estimation, logical_resources
from compiler.fault_tolerant.amplitude_estimation import iterates, time_bandwidth
from compiler.fault_tolerant.one_hot_rotation import OneHotRotation, rotate_equally
from compiler.fault_tolerant.resources import NonClifford, of_unitary
from compiler.fault_tolerant.temporary_ands import measured, temporary_and, undo_and
from compiler.measurement import final_measurements
from compiler.program import Program
from games import encoded, named_game

PROGRAM = LogicalResources(
    qubits=10, t_gates=100, toffolis=5, rotations=0, table_rotations=0, measurements=3, depth=40
)


def share_within(steps, probability, error):
    """Return how often phase estimation over `steps` powers is off by at most `error`."""
    fine = 64 * steps
    state = dpss(steps, time_bandwidth(0.95) / pi)
    state = state / np.linalg.norm(state)
    phase = 2 * asin(sqrt(probability))
    spectrum = np.abs(np.fft.ifft(state * np.exp(1j * phase * np.arange(steps)), fine)) ** 2
    # The Fourier transform is taken finer than the state, on a longer register.
    found = np.sin(-2 * pi * np.arange(fine) / fine / 2) ** 2
    return spectrum[np.abs(found - probability) <= error].sum() * fine


@pytest.mark.parametrize("probability", [0.5, 0.3])
def test_phase_estimation_keeps_the_error_with_the_confidence(probability):
    error = 0.004
    steps = round(iterates(error, probability, 0.95))
    assert share_within(steps, probability, error) == pytest.approx(0.95, abs=0.01)


def test_all_parts_add_up():
    found = estimation(PROGRAM, 0.01, 0.5, 0.95)
    assert found.calls == 2 * found.iterates + 1
    assert found.t_per_call == 120
    assert found.toffolis_per_reflection == 17
    assert found.t_gates == 120 * found.calls + 4 * 17 * found.iterates
    assert found.measurements == 3 * found.calls
    assert found.qubits == 10 + found.iterates.bit_length() + 1


@pytest.mark.parametrize(
    ("error", "probability", "confidence", "named"),
    [(0, 0.5, 0.95, "error 0"), (0.1, 1, 0.95, "probability 1"), (0.1, 0.5, 1, "confidence 1")],
)
def test_what_cannot_be_is_refused(error, probability, confidence, named):
    with pytest.raises(InputError, match=named):
        estimation(PROGRAM, error, probability, confidence)


def counts(circuit):
    found = logical_resources(circuit)
    return found.t_gates, found.toffolis, found.rotations, found.measurements


def built(qubits, *steps):
    circuit = QuantumCircuit(qubits)
    for name, *arguments in steps:
        getattr(circuit, name)(*arguments)
    return circuit


@pytest.mark.parametrize(
    ("circuit", "expected"),
    [
        (built(3, ("ccx", 0, 1, 2)), (0, 1, 0, 0)),
        (built(3, ("cswap", 0, 1, 2)), (0, 1, 0, 0)),
        (built(3, ("ccx", 0, 1, 2)).decompose(), (7, 0, 0, 0)),
        (built(3, ("rccx", 0, 1, 2)), (4, 0, 0, 0)),
        (built(5, ("mcx", [0, 1, 2, 3], 4)), (0, 3, 0, 2)),
        (built(2, ("cry", pi / 2, 0, 1)), (2, 0, 0, 0)),
        (built(2, ("cry", 1.0, 0, 1)), (0, 0, 2, 0)),
        (built(2, ("cp", pi / 2, 0, 1)), (3, 0, 0, 0)),
        (built(1, ("t", 0), ("s", 0), ("t", 0)), (0, 0, 0, 0)),
        (built(1, ("ry", 0.3, 0), ("ry", -0.3, 0)), (0, 0, 0, 0)),
        (built(1, ("h", 0), ("rz", 0.3, 0), ("s", 0), ("h", 0)), (0, 0, 1, 0)),
    ],
)
def test_counts_by_hand(circuit, expected):
    assert counts(circuit) == expected


def test_an_and_is_cleared_for_a_measurement():
    circuit = QuantumCircuit(3)
    temporary_and(circuit, 0, 1, 2)
    undo_and(circuit, 0, 1, 2)
    assert counts(circuit) == (0, 1, 0, 1)
    assert logical_resources(circuit).t_count(1e-6) == 4


def test_every_clifford_gate_is_free_before_and_after_a_t_gate():
    cliffords = [Gates.from_label(name) for name in ("I", "H", "S", "X", "Y")]
    t_gate = Gates.from_label("T")
    for a in cliffords:
        for b in cliffords:
            for c in cliffords:
                assert of_unitary((a @ b @ c).data) == NonClifford(0, 0)
                assert of_unitary((a @ b @ t_gate @ c).data) == NonClifford(1, 0)


def test_gates_are_found_inside_gates_and_under_controls_on_0():
    inner = built(3, ("ccx", 0, 1, 2), ("t", 0)).to_gate()
    circuit = QuantumCircuit(4)
    circuit.append(inner, [1, 2, 3])
    circuit.append(MCXGate(3, ctrl_state=0), [0, 1, 2, 3])
    circuit.append(XGate().control(2, ctrl_state=1), [0, 1, 2])
    assert counts(circuit) == (1, 4, 0, 1)


def rotated(qubits, theta, width):
    circuit = QuantumCircuit(width)
    places = count(qubits)
    rotate_equally(circuit, range(qubits), theta, lambda: next(places))
    return circuit


@pytest.mark.parametrize("qubits", range(1, 6))
def test_every_qubit_is_rotated(qubits):
    start = QuantumCircuit(2 * qubits)
    for qubit in range(qubits):
        start.ry(0.3 + qubit, qubit)
        start.rz(0.2 * qubit, qubit)
    wanted = start.copy()
    wanted.ry(0.7, range(qubits))
    found = Statevector(start.compose(rotated(qubits, 0.7, 2 * qubits)))
    assert abs(Statevector(wanted).inner(found)) == pytest.approx(1)


def test_the_inverse_rotates_back():
    gate = OneHotRotation((0.3, 1.2))
    circuit = QuantumCircuit(3)
    circuit.append(gate, range(3))
    circuit.append(gate.inverse(), range(3))
    assert np.allclose(Gates(circuit).data, np.eye(8))


FAST = Options("fast", objective="t_count")


def compiled_circuit(circuit, target="all"):
    circuit.measure_all()
    return compile(Program.of_circuit(circuit), target, FAST)


def test_a_toffoli_gate_is_four_t_gates_or_seven():
    circuit = QuantumCircuit(3)
    circuit.h([0, 1])
    circuit.ccx(0, 1, 2)
    made = compiled_circuit(circuit)
    found = made.figures
    assert made.verified == "exact"
    assert (found.t_count, found.toffolis, found.t_gates, found.t_depth) == (4, 1, 0, 1)
    gates, _ = final_measurements(made.circuit)
    assert logical_resources(gates).t_gates == found.t_count_unmeasured == 7


@pytest.mark.parametrize("gate", [XGate(), ZGate()])
def test_many_controls_take_a_ladder_of_ands(gate):
    circuit = QuantumCircuit(5)
    circuit.ry(0.4, range(5))
    circuit.append(gate.control(4, ctrl_state=0b0110, annotated=False), range(5))
    circuit.h(range(5))
    made = compiled_circuit(circuit)
    found = made.figures
    assert made.verified == "exact"
    assert (found.toffolis, found.t_gates, found.logical_qubits) == (3, 0, 7)
    # Two ANDs, the Toffoli gate between, and what clears them.
    rotations = found.t_count - 4 * 3
    assert found.t_count_unmeasured == rotations + 7 * 5


def test_any_input_leaves_clean_qubits_out():
    circuit = QuantumCircuit(4)
    circuit.mcx([0, 1, 2], 3)
    made = compile(Program.of_circuit(circuit), "all", FAST)
    assert (made.verified, made.figures.qubits) == ("exact", 4)
    assert made.chosen.attempt.synthesis == "cheapest"


def test_rotations_cost_their_synthesis():
    circuit = QuantumCircuit(2)
    circuit.t(0)
    circuit.ry(0.3, 0)
    circuit.cx(0, 1)
    circuit.ry(0.5, 1)
    found = compiled_circuit(circuit).figures
    assert (found.t_gates, found.rotations) == (1, 2)
    # 3 log₂(2/1e-4) for each rotation, 42.9.
    assert found.t_count == found.t_count_unmeasured == 1 + 86


def test_coupled_targets_are_refused():
    circuit = QuantumCircuit(2)
    circuit.cx(0, 1)
    with pytest.raises(InputError, match=r"objective 't_count'.*target 'star:2'.*try 'all:2'"):
        compiled_circuit(circuit, "star:2")


def test_measurements_on_the_way_are_refused():
    circuit = QuantumCircuit(1, 1)
    circuit.t(0)
    circuit.measure(0, 0)
    circuit.h(0)
    circuit.measure(0, 0)
    with pytest.raises(InputError, match="measure at their end only"):
        compile(Program.of_circuit(circuit), "all", FAST)


def test_targets_too_small_for_the_clean_qubits_are_refused():
    program = encoded(named_game("skat-4"), "lists-win")
    with pytest.raises(InputError, match="needs 32 qubits, target 'all:29' has 29"):
        compile(program, "all:29", FAST)


def circuit_with_and(seed):
    """Three random qubits, a rotation by the AND of two of them, and the AND cleared."""
    circuit = QuantumCircuit(4)
    generator = np.random.default_rng(seed)
    for qubit in range(3):
        circuit.u(*generator.uniform(0, 3, 3), qubit)
    circuit.cx(0, 1)
    temporary_and(circuit, 0, 1, 3)
    circuit.cry(0.7, 3, 2)
    undo_and(circuit, 0, 1, 3)
    return circuit


@pytest.mark.parametrize("seed", range(3))
def test_measuring_is_the_same_as_undoing(seed):
    plain = circuit_with_and(seed)
    dynamic = measured(plain)
    dynamic.save_statevector()
    assert "temporary_and_dg" not in dynamic.count_ops()
    simulator = AerSimulator(method="statevector", seed_simulator=seed)
    for _ in range(4):
        found = simulator.run(dynamic.decompose("temporary_and"), shots=1).result()
        overlap = Statevector(plain).inner(Statevector(found.get_statevector()))
        assert abs(overlap) == pytest.approx(1)
