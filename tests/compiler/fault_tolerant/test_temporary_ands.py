"""ANDs that are measured away do what their unitary circuits do."""

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector
from qiskit_aer import AerSimulator

from compiler.fault_tolerant.temporary_ands import measured, temporary_and, undo_and


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


def test_the_inverse_of_setting_is_clearing():
    circuit = QuantumCircuit(3)
    temporary_and(circuit, 0, 1, 2)
    (item,) = circuit.inverse().data
    assert item.operation.name == "temporary_and_dg"
    assert item.operation.inverse().name == "temporary_and"
