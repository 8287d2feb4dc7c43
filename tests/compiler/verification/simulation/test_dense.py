"""Dense states of lowered circuits against Qiskit's own, and against broken ones."""

from itertools import permutations

import numpy as np
import pytest
from qiskit import QuantumCircuit, transpile
from qiskit.circuit.library import RYGate
from qiskit.quantum_info import Operator, Statevector

from compiler.errors import StateTooLargeError
from compiler.public_circuits import circuit_from_spec
from compiler.targets import target_from_spec
from compiler.verification.layouts import undo_layout
from compiler.verification.simulation.dense import MAX_QUBITS, dense_state, dense_state_distance


def lowered(circuit, spec, seed=0):
    native = transpile(
        circuit, target=target_from_spec(spec), optimization_level=2, seed_transpiler=seed
    )
    initial = native.layout.initial_index_layout(filter_ancillas=True)
    return native, tuple(initial), tuple(native.layout.final_index_layout())


@pytest.mark.parametrize("spec", ["qft:5", "random-cx:6", "dicke:6", "grover:5"])
def test_a_dense_state_is_qiskits(spec):
    circuit = circuit_from_spec(spec, 1)
    wanted = Statevector(circuit).data
    assert abs(np.vdot(wanted, dense_state(circuit))) == pytest.approx(1, abs=1e-12)


def test_a_routed_circuit_has_its_programs_state():
    program = circuit_from_spec("random-cx:6", 2)
    native, _, final = lowered(program, "heavy-hex:19")
    assert dense_state_distance(program, native, final) < 1e-13


def test_measurements_and_barriers_are_ignored():
    program = QuantumCircuit(2, 2)
    program.ry(0.3, 0)
    program.cx(0, 1)
    program.barrier()
    program.measure([0, 1], [0, 1])
    native = QuantumCircuit(3, 2)
    native.ry(0.3, 2)
    native.barrier()
    native.cx(2, 1)
    native.measure([2, 1], [0, 1])
    assert dense_state_distance(program, native, (2, 1)) < 1e-14
    # cos²(0.15)² of the weight is |00⟩, which looks the same in the wrong order.
    wrong = dense_state_distance(program, native, (2, 0))
    assert wrong == pytest.approx(np.sqrt(2 - 2 * np.cos(0.15) ** 2), rel=1e-12)


def test_qubits_that_are_not_the_programs_must_end_in_zero():
    program = QuantumCircuit(1)
    program.x(0)
    native = QuantumCircuit(2)
    native.x(0)
    assert dense_state_distance(program, native, (0,)) < 1e-15
    native.x(1)
    assert dense_state_distance(program, native, (0,)) == pytest.approx(np.sqrt(2))


def test_inputs_start_where_the_initial_layout_says():
    program = QuantumCircuit(2)
    native = QuantumCircuit(3)
    native.swap(0, 2)
    inputs = [RYGate(0.4), RYGate(1.9)]
    assert dense_state_distance(program, native, (2, 1), (0, 1), inputs) < 1e-15
    wrong = dense_state_distance(program, native, (2, 1), (1, 0), inputs)
    overlap = np.cos((1.9 - 0.4) / 2) ** 2
    assert wrong == pytest.approx(np.sqrt(2 - 2 * overlap))


def test_too_many_qubits():
    wide = QuantumCircuit(MAX_QUBITS + 1)
    wide.h(range(MAX_QUBITS + 1))
    with pytest.raises(StateTooLargeError, match="25 qubits are more than the 24"):
        dense_state(wide)


def test_measuring_on_the_way_is_refused():
    circuit = QuantumCircuit(1, 1)
    circuit.measure(0, 0)
    circuit.x(0)
    with pytest.raises(StateTooLargeError, match="before its end"):
        dense_state_distance(circuit, circuit, (0,))


def test_every_permutation_is_undone():
    for final in permutations(range(4)):
        native = QuantumCircuit(4)
        native.cx(0, 1)
        places = list(range(4))
        for qubit, place in enumerate(final):
            where = places[qubit]
            if where != place:
                native.swap(where, place)
                places = [where if p == place else place if p == where else p for p in places]
        assert tuple(places) == final
        alone = undo_layout(native, (0, 1, 2, 3), final)
        plain = QuantumCircuit(4)
        plain.cx(0, 1)
        assert Operator(alone) == Operator(plain), final
