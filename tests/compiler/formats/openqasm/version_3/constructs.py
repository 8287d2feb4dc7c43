"""Constructs of OpenQASM 3 with the effect that the specification gives them, worked out by hand.

Each program of `PROGRAMS` ends in one outcome with certainty. Each condition of `CONDITIONS` is
asked of all sixteen values of a measured register `c` of four bits. `REFUSED` are invalid programs
and constructs that are not supported.
"""

import tomllib
from collections.abc import Callable
from pathlib import Path

from attrs import frozen

HEAD = 'OPENQASM 3.1;\ninclude "stdgates.inc";\n'


@frozen
class Construct:
    """A construct and a program that uses it.

    Args:
        page: of the specification that defines it.
        name: what it is.
        text: the program without its header.
        outcome: the bits at the end, bit 0 on the right.
    """

    page: str
    name: str
    text: str
    outcome: str


@frozen
class Condition:
    """A condition on `bit[4] c`.

    Args:
        page: of the specification that defines it.
        name: what it is.
        text: the condition; after a semicolon, statements that come before it.
        meaning: whether it holds, by the value of `c`.
    """

    page: str
    name: str
    text: str
    meaning: Callable[[int], bool]


@frozen
class Refusal:
    """A program that is invalid, or a construct that is not supported.

    Args:
        name: what is refused.
        text: the program without its header.
        word: that the message contains.
        valid: whether the specification allows it.
    """

    name: str
    text: str
    word: str
    valid: bool


def signed(value: int, width: int) -> int:
    """Return a bit pattern as two's complement."""
    return value - (1 << width) if value >> (width - 1) & 1 else value


