"""Circuits to route and to rewrite, and proofs that drafts do what they do."""

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit.library import UGate
from qiskit.quantum_info import Statevector

from compiler.lowering.draft import Setting
from compiler.lowering.methods import lower_operators
from compiler.lowering.qiskit_level_3 import level_3
from compiler.measurement import final_measurements
from compiler.targets import target_from_spec
from compiler.verification.simulation.exact import exact_state
from games import encoded, named_game


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


def two_qubit_gates(circuit):
    return sum(len(item.qubits) == 2 for item in circuit.data if item.operation.name != "barrier")


def fidelity(circuit, other):
    """Return |⟨circuit|other⟩|, by the engines that verify programs."""
    amplitudes = exact_state(circuit).by_basis_state()
    others = exact_state(other).by_basis_state()
    return abs(sum(np.conj(a) * others.get(key, 0) for key, a in amplitudes.items()))


def routed(encoding, method, spec, seed=0):
    gates, _ = final_measurements(encoded(named_game("skat-4"), encoding).circuit)
    target = target_from_spec(spec)
    return level_3(lower_operators(gates, method), target, seed), Setting(target)


def pairs_of(circuit):
    """Return the pairs of qubits that a gate acts on."""
    places = [{circuit.find_bit(qubit).index for qubit in item.qubits} for item in circuit.data]
    return {frozenset(pair) for pair in places if len(pair) == 2}
