"""Readouts of fewest qubits."""

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction
from qiskit.circuit.library import RYGate
from qiskit.quantum_info import Operator, Statevector

from compiler.errors import InputError, VerificationError
from compiler.readouts import (
    ClassicalRun,
    deciding_qubits,
    fewest_readouts,
    is_classical,
    put_off,
    with_runs,
    without_runs,
)
from compiler.verification.program import outcome_distribution, program_state

QUBITS = 5


def random_circuit(seed, gates=40):
    """Return gates that permute, gates that do not, and composites of both."""
    rng = np.random.default_rng(seed)
    circuit = QuantumCircuit(QUBITS)
    for _ in range(gates):
        a, b, c = (int(qubit) for qubit in rng.permutation(QUBITS)[:3])
        match rng.integers(7):
            case 0:
                circuit.ry(float(rng.uniform(0, 3)), a)
            case 1:
                circuit.ccx(a, b, c, ctrl_state=int(rng.integers(4)))
            case 2:
                circuit.cswap(a, b, c)
            case 3:
                circuit.cx(a, b)
            case 4:
                circuit.rccx(a, b, c)
            case 5:
                circuit.cry(0.7, a, b)
            case _:
                inner = QuantumCircuit(3)
                inner.cx(0, 1)
                inner.h(2)
                inner.ccx(2, 1, 0)
                circuit.append(inner.to_gate(), [a, b, c])
    return circuit


def of_items(circuit, *groups):
    made = QuantumCircuit(*circuit.qregs)
    for group in groups:
        for item in without_runs(group):
            made.append(item)
    return made


@pytest.mark.parametrize("seed", range(3))
def test_what_is_put_off_comes_after_the_rest(seed):
    circuit = random_circuit(seed)
    split = put_off(circuit.data, is_classical)
    assert all(is_classical(item) for item in split.late)
    again = of_items(circuit, split.kept, split.late)
    assert Operator(again).equiv(Operator(circuit))


@pytest.mark.parametrize("seed", range(3))
def test_what_is_read_does_not_notice_what_is_left_out(seed):
    circuit = random_circuit(seed)
    read = [0, 3]
    kept = put_off(circuit.data, lambda _: True, [circuit.qubits[qubit] for qubit in read]).kept
    short = of_items(circuit, kept)
    wanted = Statevector(circuit).probabilities(read)
    assert np.abs(Statevector(short).probabilities(read) - wanted).max() < 1e-12


def items_of(circuit):
    return [CircuitInstruction(item.operation, item.qubits) for item in circuit.data]


def margolus():
    circuit = QuantumCircuit(3)
    for angle, control in ((np.pi / 4, 0), (np.pi / 4, 1), (-np.pi / 4, 0)):
        circuit.ry(angle, 2)
        circuit.cx(control, 2)
    circuit.ry(-np.pi / 4, 2)
    return circuit


def test_margolus_gate_is_a_run_that_permutes():
    circuit = margolus()
    (run,) = with_runs(items_of(circuit))
    assert isinstance(run.operation, ClassicalRun)
    matrix = Operator(run.operation).data
    assert np.abs(matrix[run.operation.image, np.arange(8)]) == pytest.approx(np.ones(8))
    assert {run.qubits[i] for i in run.operation.changed} == {circuit.qubits[2]}
    assert [item.operation for item in without_runs([run])] == [
        item.operation for item in circuit.data
    ]


def test_a_run_with_a_wrong_angle_is_none():
    circuit = margolus()
    circuit.data[0] = CircuitInstruction(circuit.data[0].operation.inverse(), [circuit.qubits[2]])
    found = with_runs(items_of(circuit))
    assert not any(isinstance(item.operation, ClassicalRun) for item in found)


def tells(bits, labels, columns):
    said = {}
    return all(
        said.setdefault(tuple(row[list(columns)]), label) == label
        for row, label in zip(bits, labels, strict=True)
    )


@pytest.mark.parametrize("seed", range(8))
def test_they_tell_and_none_can_be_spared(seed):
    rng = np.random.default_rng(seed)
    width = 7
    rows = rng.choice(1 << width, size=int(rng.integers(2, 30)), replace=False)
    bits = (rows[:, None] >> np.arange(width) & 1).astype(bool)
    labels = [int(label) for label in rng.integers(0, 4, len(rows))]
    costs = [float(cost) for cost in rng.uniform(1, 3, width)]
    found = deciding_qubits(bits, labels, costs)
    assert tells(bits, labels, found)
    for column in found:
        assert not tells(bits, labels, [other for other in found if other != column])


def test_equal_rows_of_different_labels_are_refused():
    with pytest.raises(InputError, match="more must be read"):
        deciding_qubits(np.zeros((2, 3), dtype=bool), [0, 1], [1.0] * 3)


def copies():
    """A coin of 1/4 on qubit 0, copied twice, beside a coin that nobody asks for."""
    circuit = QuantumCircuit(4, 4)
    circuit.append(RYGate(1.0471975511965976), [0])
    circuit.cx(0, 1)
    circuit.cx(1, 2)
    circuit.x(2)
    circuit.h(3)
    circuit.measure(range(4), range(4))
    return circuit


def test_copies_are_not_read_and_not_made():
    few = fewest_readouts(copies(), lambda bits: bits & 7)
    assert few.circuit.count_ops() == {"ry": 1, "measure": 1}
    assert few.circuit.num_qubits == 1
    # Qubit 2 is the copy, flipped.
    assert few.outcomes == {0: 0b100, 1: 0b011}
    found = outcome_distribution(few.circuit, program_state(few.circuit))
    assert found == pytest.approx({0: 3 / 4, 1: 1 / 4})


def test_what_stands_for_no_outcome_is_refused():
    with pytest.raises(VerificationError, match="can end in 0x3, which is no outcome"):
        fewest_readouts(copies(), lambda bits: None if bits & 7 == 3 else bits)


def test_what_is_certain_is_read_from_one_qubit_that_nothing_was_done_to():
    circuit = QuantumCircuit(2, 2)
    circuit.h(0)
    circuit.measure([0, 1], [0, 1])
    few = fewest_readouts(circuit, lambda bits: 7)
    assert few.circuit.count_ops() == {"measure": 1}
    assert few.outcomes == {0: 7}
