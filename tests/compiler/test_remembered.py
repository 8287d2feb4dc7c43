"""Rewritings that work but once on a circuit, and functions that do on matrices."""

import numpy as np
from qiskit import QuantumCircuit

from compiler.remembered import KEPT, KEPT_RESULTS, exactly_remembered, remembered


def turned(angle):
    circuit = QuantumCircuit(2)
    circuit.rx(angle, 0)
    return circuit


def test_the_same_circuit_is_rewritten_once_for_each_argument():
    asked = []

    @remembered
    def doubled(circuit, times):
        asked.append((circuit.data[0].params[0], times))
        return circuit if times == 1 else circuit.repeat(times)

    assert doubled(turned(0.1), 2) is doubled(turned(0.1), 2)
    doubled(turned(0.1), 3)
    doubled(turned(0.2), 2)
    assert asked == [(0.1, 2), (0.1, 3), (0.2, 2)]
    # What is left as it is stays the very circuit that was given.
    given = turned(0.1)
    assert doubled(given, 1) is given
    again = turned(0.1)
    assert doubled(again, 1) is again
    assert asked[3:] == [(0.1, 1)]
    for angle in range(KEPT):
        doubled(turned(angle), 2)
    doubled(turned(0.2), 2)
    assert asked[-1] == (0.2, 2)


def test_a_function_of_matrices_works_once_on_what_is_the_same_to_the_bit():
    asked = []

    @exactly_remembered
    def summed(matrix, others=(), *, times=1):
        asked.append(times)
        return times * (matrix.sum() + sum(other.sum() for other in others))

    matrix = np.arange(6.0).reshape(2, 3)
    assert summed(matrix) == summed(matrix.copy()) == 15
    assert summed(matrix, times=2) == 30
    assert summed(matrix, (matrix, matrix)) == summed(matrix, (matrix.copy(), matrix)) == 45
    assert summed(matrix, (matrix,)) == 30
    assert summed(matrix, times=matrix[0]).tolist() == [0, 15, 30]
    changed = matrix.copy()
    changed[0, 0] = -0.0
    for other in (changed, matrix.T, np.asfortranarray(matrix), matrix.reshape(3, 2)):
        count = len(asked)
        assert summed(other) == 15
        assert len(asked) == count + 1
    count = len(asked)
    for value in range(KEPT_RESULTS):
        summed(np.array([float(value)]))
    assert summed(matrix) == 15
    assert len(asked) == count + KEPT_RESULTS + 1
