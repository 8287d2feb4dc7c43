"""Reversible logic up to sign against truth tables, on all inputs, with Qiskit as the referee."""

from collections.abc import Callable

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator, Statevector

from compiler.synthesis.permutations import (
    Count,
    add,
    controlled_h,
    flipped,
    less_than,
    swap_if,
    swap_words_if,
    xor_all,
    xor_and,
)

TOLERANCE = 1e-12


def signed_map(circuit: QuantumCircuit) -> dict[int, tuple[int, int]]:
    """Return where every basis state goes, and with which sign."""
    matrix = Operator(circuit).data
    images = np.abs(matrix).argmax(axis=0)
    values = matrix[images, range(len(matrix))]
    assert np.abs(np.abs(values) - 1).max() < TOLERANCE
    assert np.abs(values.imag).max() < TOLERANCE
    signs = np.sign(values.real).astype(int)
    return {i: (int(image), int(signs[i])) for i, image in enumerate(images)}


def built(qubits: int, append: Callable[..., object], *arguments: object) -> QuantumCircuit:
    circuit = QuantumCircuit(qubits)
    append(circuit, *arguments)
    return circuit


def two_qubit_gates(circuit: QuantumCircuit) -> int:
    return circuit.num_nonlocal_gates()


def bits(value: int, *sizes: int) -> list[int]:
    """Return the numbers that consecutive registers of these sizes hold."""
    numbers = []
    for size in sizes:
        numbers.append(value & (1 << size) - 1)
        value >>= size
    return numbers


def test_controlled_h_is_exact():
    circuit = built(2, controlled_h, 0, 1)
    wanted = QuantumCircuit(2)
    wanted.ch(0, 1)
    assert np.allclose(Operator(circuit).data, Operator(wanted).data, atol=TOLERANCE)
    assert two_qubit_gates(circuit) == 1


def test_xor_and():
    circuit = built(3, xor_and, 0, 1, 2)
    for state, (image, sign) in signed_map(circuit).items():
        a, b, t = bits(state, 1, 1, 1)
        assert image == state ^ (a & b) << 2
        assert sign == (-1 if (a, b, t) == (0, 1, 1) else 1)
    assert circuit.count_ops()["cz"] == two_qubit_gates(circuit) == 3


def test_flipped_flips_back():
    circuit = QuantumCircuit(2)
    with flipped(circuit, [0]):
        circuit.cx(0, 1)
    assert {s: image for s, (image, _) in signed_map(circuit).items()} == {0: 2, 1: 1, 2: 0, 3: 3}


@pytest.mark.parametrize(("controls", "gates"), [(1, 1), (2, 3), (3, 9), (4, 15), (5, 21)])
def test_xor_all(controls, gates):
    ancillas = max(0, controls - 2)
    places = range(controls + 1, controls + 1 + ancillas)
    circuit = built(controls + 1 + ancillas, xor_all, range(controls), controls, places)
    images = signed_map(circuit)
    for state in range(1 << controls + 1):
        inputs, _ = bits(state, controls, 1)
        hit = inputs == (1 << controls) - 1
        assert images[state][0] == state ^ hit << controls
    assert two_qubit_gates(circuit) == gates


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 0, 1), (1, 2, 0)])
def test_swap_if(order):
    circuit = built(3, swap_if, *order)
    for state, (image, sign) in signed_map(circuit).items():
        control, a, b = (state >> qubit & 1 for qubit in order)
        a, b = (b, a) if control else (a, b)
        assert image == sum(v << q for v, q in zip((control, a, b), order, strict=True))
        assert sign == (-1 if state == 0b111 else 1)
    assert circuit.count_ops()["cz"] == two_qubit_gates(circuit) == 4


def test_swap_words_if():
    circuit = built(7, swap_words_if, 0, [1, 2, 3], [4, 5, 6])
    for state, (image, _) in signed_map(circuit).items():
        control, a, b = bits(state, 1, 3, 3)
        a, b = (b, a) if control else (a, b)
        assert image == control | a << 1 | b << 4
    assert two_qubit_gates(circuit) == 12


@pytest.mark.parametrize(("size", "gates"), [(1, 1), (2, 8), (3, 18), (4, 28)])
def test_less_than(size, gates):
    a, b, result = range(size), range(size, 2 * size), 2 * size
    circuit = built(2 * size + 1, less_than, a, b, result)
    for state, (image, _) in signed_map(circuit).items():
        one, other, _ = bits(state, size, size, 1)
        hit = one < other or (one == other and one % 2 == 1)
        assert image == state ^ hit << result
    assert two_qubit_gates(circuit) == gates == (10 * size - 12 if size > 1 else 1)


def sums(left: int, right: int) -> tuple[QuantumCircuit, Count]:
    """Return a circuit that adds counts up to `left` and `right`, and the sum."""
    first = left.bit_length()
    second = first + right.bit_length()
    size = (left + right).bit_length()
    free = iter(range(second, second + size))
    circuit = QuantumCircuit(second + size)
    total = add(
        circuit,
        Count(tuple(range(first)), left),
        Count(tuple(range(first, second)), right),
        free.__next__,
    )
    return circuit, total


ADDENDS = [(1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3), (3, 2), (3, 3), (4, 1), (4, 3), (4, 4)]


@pytest.mark.parametrize(("left", "right"), ADDENDS)
def test_add(left, right):
    """The inverse, too: it takes every sum apart again, and leaves the ancillas clean."""
    circuit, total = sums(left, right)
    assert total.most == left + right
    assert len(total.bits) == (left + right).bit_length()
    both = circuit.compose(circuit.inverse())
    for one in range(left + 1):
        for other in range(right + 1):
            start = one | other << left.bit_length()
            (image,) = basis_states(circuit, start)
            assert sum((image >> q & 1) << i for i, q in enumerate(total.bits)) == one + other
            assert basis_states(both, start) == {start}


def basis_states(circuit: QuantumCircuit, start: int) -> set[int]:
    """Return the basis states that a circuit maps one to."""
    state = Statevector.from_int(start, 1 << circuit.num_qubits).evolve(circuit)
    return {int(i) for i in np.flatnonzero(np.abs(state.data) > TOLERANCE**0.5)}


@pytest.mark.parametrize(
    ("left", "right", "gates"),
    [(1, 1, 4), (2, 1, 5), (2, 2, 12), (3, 1, 8), (3, 2, 12), (3, 3, 12), (4, 2, 13)],
)
def test_gates_of_sums(left, right, gates):
    """A half adder takes 4 gates and a full one 8; the top bit takes 1 a term and no carry."""
    circuit, _ = sums(left, right)
    assert two_qubit_gates(circuit) == gates
