"""Registers: what they are made of, and cutting operands into them."""

import pytest

from compiler.synthesis.registers import (
    Register,
    bit_pattern,
    joined,
    label,
    legal_states,
    parts,
    qubits_of,
    split,
)

BITS, TRITS = Register("owner", 2), Register("point", 2, 3)
COLOURS = Register("point", 1, 3, codes=(1, 0, 2))


def test_a_digit_of_dimension_3_is_two_qubits_one_level_of_which_is_illegal():
    assert (BITS.qubits, TRITS.qubits) == (2, 4)
    assert list(BITS.legal_states()) == [0b00, 0b10, 0b01, 0b11]
    assert sorted(TRITS.legal_states()) == [0, 1, 2, 4, 5, 6, 8, 9, 10]
    assert list(COLOURS.legal_states()) == [0b01, 0b00, 0b10]


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


@pytest.mark.parametrize(("digits", "dimension"), [(1, 4), (1, 1), (-1, 2)])
def test_other_dimensions_are_refused(digits, dimension):
    with pytest.raises(ValueError, match="a digit has dimension 2 or 3"):
        Register("point", digits, dimension)


def test_registers_lie_one_after_the_other():
    registers = (BITS, COLOURS, Register("flag", 1))
    assert qubits_of(registers) == 5
    state = joined(registers, [0b10, 0b01, 1])
    assert state == 0b1_01_10
    assert parts(registers, state) == [0b10, 0b01, 1]
    assert label(registers, state) == "owner=01 point=0 flag=1"
    assert len(set(legal_states(registers))) == 4 * 3 * 2
    assert all(parts(registers, s)[1] != 0b11 for s in legal_states(registers))


def test_split_keeps_the_order():
    assert split("abcdef", 3, 0, 1, 2) == [["a", "b", "c"], [], ["d"], ["e", "f"]]


@pytest.mark.parametrize("sizes", [(3,), (2, 1), (5,), (2, 3), ()])
def test_sizes_that_do_not_add_up_are_refused(sizes):
    with pytest.raises(ValueError, match="4 qubits cannot be split into registers of"):
        split("abcd", *sizes)


@pytest.mark.parametrize(
    ("values", "pattern"),
    [((), 0), ((True,), 1), ((False, True), 2), ((True, False, True, True), 0b1101)],
)
def test_bit_i_is_value_i(values, pattern):
    assert bit_pattern(values) == pattern
