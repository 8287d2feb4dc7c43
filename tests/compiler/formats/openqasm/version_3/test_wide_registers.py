"""Conditions on registers of more bits than are tabulated, against integer arithmetic."""

import pytest

from compiler.errors import CircuitFileError
from compiler.formats.circuit_files import circuit_from_qasm
from compiler.verification.program import outcome_distribution, program_state
from tests.compiler.formats.openqasm.version_3.constructs import HEAD, signed

BITS = 20
NUMBERS = [0, 1, 5, 1 << 19, (1 << 20) - 1, 0b1010_1100_0011_0101_1110]
CONDITIONS = {
    "c == 5": lambda c: c == 5,
    "c != 5": lambda c: c != 5,
    "5 > c": lambda c: c < 5,
    "c <= 524288": lambda c: c <= 1 << 19,
    "c >= 1048575": lambda c: c == (1 << 20) - 1,
    "c < 1048576": lambda c: True,
    "c == 1048576": lambda c: False,
    "c > -1": lambda c: True,
    "bool(c)": lambda c: c != 0,
    "!(c == 1) && (c[0] || c > 600000)": lambda c: c != 1 and (c & 1 == 1 or c > 600000),
    "uint[64](c) == 524288": lambda c: c == 1 << 19,
    "int[20](c) < 0": lambda c: c >> 19 == 1,
    "int[20](c) <= -524288": lambda c: signed(c, 20) == -(1 << 19),
    "int[30](int[20](c)) == -1": lambda c: c == (1 << 20) - 1,
    "c[1:18] == 2": lambda c: c >> 1 & 0x3FFFF == 2,
    "c[1:18] < c[2:19]": lambda c: (c >> 1 & 0x3FFFF) < (c >> 2),
    "c[19:-1:0] == 524288": lambda c: c == 1,
    "c[0:14] == c[1:15]": lambda c: c & 0x7FFF == c >> 1 & 0x7FFF,
    "i == 5": lambda c: c == 5,
}


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_on_a_wide_register(condition):
    meaning = CONDITIONS[condition]
    for number in NUMBERS:
        flips = "".join(f"x q[{i}];" for i in range(BITS) if number >> i & 1)
        text = (
            f"qubit[{BITS}] q; qubit[{BITS}] k; qubit a; bit[{BITS}] c; bit[{BITS}] d; bit r;"
            f"{flips} x k[0]; x k[2]; c = measure q; d = measure k; uint[32] i; i = c;"
            f"if ({condition}) x a; r = measure a;"
        )
        circuit = circuit_from_qasm(HEAD + text, "c.qasm")
        ((bits, p),) = outcome_distribution(circuit, program_state(circuit)).items()
        assert p == pytest.approx(1)
        assert bits == meaning(number) << 2 * BITS | 5 << BITS | number, number


@pytest.mark.parametrize("condition", ["popcount(c) == 2", "c + 1 == 3", "(c ^ d) == 1"])
def test_what_cannot_be_followed_is_refused(condition):
    text = f"qubit[13] q; qubit a; bit[13] c; bit[13] d; c = measure q; if ({condition}) x a;"
    with pytest.raises(CircuitFileError, match="12 measured bits"):
        circuit_from_qasm(HEAD + text, "c.qasm")
