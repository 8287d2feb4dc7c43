"""Gates put off to the end: the same unitary, and the same distribution of what is read."""

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction
from qiskit.quantum_info import Operator, Statevector

from compiler.readouts.backward import is_classical, put_off
from compiler.readouts.classical_runs import ClassicalRun, with_runs, without_runs

QUBITS = 5


def random_circuit(seed, gates=40):
    """Return gates that permute, gates that do not, and composites of both."""
    rng = np.random.default_rng(seed)
    circuit = QuantumCircuit(QUBITS)
    for _ in range(gates):
        a, b, c = (int(qubit) for qubit in rng.permutation(QUBITS)[:3])
        match rng.integers(9):
            case 0:
                circuit.ry(float(rng.uniform(0, 3)), a)
            case 1:
                circuit.ccx(a, b, c, ctrl_state=int(rng.integers(4)))
            case 2:
                circuit.cswap(a, b, c)
            case 3:
                circuit.cx(a, b)
            case 4:
                circuit.rzz(0.3, a, b)
            case 5:
                circuit.ch(a, b)
            case 6:
                circuit.rccx(a, b, c)
            case 7:
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


@pytest.mark.parametrize("seed", range(12))
def test_what_is_put_off_comes_after_the_rest(seed):
    circuit = random_circuit(seed)
    split = put_off(circuit.data, is_classical)
    assert all(is_classical(item) for item in split.late)
    again = of_items(circuit, split.kept, split.late)
    assert Operator(again).equiv(Operator(circuit))


@pytest.mark.parametrize("seed", range(12))
def test_what_is_read_does_not_notice_what_is_left_out(seed):
    circuit = random_circuit(seed)
    read = [0, 3]
    kept = put_off(circuit.data, lambda _: True, [circuit.qubits[qubit] for qubit in read]).kept
    short = of_items(circuit, kept)
    wanted = Statevector(circuit).probabilities(read)
    assert np.abs(Statevector(short).probabilities(read) - wanted).max() < 1e-12


def test_operators_of_which_nothing_is_put_off_stay_whole():
    inner = QuantumCircuit(2, name="inner")
    inner.h(0)
    inner.ch(0, 1)
    circuit = QuantumCircuit(2)
    circuit.append(inner.to_gate(), [0, 1])
    (item,) = put_off(circuit.data, is_classical).kept
    assert item.operation.name == "inner"


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
