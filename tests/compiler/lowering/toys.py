"""Toys to rewrite, and what is compared of circuits."""

import numpy as np

from compiler.lowering.draft import Setting
from compiler.lowering.methods import lower_operators
from compiler.lowering.qiskit_level_3 import level_3
from compiler.measurement import final_measurements
from compiler.targets import target_from_spec
from compiler.verification.simulation.exact import exact_state
from games import encoded, named_game


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
