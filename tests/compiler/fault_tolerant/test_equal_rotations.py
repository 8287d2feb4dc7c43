"""The same rotation of many qubits."""

from itertools import count

import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from compiler.fault_tolerant import logical_resources
from compiler.fault_tolerant.one_hot_rotation import rotate_equally


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


@pytest.mark.parametrize(("qubits", "ands", "rotations"), [(1, 0, 1), (7, 4, 3), (12, 10, 4)])
def test_a_rotation_for_each_bit_of_their_number(qubits, ands, rotations):
    found = logical_resources(rotated(qubits, 0.7, 2 * qubits))
    assert (found.toffolis, found.measurements, found.rotations) == (ands, ands, rotations)
    assert (found.t_gates, found.table_rotations) == (0, 0)
