"""Matrices, Weyl classes, tolerances, and the order of gates."""

import re
from functools import reduce
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit.quantum_info import random_unitary
from scipy.linalg import expm

from compiler.circuits import tolerances
from compiler.circuits.cx_cost import cx_cost
from compiler.circuits.gate_order import SmallestFirst
from compiler.circuits.matrices import SWAP, kronecker, with_qubits_swapped
from compiler.circuits.weyl import tensor_factors, weyl_decomposition
from compiler.lowering.interactions.in_cx import gates_around_cx


@given(st.lists(st.lists(st.integers(0, 5), min_size=1, max_size=3, unique=True), max_size=30))
def test_gates_keep_their_order_on_every_qubit_and_each_qubit_is_finished_once(qubits):
    finished = []
    refused = set()

    def at_first_refused(place):
        # What is refused once is played when nothing else is left.
        refused.add(place)
        return False

    ordering = SmallestFirst(qubits, lambda _: None, at_first_refused, finished.append)
    order = ordering.run()
    assert sorted(order) == list(range(len(qubits)))
    for qubit in range(6):
        on_it = [place for place in order if qubit in qubits[place]]
        assert all(a < b for a, b in pairwise(on_it))
    assert sorted(finished) == sorted({qubit for each in qubits for qubit in each})
    assert refused == {place for place, each in enumerate(qubits) if len(each) > 1}


@pytest.mark.parametrize("shapes", [((2, 2), (2, 2)), ((2, 1), (8, 3)), ((1, 1), (2, 2))])
def test_every_entry_is_that_of_numpy(shapes):
    random = np.random.default_rng(0)
    high, low = (random.normal(size=shape) - 1j * random.normal(size=shape) for shape in shapes)
    high[0, 0] = -0.0
    assert kronecker(high, low).tobytes() == np.kron(high, low).tobytes()


def test_the_page_on_tolerances_lists_every_tolerance():
    page = Path("docs/tolerances.md").read_text()
    listed = dict(re.findall(r"^\| `(\w+)` \| ([0-9.e-]+) \|", page, re.MULTILINE))
    assert {name: float(bound) for name, bound in listed.items()} == {
        name: value for name, value in vars(tolerances).items() if name.isupper()
    }


X, Y, Z = (
    np.array([[0, 1], [1, 0]], complex),
    np.array([[0, -1j], [1j, 0]]),
    np.diag([1, -1]).astype(complex),
)
QUARTER = np.pi / 4


def canonical(a, b, c):
    """Return exp(i(a XX + b YY + c ZZ)) between random one-qubit gates."""
    before, after = (
        kronecker(*(random_unitary(2, seed=seed + i).data for i in (0, 1))) for seed in (0, 2)
    )
    inner = a * kronecker(X, X) + b * kronecker(Y, Y) + c * kronecker(Z, Z)
    return after @ expm(1j * inner) @ before


def product(gates):
    """Return the matrix of layers of one-qubit gates with CX between them."""
    layers = [kronecker(high, low) for low, high in zip(gates[::2], gates[1::2], strict=True)]
    return reduce(lambda left, right: right @ np.eye(4)[[0, 3, 2, 1]] @ left, layers)


@pytest.mark.parametrize(
    ("angles", "cost"),
    [
        ((0, 0, 0), 0),
        ((QUARTER, 0, 0), 1),
        ((0.3, 0, 0), 2),
        ((1e-4, 0, 0), 2),
        ((QUARTER, QUARTER, 0), 2),
        ((0.3, 0.2, 0), 2),
        ((0.3, 0.2, 0.1), 3),
        ((QUARTER, QUARTER, QUARTER), 3),
    ],
)
def test_cost_by_canonical_angles(angles, cost):
    assert cx_cost(canonical(*angles)) == cost
    assert cx_cost(with_qubits_swapped(canonical(*angles))) == cost


@pytest.mark.parametrize("angles", [(QUARTER, 0, 0), (0.3, 0.2, 0), (0.3, 0.2, 0.1), (0, 0, 0)])
def test_fewest_cx_make_the_unitary(angles):
    unitary = canonical(*angles)
    gates, phase = gates_around_cx(unitary)
    assert len(gates) == 2 * (cx_cost(unitary) + 1)
    np.testing.assert_allclose(product(gates) * np.exp(1j * phase), unitary, atol=1e-9)


def test_products_that_rounding_took_off_the_unitary_group_are_decomposed():
    rng = np.random.default_rng(5)
    for _ in range(20):
        noise = rng.normal(size=(4, 4)) + 1j * rng.normal(size=(4, 4))
        unitary = canonical(0.05, 0, 0) + 1e-10 * noise
        weyl = weyl_decomposition(unitary)
        assert weyl.a == pytest.approx(0.05, abs=1e-8)


def test_tensor_factors():
    high, low = (random_unitary(2, seed=seed).data for seed in (1, 2))
    factors = tensor_factors(kronecker(high, low).reshape(2, 2, 2, 2), 1e-9)
    assert factors is not None
    np.testing.assert_allclose(kronecker(*factors[:2]), kronecker(high, low), atol=1e-12)
    assert tensor_factors(SWAP.reshape(2, 2, 2, 2), 1e-9) is None
