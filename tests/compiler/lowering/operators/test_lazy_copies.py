"""Copies that are only asked are not written, and the state stays what it was."""

from qiskit import QuantumCircuit

from compiler.lowering.operators.lazy_copies import without_idle_copies


def test_of_copies_only_the_last_is_written_before_the_original_changes():
    circuit = QuantumCircuit(4)
    circuit.h(0)
    for copy in (3, 1, 2):
        circuit.cx(0, copy)
    circuit.cx(3, 1)
    circuit.h(0)
    found = [
        (item.operation.name, *(without.find_bit(qubit).index for qubit in item.qubits))
        for without in [without_idle_copies(circuit)]
        for item in without.data
    ]
    # Qubit 1 was erased; the copies that are left are written in the order of their places.
    assert found == [("h", 0), ("cx", 0, 2), ("cx", 0, 3), ("h", 0)]
