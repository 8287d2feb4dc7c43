"""What is ruled out for a unitary, against circuits with known numbers of CZ gates."""

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator, random_unitary

from compiler.lowering.state_peephole.crossings import crossings, ruled_out
from compiler.lowering.state_peephole.window_search import templates

EDGES = ((0, 1), (0, 2), (1, 2))


def unitary_of(pairs, seed):
    """CZ gates on these pairs, with random one-qubit gates around them."""
    circuit = QuantumCircuit(3)
    seeds = iter(np.random.default_rng(seed).integers(1 << 30, size=3 + 3 * len(pairs)))
    for qubit in range(3):
        circuit.unitary(random_unitary(2, int(next(seeds))), [qubit])
    for pair in pairs:
        circuit.cz(*pair)
        for qubit in range(3):
            circuit.unitary(random_unitary(2, int(next(seeds))), [qubit])
    return Operator(circuit).data


def columns_of(rank, seed):
    """Orthonormal columns: random ones, for odd seeds such that hold a qubit apart."""
    if seed % 2 and rank <= 4:
        apart, others = random_unitary(2, seed).data[:, :1], random_unitary(4, seed).data[:, :rank]
        return np.kron(others, apart)
    return random_unitary(8, seed).data[:, :rank]


@pytest.mark.parametrize("rank", range(1, 9))
@pytest.mark.parametrize("count", range(5))
def test_no_template_is_ruled_out_for_what_it_makes(count, rank):
    for seed, pairs in enumerate(templates(EDGES, count)):
        source = columns_of(rank, seed)
        out = ruled_out(source, unitary_of(pairs, seed) @ source)
        assert crossings(pairs, 3).isdisjoint(out)


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ((), {(0, 1), (1, 1), (2, 1)}),
        (((0, 1),), {(0, 0), (1, 0), (2, 1)}),
        (((1, 2), (0, 2)), {(0, 0), (1, 0), (2, 0), (2, 1)}),
        (((0, 1), (0, 1), (1, 2)), {(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)}),
    ],
)
def test_other_numbers_of_gates_are_ruled_out(pairs, expected):
    assert ruled_out(np.eye(8), unitary_of(pairs, 7)) == expected


@pytest.mark.parametrize(
    ("pairs", "expected"),
    [
        ((), set()),
        (((0, 1),), {(0, 0), (1, 0)}),
        (((1, 2), (0, 2)), {(0, 0), (1, 0), (2, 0), (2, 1)}),
        (((0, 1), (0, 1), (1, 2)), {(0, 0), (0, 1), (1, 0), (1, 1), (2, 0)}),
    ],
)
@pytest.mark.parametrize("rank", [3, 4, 7])
def test_so_they_are_where_only_some_columns_matter(pairs, expected, rank):
    """But a gate that does nothing to them may be there, too."""
    source = random_unitary(8, 5).data[:, :rank]
    assert ruled_out(source, unitary_of(pairs, 7) @ source) == expected
