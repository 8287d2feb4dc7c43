"""Registers, permutations, controls, and controlled rotations."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate
from qiskit.circuit.library import HGate, RYGate, XGate
from qiskit.quantum_info import Operator, Statevector

from compiler.synthesis.coin import toss
from compiler.synthesis.controls import closed_controls
from compiler.synthesis.permutations import (
    Count,
    add,
    controlled_h,
    less_than,
    swap_if,
    swap_words_if,
    xor_all,
    xor_and,
)
from compiler.synthesis.registers import (
    Register,
    joined,
    label,
    legal_states,
    parts,
    qubits_of,
    split,
)

BITS, TRITS = Register("owner", 2), Register("point", 2, 3)
COLOURS = Register("point", 1, 3, codes=(1, 0, 2))


def test_digits_and_basis_states_are_each_others_inverse():
    for register in (BITS, TRITS, COLOURS):
        for state in register.legal_states():
            assert register.encode(register.decode(state)) == state
    assert TRITS.encode([2, 1]) == 0b01_10
    assert TRITS.label(0b01_10) == "point=21"
    assert COLOURS.label(0b10) == "point=2"


def test_an_illegal_level_is_refused():
    with pytest.raises(ValueError, match=r"register 'point': \|11⟩ is no digit"):
        TRITS.decode(0b1100)


@pytest.mark.parametrize("codes", [(0, 1), (0, 1, 1), (0, 1, 4), (0, 1, 2, 3)])
def test_codes_that_are_no_digits_are_refused(codes):
    with pytest.raises(ValueError, match="are not 3 different values of 2 qubits"):
        Register("point", 1, 3, codes=codes)


def test_registers_lie_one_after_the_other():
    registers = (BITS, COLOURS, Register("flag", 1))
    assert qubits_of(registers) == 5
    state = joined(registers, [0b10, 0b01, 1])
    assert state == 0b1_01_10
    assert parts(registers, state) == [0b10, 0b01, 1]
    assert label(registers, state) == "owner=01 point=0 flag=1"
    assert len(set(legal_states(registers))) == 4 * 3 * 2
    assert all(parts(registers, s)[1] != 0b11 for s in legal_states(registers))


@pytest.mark.parametrize("sizes", [(3,), (2, 1), (5,), (2, 3), ()])
def test_sizes_that_do_not_add_up_are_refused(sizes):
    with pytest.raises(ValueError, match="4 qubits cannot be split into registers of"):
        split("abcd", *sizes)


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


ADDENDS = [(1, 1), (1, 2), (2, 2), (3, 1), (3, 3), (4, 3)]


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


@pytest.mark.parametrize("ctrl_state", range(8))
@pytest.mark.parametrize("base", [XGate(), RYGate(0.3), HGate()], ids=lambda gate: gate.name)
def test_every_control_state(base, ctrl_state):
    circuit = QuantumCircuit(5)
    circuit.append(base.control(3, ctrl_state=ctrl_state, annotated=False), [4, 0, 3, 1])
    closed = closed_controls(circuit)
    assert Operator(closed) == Operator(circuit)
    controlled = [i.operation for i in closed.data if isinstance(i.operation, ControlledGate)]
    assert [gate.ctrl_state for gate in controlled] == [7]
    assert closed.count_ops().get("x", 0) == 2 * (3 - ctrl_state.bit_count())


EXACT = 1e-9

PROBABILITIES = st.one_of(
    st.sampled_from([Fraction(0), Fraction(1), Fraction(1, 2)]),
    st.fractions(0, 1, max_denominator=30),
)


@st.composite
def tables(draw, most_controls=4):
    """Draw the number of controls, and probabilities of some of their patterns."""
    controls = draw(st.integers(0, most_controls))
    patterns = draw(st.sets(st.integers(0, (1 << controls) - 1), min_size=1))
    return controls, {pattern: draw(PROBABILITIES) for pattern in sorted(patterns)}


@given(table=tables(most_controls=3), data=st.data())
def test_toss_changes_nothing_but_its_target(table, data):
    """The reference is Qiskit's simulation of the gates, controls and target in any order."""
    controls, probabilities = table
    *places, target = data.draw(st.permutations(range(controls + 1)))
    for pattern, p in probabilities.items():
        circuit = QuantumCircuit(controls + 1)
        for i, qubit in enumerate(places):
            if pattern >> i & 1:
                circuit.x(qubit)
        toss(circuit, places, target, probabilities)
        state = sum(1 << q for i, q in enumerate(places) if pattern >> i & 1)
        found = Statevector(circuit).probabilities_dict()
        chances = {state: 1 - p, state | 1 << target: p}
        assert sum(found.values()) == pytest.approx(1)
        for basis_state, wanted in chances.items():
            key = f"{basis_state:0{controls + 1}b}"
            assert found.pop(key, 0) == pytest.approx(float(wanted), abs=EXACT)
        assert sum(found.values()) == pytest.approx(0, abs=EXACT)
