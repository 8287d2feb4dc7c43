"""Rotations by a table, as additions to a phase gradient; and the adder that they use."""

from collections.abc import Sequence
from math import pi

import numpy as np
import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator as Gates
from qiskit.quantum_info import Statevector

from compiler.fault_tolerant import logical_resources
from compiler.fault_tolerant.one_hot_rotation import (
    OneHotRotation,
    add,
    additions,
    gradient_qubits,
)

BITS = 3


def by_addition(angles: Sequence[float], bits: int) -> QuantumCircuit:
    """Return the rotation by an addition to a phase gradient.

    Args:
        angles: of the flags, each between 0 and π, and rounded to whole π/2^b.
        bits: b.

    Returns:
        A circuit on the flags, the target, the gradient's b + 2 qubits, lowest bit first, and
        clean ones: b for the angle, b + 1 for carries.
    """
    size = bits + 2
    flags, target = range(len(angles)), len(angles)
    first = target + 1
    gradient = range(first, first + size)
    number = range(first + size, first + size + bits)
    carries = range(number.stop, number.stop + size - 1)
    circuit = QuantumCircuit(carries.stop)
    # Adding rotates about -Z, which S† H takes to Y.
    circuit.s(target)
    circuit.h(target)
    writing = circuit.copy_empty_like()
    for flag, angle in zip(flags, angles, strict=True):
        # π itself would need another bit.
        steps = min(round(angle / pi * 2**bits), 2**bits - 1)
        for bit in range(bits):
            if steps >> bit & 1:
                writing.cx(flag, number[bit])
    circuit.compose(writing, inplace=True)
    for qubit in gradient:
        circuit.cx(target, qubit)
    add(circuit, number, gradient, carries)
    for qubit in gradient:
        circuit.cx(target, qubit)
    circuit.compose(writing.inverse(), inplace=True)
    circuit.h(target)
    circuit.sdg(target)
    return circuit


def with_gradient(flag, start, circuit, size):
    """Return the state after a circuit, the flag set, the gradient prepared, the rest clean."""
    prepared = QuantumCircuit(circuit.num_qubits)
    if flag is not None:
        prepared.x(flag)
    prepared.ry(start, 2)
    for place in range(size):
        prepared.h(3 + place)
        prepared.p(-2 * pi * 2**place / 2**size, 3 + place)
    return Statevector(prepared), Statevector(prepared.compose(circuit))


@pytest.mark.parametrize("flag", [None, 0, 1])
@pytest.mark.parametrize("start", [0.0, 0.6])
def test_an_addition_rotates_as_its_gate_does(flag, start):
    angles = (3 * pi / 8, pi / 2)
    circuit = by_addition(angles, BITS)
    assert circuit.num_qubits == 3 + gradient_qubits(BITS)
    before, after = with_gradient(flag, start, circuit, BITS + 2)
    rotation = QuantumCircuit(circuit.num_qubits)
    rotation.append(OneHotRotation(angles), [0, 1, 2])
    expected = before.evolve(rotation)
    assert abs(expected.inner(after)) == pytest.approx(1)


def test_angles_are_off_by_half_a_step_at_most():
    angle = 1.0
    circuit = by_addition((angle, 0.0), BITS)
    before, after = with_gradient(0, 0.0, circuit, BITS + 2)
    rotation = QuantumCircuit(circuit.num_qubits)
    rotation.append(OneHotRotation((angle, 0.0)), [0, 1, 2])
    overlap = abs(before.evolve(rotation).inner(after))
    off = np.sqrt(2 - 2 * min(1, overlap))
    assert 1e-6 < off <= pi / 2 ** (BITS + 2)


def test_an_addition_takes_the_ands_that_are_counted():
    found = logical_resources(by_addition((1.0, 2.0, 0.5), 6))
    assert (found.t_gates, found.toffolis, found.measurements) == (0, additions(6), additions(6))


@pytest.mark.parametrize(("addend", "total"), [(1, 2), (2, 2), (2, 4), (3, 3)])
def test_sums(addend, total):
    circuit = QuantumCircuit(addend + 2 * total - 1)
    add(
        circuit,
        range(addend),
        range(addend, addend + total),
        range(addend + total, addend + 2 * total - 1),
    )
    matrix = Gates(circuit).data
    for a in range(2**addend):
        for b in range(2**total):
            found = int(np.abs(matrix[:, a | b << addend]).argmax())
            assert found == a | ((a + b) % 2**total) << addend


def test_the_inverse_rotates_back():
    gate = OneHotRotation((0.3, 1.2))
    circuit = QuantumCircuit(3)
    circuit.append(gate, range(3))
    circuit.append(gate.inverse(), range(3))
    assert np.allclose(Gates(circuit).data, np.eye(8))
