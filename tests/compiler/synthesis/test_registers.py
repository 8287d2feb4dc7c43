"""Cutting operands into registers."""

import pytest

from compiler.synthesis.registers import bit_pattern, split


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
