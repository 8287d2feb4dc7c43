"""Gates that turn by little, and figures."""

from math import pi
from random import Random

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit.library import CZGate, Measure, RXXGate, SXGate
from qiskit.quantum_info import Operator, random_unitary
from qiskit.transpiler import InstructionProperties, Target

from compiler.lowering.figures import Figures, figures
from compiler.lowering.hub.scheduling import narrowed
from compiler.lowering.interactions.in_cx import circuit_in_cx
from compiler.lowering.qiskit_level_3 import level_3
from compiler.lowering.state_peephole.block_class import cheapest_on_support
from compiler.targets import target_from_spec
from tests.independent import require_same_unitary


def test_counts_and_depths():
    circuit = QuantumCircuit(5, 2)
    circuit.sx(0)
    circuit.rz(0.1, 0)
    circuit.cx(0, 1)
    circuit.cx(0, 2)
    circuit.barrier()
    circuit.x(2)
    circuit.measure([0, 3], [0, 1])
    assert figures(circuit, target_from_spec("star:5")) == Figures(
        qubits=4,
        two_qubit_gates=2,
        two_qubit_depth=2,
        depth=5,
        gates=5,
        duration_ns=None,
        expected_fidelity=None,
    )


def calibrated():
    """Two qubits with errors and durations; readout takes 1 µs."""
    target = Target(num_qubits=2, dt=1e-9)
    single = [(0,), (1,)]
    target.add_instruction(CZGate(), {(0, 1): InstructionProperties(100e-9, 0.01)})
    target.add_instruction(SXGate(), {q: InstructionProperties(20e-9, 0.001) for q in single})
    target.add_instruction(Measure(), {q: InstructionProperties(1e-6, 0.05) for q in single})
    return target


def test_duration_and_expected_fidelity_of_a_calibrated_target():
    circuit = QuantumCircuit(2, 2)
    circuit.sx(0)
    circuit.sx(0)
    circuit.sx(1)
    circuit.cz(0, 1)
    circuit.barrier()
    circuit.measure([0, 1], [0, 1])
    figure = figures(circuit, calibrated())
    assert figure.duration_ns == pytest.approx(20 + 20 + 100 + 1000)
    assert figure.expected_fidelity == pytest.approx(0.999**3 * 0.99 * 0.95**2)


def local(seed):
    return np.kron(random_unitary(2, seed).data, random_unitary(2, seed + 1).data)


@pytest.mark.parametrize("angle", [0.7, 3e-5, 3e-7])
def test_a_slight_interaction_is_written_in_cx(angle):
    unitary = local(1) @ RXXGate(angle).to_matrix() @ local(3)
    circuit = circuit_in_cx(unitary)
    assert circuit.count_ops()["cx"] == 2
    assert np.abs(Operator(circuit).data - unitary).max() < 1e-13


@pytest.mark.parametrize("seed", range(6))
def test_a_block_that_rounding_puts_beside_its_class_is_put_into_it(seed):
    """What it may do off the support makes two of its three angles 0, at a multiple root."""
    wanted = local(seed) @ RXXGate(0.9).to_matrix() @ local(seed + 20)
    basis = random_unitary(4, seed).data
    support, free = basis[:, :3], basis[:, 3:]
    block = wanted @ (np.eye(4) + (np.exp(0.6j) - 1) * free @ free.conj().T)
    found = cheapest_on_support(block, support)
    gates = circuit_in_cx(found)
    assert gates.count_ops()["cx"] == 2
    written = Operator(gates).data
    assert np.linalg.norm((written - block) @ support) < 1e-11


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("angle", [8e-4, 5e-5, 7e-7, 2e-8])
def test_small_angles_are_kept_at_all_levels(angle, seed):
    """Qiskit takes small angles for none, alone, in sums, and where they cost a CX."""
    random, circuit = Random(seed), QuantumCircuit(3)
    for name in random.choices(["rx", "ry", "rz", "crx", "cp", "rzz"], k=14):
        turn = random.randrange(-4, 5) * pi / 2 + random.choice([-1, 1]) * angle
        qubits = 1 + (name in ("crx", "cp", "rzz"))
        getattr(circuit, name)(turn, *random.sample(range(3), qubits))
    targets = map(target_from_spec, ("all:3", "star:4"))
    lowered = [level_3(circuit, target, 0, any_input=True) for target in targets]
    for draft in (*lowered, narrowed(circuit, any_input=True)):
        layouts = draft.initial_layout, draft.final_layout
        require_same_unitary(circuit, draft.circuit, *layouts, tolerance=1e-9)