TABLES = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
PROGRAMS = [Construct(*row) for row in TABLES["programs"]]
REFUSED = [Refusal(*row) for row in TABLES["refused"]]
CONDITIONS = [
    Condition("types", "bit", "c[1]", lambda c: bool(c >> 1 & 1)),
    Condition("types", "bit from the end", "c[-1]", lambda c: c > 7),
    Condition("types", "register as a truth value", "c", lambda c: c != 0),
    Condition("classical", "negation", "!c[0]", lambda c: not c & 1),
    Condition("classical", "register equal to a number", "c == 6", lambda c: c == 6),
    Condition("classical", "register equal to a number that does not fit", "c == 16", lambda c: False),
    Condition("classical", "order of a register and a number that does not fit", "c < 17", lambda c: True),
    Condition("classical", "order of a register and a number", "5 <= c", lambda c: c >= 5),
    Condition("classical", "comparison with a negative number", "c > -1", lambda c: True),
    Condition("classical", "`&&`, `||`", "c[0] && (c[1] || !c[3])", lambda c: bool(c & 1) and (bool(c & 2) or not c & 8)),
    Condition("classical", "bit-wise operators", "((c & 6) | 1) == 3", lambda c: (c & 6) | 1 == 3),
    Condition("classical", "parity", "c[0] ^ c[1] ^ c[2] ^ c[3]", lambda c: bool(c.bit_count() & 1)),
    Condition("classical", "complement of a register", "~c == 9", lambda c: c == 6),
    Condition("types", "range of a register", "c[1:2] == 2", lambda c: (c >> 1) & 3 == 2),
    Condition("types", "range from the end", "c[-2:-1] == 1", lambda c: c >> 2 == 1),
    Condition("types", "range backwards", "c[3:-1:2] == 1", lambda c: c >> 2 == 2),
    Condition("types", "index set", "c[{2, 0}] == 1", lambda c: ((c >> 2 & 1) | (c & 1) << 1) == 1),
    Condition("types", "concatenation", "k == 2; let k = c[0:0] ++ c[3:3];", lambda c: bool(c >> 3) and not c & 1),
    Condition("types", "bit string", 'c == "0110"', lambda c: c == 6),
    Condition("types", "cast to bool", "bool(c[0:1]) == true", lambda c: c & 3 != 0),
    Condition("types", "cast to uint of the same width", "uint[4](c) == 9", lambda c: c == 9),
    Condition("types", "cast to a wider uint", "(uint[8](c) << 1) == 18", lambda c: c == 9),
    Condition("types", "cast to a narrower uint", "uint[2](uint[4](c)) == 1", lambda c: c % 4 == 1),
    Condition("types", "two's complement", "int[4](c) == -1", lambda c: c == 15),
    Condition("types", "two's complement, order", "int[4](c) < -2", lambda c: signed(c, 4) < -2),
    Condition("types", "int that is wider than the register", "int[5](c) < 0", lambda c: False),
    Condition("types", "sign is extended", "int[8](int[4](c)) == -3", lambda c: signed(c, 4) == -3),
    Condition("types", "int to uint keeps the bits", "uint[4](int[4](c)) == 13", lambda c: c == 13),
    Condition("types", "int of two bits with the bits 11", "i == -1; int[2] i; i = c[0:1];", lambda c: (c & 3) == 3),
    Condition("types", "uint that is wider than its value", "(i << 1) == 30; uint[8] i; i = c;", lambda c: c == 15),
    Condition("types", "uint that is as wide as its value", "(i << 1) == 14; uint[4] i; i = c;", lambda c: (c << 1 & 15) == 14),
    Condition("types", "complement of a wider uint", "~uint[8](c) == 246", lambda c: c == 9),
    Condition("types", "order of a complement", "~uint[8](c) < 16", lambda c: False),
    Condition("classical", "shift to the right", "(c >> 2) == 2", lambda c: c >> 2 == 2),
    Condition("classical", "shift of a signed number", "(int[4](c) >> 1) == -1", lambda c: signed(c, 4) >> 1 == -1),
    Condition("classical", "shift by measured bits", "(1 << c[0:1]) == 4", lambda c: c % 4 == 2),
    Condition("classical", "sum", "uint[8](c) + 3 == 12", lambda c: c == 9),
    Condition("classical", "sum that wraps", "i + i == 2; uint[4] i; i = c;", lambda c: c in (1, 9)),
    Condition("classical", "difference below zero", "int[8](c) - 9 < 0", lambda c: c < 9),
    Condition("classical", "sum of bits", "c[0] + c[1] + c[2] >= 2", lambda c: (c & 7).bit_count() >= 2),
    Condition("classical", "difference of bits", "c[0] - c[1] < 0", lambda c: c & 3 == 2),
    Condition("classical", "bit and number, bit by bit", "(c[0] | b | 6) == 7; const bool b = true;", lambda c: True),
    Condition("classical", "complement of a bit and a number", "~(c[0] & 1) == -1", lambda c: not c & 1),
    Condition("classical", "product, quotient, remainder", "(3 * c) / 4 % 5 == 2", lambda c: 3 * c // 4 % 5 == 2),
    Condition("classical", "quotient of a negative number", "int[4](c) / 3 == -2", lambda c: signed(c, 4) in (-6, -7, -8)),
    Condition("classical", "negation of a number", "-int[8](c) == -5", lambda c: c == 5),
    Condition("classical", "`popcount`", "popcount(c) == 2", lambda c: c.bit_count() == 2),
    Condition("classical", "`rotl`", "rotl(c, 1) == 3", lambda c: c == 9),
    Condition("classical", "`rotr`", "rotr(c, 1) == 3", lambda c: c == 6),
    Condition("types", "bits of a number", "i[3:-1:2] == 1; uint[8] i; i = c;", lambda c: c >> 2 == 2),
    Condition("types", "angle of bits", "angle[4](c) >= pi", lambda c: c >= 8),
    Condition("types", "angle of bits, doubled", "2 * angle[4](c) == pi", lambda c: c in (4, 12)),
    Condition("classical", "variable that is assigned on two paths", "i == 3; int i = 3; if (c[0]) { i = 5; }", lambda c: not c & 1),
    Condition("classical", "counter variable", "n == 2; int n = 0; for bit b in c { if (b) { n += 1; } }", lambda c: c.bit_count() == 2),
    Condition("classical", "computed bool", "b; bool b = c[0] && c[3];", lambda c: bool(c & 1 and c & 8)),
]  # fmt: skip
