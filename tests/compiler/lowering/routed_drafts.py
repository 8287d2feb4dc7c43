"""Random circuits to route, and the proof that a routed draft does what they do."""

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit.library import UGate
from qiskit.quantum_info import Statevector


def random_gates(qubits, gates, seed):
    """Return CX on random pairs with random one-qubit gates between them."""
    rng = np.random.default_rng(seed)
    circuit = QuantumCircuit(qubits, global_phase=0.3)
    for _ in range(gates):
        pair = [int(q) for q in rng.choice(qubits, 2, replace=False)]
        for qubit in pair:
            circuit.append(UGate(*rng.uniform(0, 6, 3)), [qubit])
        circuit.cx(*pair)
    return circuit


def assert_does_the_same(circuit, draft, target):
    """Compare on a random product state, with the qubits that no logical qubit starts on |0⟩."""
    native = draft.circuit
    index = {qubit: i for i, qubit in enumerate(native.qubits)}
    coupled = {frozenset(edge) for edge in target.build_coupling_map().get_edges()}
    places = [[index[qubit] for qubit in item.qubits] for item in native.data]
    assert all(len(place) < 2 or frozenset(place) in coupled for place in places)
    assert set(native.count_ops()) <= set(target.operation_names)
    used = sorted({*draft.initial_layout, *draft.final_layout}.union(*places))
    rank = {place: i for i, place in enumerate(used)}
    found, expected = QuantumCircuit(len(used)), QuantumCircuit(len(used))
    angles = np.random.default_rng(1).uniform(0, 3, (circuit.num_qubits, 3))
    for logical, (start, end) in enumerate(
        zip(draft.initial_layout, draft.final_layout, strict=True)
    ):
        found.u(*angles[logical], rank[start])
        expected.u(*angles[logical], rank[end])
    for item, place in zip(native.data, places, strict=True):
        found.append(item.operation, [rank[q] for q in place])
    found.global_phase = native.global_phase
    expected.compose(circuit, [rank[q] for q in draft.final_layout], inplace=True)
    assert np.allclose(Statevector(found).data, Statevector(expected).data, atol=1e-7)
