"""What is ruled out for a unitary, against circuits with known numbers of CZ gates."""

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator, random_unitary

from compiler.lowering.state_peephole.crossings import crossings, ruled_out, schmidt_coefficients
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


@pytest.mark.parametrize("count", range(5))
def test_no_template_is_ruled_out_for_what_it_makes(count):
    for seed, pairs in enumerate(templates(EDGES, count)):
        assert crossings(pairs, 3).isdisjoint(ruled_out(unitary_of(pairs, seed)))


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
    assert ruled_out(unitary_of(pairs, 7)) == expected


def test_coefficients_are_those_of_the_very_qubit():
    """exp(i(aXX + bYY + cZZ)) has four known coefficients; a third qubit has one."""
    a, b, c = 0.3, 0.2, 0.1
    circuit = QuantumCircuit(3)
    circuit.rxx(-2 * a, 0, 2)
    circuit.ryy(-2 * b, 0, 2)
    circuit.rzz(-2 * c, 0, 2)
    ca, cb, cc, sa, sb, sc = *np.cos((a, b, c)), *np.sin((a, b, c))
    known = sorted(
        np.abs(
            [
                ca * cb * cc - 1j * sa * sb * sc,
                1j * sa * cb * cc - ca * sb * sc,
                1j * ca * sb * cc - sa * cb * sc,
                1j * ca * cb * sc - sa * sb * cc,
            ]
        ),
        reverse=True,
    )
    unitary = Operator(circuit).data
    for qubit, expected in ((0, known), (2, known), (1, [1, 0, 0, 0])):
        assert np.allclose(schmidt_coefficients(unitary, qubit), expected, atol=1e-12)
