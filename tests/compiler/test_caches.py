"""Caches of rewritten circuits, of functions of matrices, and their bound in bytes."""

import numpy as np
import pytest
from qiskit import QuantumCircuit

from compiler.caches import Cache, cached_by_arrays, cached_rewriting, own_cache


@pytest.fixture(autouse=True)
def _cache():
    with own_cache():
        yield


def turned(angle):
    circuit = QuantumCircuit(2)
    circuit.rx(angle, 0)
    return circuit


def test_the_same_circuit_is_rewritten_once_for_each_argument():
    calls = []

    @cached_rewriting
    def repeated(circuit, times):
        calls.append((circuit.data[0].params[0], times))
        return circuit if times == 1 else circuit.repeat(times)

    assert repeated(turned(0.1), 2) is repeated(turned(0.1), 2)
    repeated(turned(0.1), 3)
    repeated(turned(0.2), 2)
    assert calls == [(0.1, 2), (0.1, 3), (0.2, 2)]
    # A circuit without gain stays the very circuit of the call.
    for circuit in (turned(0.1), turned(0.1)):
        assert repeated(circuit, 1) is circuit
    assert calls[3:] == [(0.1, 1)]


def test_a_function_of_matrices_is_called_once_for_the_same_bits():
    calls = []

    @cached_by_arrays
    def summed(matrix, others=(), *, times=1):
        calls.append(times)
        return times * (matrix.sum() + sum(other.sum() for other in others))

    matrix = np.arange(6.0).reshape(2, 3)
    assert summed(matrix) == summed(matrix.copy()) == 15
    assert summed(matrix, times=2) == 30
    assert summed(matrix, (matrix, matrix)) == summed(matrix, (matrix.copy(), matrix)) == 45
    assert summed(matrix, (matrix,)) == 30
    assert summed(matrix, times=matrix[0]).tolist() == [0, 15, 30]
    assert len(calls) == 5
    changed = matrix.copy()
    changed[0, 0] = -0.0
    others = (changed, matrix.T, np.asfortranarray(matrix), matrix.reshape(3, 2))
    assert {summed(other) for other in others} == {15}
    assert len(calls) == 9


def test_the_least_recently_used_results_are_dropped_beyond_the_bytes():
    cache, computed = Cache(max_bytes=26_000), []

    def result(key):
        computed.append(key)
        return np.zeros(1_000)

    for key in (1, 2, 3, 1, 4, 1, 2):
        cache.get(key, lambda key=key: result(key))
    assert computed == [1, 2, 3, 4, 2]
