"""Copies that are only asked are not written, and the state stays what it was."""

import random

import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from compiler.lowering.operators.lazy_copies import without_idle_copies

ONE = ("x", "z", "h", "s")


def made(seed):
    """Return a random circuit with many CX, so that qubits are copied, moved and erased."""
    chosen = random.Random(seed)
    circuit = QuantumCircuit(chosen.randint(3, 6))
    for _ in range(30):
        name = chosen.choice((*ONE, "cx", "cx", "cx", "cx", "cz", "ccx"))
        width = 1 if name in ONE else len(name)
        getattr(circuit, name)(*chosen.sample(range(circuit.num_qubits), width))
    return circuit


@pytest.mark.parametrize("seed", range(60))
def test_the_state_stays_what_it_was(seed):
    circuit = made(seed)
    assert Statevector(without_idle_copies(circuit)).equiv(Statevector(circuit))


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
