"""Gates taken together do what they do one at a time, and Toffoli gates rename basis states."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit, transpile
from qiskit.quantum_info import Operator

from compiler.circuits.amplitude_table import AmplitudeTable
from compiler.circuits.branches import Branches
from compiler.circuits.gate_steps import steps_of
from compiler.verification.operator_proofs.condensing import Condensed

QUBITS = 6


def lowered(circuit, seed=0):
    basis = ["cz", "rz", "sx", "x"] if seed % 2 else ["cx", "u"]
    return transpile(
        circuit, basis_gates=basis, optimization_level=seed % 3 + 1, seed_transpiler=seed,
        qubits_initially_zero=False,
    )  # fmt: skip


def inputs(count, seed=0):
    return np.random.default_rng(seed).random((count, QUBITS)) < 0.5


def off(circuit, starts, columns):
    """Return by how much an amplitude is off at most, up to a phase that all have in common."""
    # Qiskit is the reference; its bit order is ours.
    expected = Operator(circuit).data[:, starts @ (1 << np.arange(QUBITS))].T
    overlap = np.vdot(expected.ravel(), columns.ravel())
    return np.abs(columns - expected * overlap / abs(overlap)).max()


def played(circuit, starts):
    """Return the columns of a circuit's unitary for some basis states, played as pieces."""
    condensed = Condensed.of(steps_of(circuit), starts[: len(starts) // 2])
    branches = Branches(starts)
    condensed.play(branches)
    branches.settle()
    table = branches.table
    columns = np.zeros((len(starts), 1 << QUBITS), dtype=complex)
    states = table.bits(range(QUBITS)) @ (1 << np.arange(QUBITS))
    columns[table.run_of, states] = table.amplitudes
    return condensed, columns


@pytest.mark.parametrize("seed", range(12))
def test_random_reversible_logic_with_coins_is_as_its_unitary(seed):
    random = np.random.default_rng(seed)
    circuit = QuantumCircuit(QUBITS)
    for _ in range(14):
        kind = random.integers(5)
        a, b, c = map(int, random.permutation(QUBITS)[:3])
        if kind == 0:
            circuit.ccx(a, b, c)
        elif kind == 1:
            circuit.cswap(a, b, c)
        elif kind == 2:
            circuit.cry(random.uniform(-3, 3), a, b)
        elif kind == 3:
            circuit.ch(a, b)
        else:
            circuit.u(*random.uniform(-3, 3, 3), a)
    native = lowered(circuit, seed)
    starts = inputs(20, seed)
    _, columns = played(native, starts)
    assert off(native, starts, columns) < 1e-9


def test_toffoli_gates_become_renamings():
    circuit = QuantumCircuit(QUBITS)
    for place in range(QUBITS - 2):
        circuit.ccx(place, place + 1, place + 2)
    native = lowered(circuit)
    condensed, _ = played(native, inputs(64))
    assert 2 * len(condensed.pieces) < native.size()
    assert all(piece.images is not None for piece in condensed.pieces)


def test_an_angle_that_is_off_is_kept():
    circuit = QuantumCircuit(QUBITS)
    circuit.ccx(0, 1, 2)
    native = lowered(circuit)
    for place, item in enumerate(native.data):
        if item.name == "u":
            theta, *others = item.operation.params
            native.data[place] = item.replace(operation=type(item.operation)(theta + 1e-6, *others))
            break
    starts = inputs(32)
    _, columns = played(native, starts)
    assert off(native, starts, columns) < 1e-12
    assert off(circuit, starts, columns) > 1e-7


@given(st.integers(0, 2**32))
def test_a_table_mixes_and_renames_as_matrices_do(seed):
    random = np.random.default_rng(seed)
    table = AmplitudeTable.of(np.zeros((1, QUBITS), dtype=bool), 1 << QUBITS)
    state = np.zeros((2,) * QUBITS, dtype=complex)
    state[(0,) * QUBITS] = 1
    for _ in range(6):
        qubits = list(map(int, random.permutation(QUBITS)[: random.integers(1, 4)]))
        size = 1 << len(qubits)
        if random.random() < 0.5:
            made = random.normal(size=(2, size, size))
            matrix = np.linalg.qr(made[0] + 1j * made[1])[0]
            table.turn(qubits, matrix[None])
        else:
            images, phases = random.permutation(size), np.exp(1j * random.uniform(size=size))
            matrix = np.zeros((size, size), dtype=complex)
            matrix[images, np.arange(size)] = phases
            table.rename(qubits, images, phases)
        axes = [QUBITS - 1 - qubit for qubit in reversed(qubits)]
        moved = np.moveaxis(state, axes, range(len(qubits)))
        moved = (matrix @ moved.reshape(size, -1)).reshape(moved.shape)
        state = np.moveaxis(moved, range(len(qubits)), axes)
    found = np.zeros(1 << QUBITS, dtype=complex)
    found[table.bits(range(QUBITS)) @ (1 << np.arange(QUBITS))] = table.amplitudes
    assert np.abs(found - state.ravel()).max() < 1e-9
