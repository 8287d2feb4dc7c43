"""Constructs of OpenQASM 3 with the effect that the specification gives them, worked out by hand.

Each program of `PROGRAMS` ends in one outcome with certainty. Each condition of `CONDITIONS` is
asked of all sixteen values of a measured register `c` of four bits. `REFUSED` are invalid programs
and constructs that are not supported.
"""

from collections.abc import Callable

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
    valid: bool = False


def signed(value: int, width: int) -> int:
    """Return a bit pattern as two's complement."""
    return value - (1 << width) if value >> (width - 1) & 1 else value


FOUR = "qubit[4] q; bit[4] c;"
PROGRAMS = [
    # Registers
    Construct("types", "qubit registers and single qubits", "qubit a; qubit[2] q; bit[3] c; x a; x q[1]; c[0] = measure a; c[1:2] = measure q;", "101"),
    Construct("types", "`qreg` and `creg`", "qreg q[2]; creg c[2]; x q[0]; measure q -> c;", "01"),
    Construct("types", "sizes that are constants", "const uint n = 3; qubit[n - 1] q; bit[n - 1] c; x q[n - 2]; c = measure q;", "10"),
    Construct("types", "index from the end", f"{FOUR} x q[-1]; x q[-3]; c = measure q;", "1010"),
    Construct("types", "range, both ends included", f"{FOUR} x q[1:2]; c = measure q;", "0110"),
    Construct("types", "range from the end", f"{FOUR} x q[-2:-1]; c = measure q;", "1100"),
    Construct("types", "range across the middle", f"{FOUR} x q[1:-2]; c = measure q;", "0110"),
    Construct("types", "range with a step", f"{FOUR} x q[0:2:3]; c = measure q;", "0101"),
    Construct("types", "range backwards to 0", f"{FOUR} let r = q[3:-1:0]; x r[0]; c = measure q;", "1000"),
    Construct("types", "range backwards from the end", f"{FOUR} let r = q[-1:-2:0]; x r[1]; c = measure q;", "0010"),
    Construct("types", "range with open ends", f"{FOUR} x q[3:]; x q[:1]; c = measure q;", "1011"),
    Construct("types", "index set", f"{FOUR} x q[{{0, 3}}]; c = measure q;", "1001"),
    Construct("types", "index set in its own order", f"{FOUR} let r = q[{{3, 0}}]; x r[0]; c = measure q;", "1000"),
    Construct("types", "concatenation", f"{FOUR} qubit[2] k; let r = k ++ q[0:1]; x r[2]; c = measure q;", "0001"),
    Construct("types", "alias of an alias", f"{FOUR} let r = q[1:3]; let l = r[{{2, 0}}]; x l[0]; c = measure q;", "1000"),
    Construct("types", "alias of classical bits", "qubit[2] q; bit[4] c; let d = c[2:3]; x q[1]; d = measure q; ", "1000"),
    Construct("types", "index in several steps", f"{FOUR} x q[1:3][0]; c = measure q;", "0010"),
    # Literals and constants
    Construct("types", "hexadecimal, octal and binary literals", f"{FOUR} x q[0x1]; x q[0o2]; x q[0b1_1]; c = measure q;", "1110"),
    Construct("types", "built-in constants", "qubit q; bit c; rx(tau / 2) q; rx(π - pi) q; c = measure q;", "1"),
    Construct("types", "identifiers beyond ASCII", "qubit größe; bit 量子; x größe; 量子 = measure größe;", "1"),
    Construct("types", "constants of every type", 'const bool b = true; const int[8] i = -1; const float f = 0.5; const angle a = pi; const bit[2] m = "10"; qubit[2] q; bit[2] c; if (b && i < 0 && m[1]) { rx(2 * f * pi) q[0]; rx(a) q[1]; } c = measure q;', "11"),
    Construct("types", "comments and annotations", "// one\n/* two\n */ qubit q; bit c;\n@hint slow\nx q; c = measure q;", "1"),
    # Gates
    Construct("gates", "phase of U under a control", "qubit[2] q; bit c; h q[0]; ctrl @ U(pi, 0, pi) q[0], q[1]; cx q[0], q[1]; sdg q[0]; h q[0]; c = measure q[0];", "0"),
    Construct("gates", "U is 2π-periodic under a control", "qubit[2] q; bit c; h q[0]; ctrl @ U(2 * pi, 0, 0) q[0], q[1]; h q[0]; c = measure q[0];", "0"),
    Construct("gates", "phase of u3 under a control", "qubit[2] q; bit c; h q[0]; ctrl @ u3(0, pi, 0) q[0], q[1]; s q[0]; h q[0]; c = measure q[0];", "0"),
    Construct("gates", "phase of u2 under a control", "qubit[2] q; bit c; h q[0]; ctrl @ u2(0, pi) q[0], q[1]; ctrl @ h q[0], q[1]; s q[0]; h q[0]; c = measure q[0];", "0"),
    Construct("gates", "a gate defined by U, under a control", "gate flip a { U(pi, 0, pi) a; gphase(-pi / 2); } qubit[2] q; bit c; h q[0]; ctrl @ flip q[0], q[1]; cx q[0], q[1]; h q[0]; c = measure q[0];", "0"),
    Construct("gates", "`gphase` under a control", "qubit q; bit c; h q; ctrl @ gphase(pi) q; h q; c = measure q;", "1"),
    Construct("gates", "`gphase` in a gate", "gate w a { gphase(pi); } qubit[2] q; bit c; h q[0]; ctrl @ w q[0], q[1]; h q[0]; c = measure q[0];", "1"),
    Construct("gates", "`negctrl`", "qubit[2] q; bit[2] c; negctrl @ x q[0], q[1]; c = measure q;", "10"),
    Construct("gates", "order of controls", "qubit[3] q; bit[3] c; x q[1]; negctrl @ ctrl @ x q[0], q[1], q[2]; c = measure q;", "110"),
    Construct("gates", "several controls", f"{FOUR} x q[0:2]; ctrl(3) @ x q[0], q[1], q[2], q[3]; c = measure q;", "1111"),
    Construct("gates", "`negctrl` of several qubits: acts if all are 0", "qubit[3] q; bit[3] c; x q[0]; negctrl(2) @ x q[0], q[1], q[2]; c = measure q;", "001"),
    Construct("gates", "`inv`", "qubit q; bit c; h q; s q; inv @ s q; h q; c = measure q;", "0"),
    Construct("gates", "`inv` of a gate with several operations", "gate g a, b { h a; cx a, b; t b; } qubit[2] q; bit[2] c; g q[0], q[1]; inv @ g q[0], q[1]; c = measure q;", "00"),
    Construct("gates", "`pow` with an integer", "qubit q; bit c; pow(2) @ sx q; c = measure q;", "1"),
    Construct("gates", "`pow` with a negative integer", "qubit q; bit c; h q; s q; pow(-1) @ s q; h q; c = measure q;", "0"),
    Construct("gates", "`pow` with a fraction", "qubit q; bit c; pow(1 / 2.0) @ x q; sx q; c = measure q;", "1"),
    Construct("gates", "`ctrl @ pow @ inv`", "qubit[2] q; bit[2] c; x q[0]; ctrl @ pow(2) @ inv @ sx q[0], q[1]; c = measure q;", "11"),
    Construct("gates", "broadcast", "qubit[2] q; qubit[2] k; bit[2] c; x q; cx q, k; c = measure k;", "11"),
    Construct("gates", "broadcast of one qubit", "qubit a; qubit[2] k; bit[2] c; x a; cx a, k; c = measure k;", "11"),
    Construct("gates", "order of parameters", "gate g(y, b) q { rx(y) q; rz(b) q; } qubit q; bit c; g(pi, 0) q; c = measure q;", "1"),
    Construct("gates", "loop in a gate", "gate g a { for int i in [0:2] { x a; } } qubit q; bit c; g q; c = measure q;", "1"),
    Construct("gates", "parameter expression with a pole", "gate g(a) q { rx(1 / (a - 0.5)) q; } qubit q; bit c; g(0.5 + 1 / pi) q; c = measure q;", "1"),
    Construct("gates", "gate that hides a global name", "const int a = 3; gate g a { x a; } qubit q; bit c; g q; c = measure q;", "1"),
    Construct("gates", "physical qubits", "bit[2] c; x $1; c[0] = measure $0; c[1] = measure $1;", "10"),
    # Measurement, reset, timing
    Construct("insts", "measurement of a range", f"{FOUR} x q[3]; c[0:1] = measure q[2:3]; x q[0]; c[3] = measure q[0];", "1010"),
    Construct("insts", "measurement backwards", "qubit[2] q; bit[2] c; x q[0]; c = measure q[1:-1:0];", "10"),
    Construct("insts", "measurement as an initial value", "qubit q; x q; bit c = measure q;", "1"),
    Construct("insts", "reset of a range", f"{FOUR} x q; reset q[1:2]; c = measure q;", "1001"),
    Construct("insts", "reset of a register", f"{FOUR} x q; reset q; c = measure q;", "0000"),
    Construct("delays", "barrier, delay and box, whose times are dropped", "qubit[2] q; bit[2] c; duration d = 100ns; barrier; box[1us] { x q[0]; delay[2 * d] q; barrier q[0], q[1]; } c = measure q;", "01"),
    # Classical values that are known
    Construct("classical", "integer division", "const int n = 7 / 2; qubit[4] q; bit[4] c; x q[n]; c = measure q;", "1000"),
    Construct("classical", "remainder and power", f"{FOUR} x q[7 % 4]; x q[2 ** 1]; c = measure q;", "1100"),
    Construct("classical", "functions", f'{FOUR} if (popcount("1011") == 3) x q[0]; if (rotl("0011", 1) == "0110") x q[1]; if (mod(7, 4) == 3) x q[2]; rx(arccos(-1.0)) q[3]; c = measure q;', "1111"),
    Construct("classical", "variables", f"{FOUR} int[8] i = 1; i += 2; x q[i]; i = i - 3; x q[i]; c = measure q;", "1001"),
    Construct("classical", "an integer wraps at its width", f"{FOUR} uint[2] i = 3; i += 1; x q[i]; c = measure q;", "0001"),
    Construct("classical", "bits of a number", f"{FOUR} uint[4] n = 10; for uint i in [0:3] {{ if (bool(n[i])) x q[i]; }} c = measure q;", "1010"),
    Construct("types", "angles wrap at 2π: a constant", "const angle a = 3 * pi; qubit q; bit c; rx(a / 4) q; rx(a / 4) q; rx(a / 2) q; c = measure q;", "1"),
    Construct("types", "angles wrap at 2π: a sum", "angle a = 3 * pi / 2; angle b = a + pi; qubit q; bit c; rx(2 * b) q; c = measure q;", "1"),
    Construct("types", "angles wrap at 2π: an argument", "def f(angle t, qubit a) { rx(t / 2) a; rx(t / 2) a; } qubit q; bit c; f(3 * pi, q); c = measure q;", "1"),
    Construct("types", "angles of a width", "angle[4] a = 7 * (pi / 8); angle[4] b = pi / 8; qubit q; bit c; rx(a + b) q; c = measure q;", "1"),
    Construct("classical", "bits of an angle", f'{FOUR} angle[4] a = 9 * (pi / 8); if (bit[4](a) == "1001") x q[0]; if (a << 2 == pi / 2) x q[1]; c = measure q;', "0011"),
    # Control flow
    Construct("classical", "loop over a range", f"{FOUR} for int i in [1:2] x q[i]; c = measure q;", "0110"),
    Construct("classical", "loop downwards", f"{FOUR} for int i in [2:-1:0] {{ x q[i]; if (i == 1) break; }} c = measure q;", "0110"),
    Construct("classical", "loop over an empty range", f"{FOUR} for int i in [3:1] x q[i]; x q[3]; c = measure q;", "1000"),
    Construct("classical", "loop over a set", f"{FOUR} for uint i in {{3, 0}} x q[i]; c = measure q;", "1001"),
    Construct("classical", "loop over bits", "qubit[2] q; qubit a; bit[2] c; bit r; x q[1]; c = measure q; for bit b in c { if (b) x a; } r = measure a;", "110"),
    Construct("classical", "loop over the bits of a constant", f'const bit[4] m = "0110"; {FOUR} int i = 0; for bit b in m {{ if (b) {{ x q[i]; }} i += 1; }} c = measure q;', "0110"),
    Construct("types", "range whose step skips its end", f"{FOUR} x q[0:3:4]; c = measure q;", "1001"),
    Construct("classical", "`continue`", f"{FOUR} for int i in [0:3] {{ if (i == 2) continue; x q[i]; }} c = measure q;", "1011"),
    Construct("classical", "loop variable of a width", f"{FOUR} for uint[2] i in [2:5] x q[i]; c = measure q;", "1111"),
    Construct("classical", "`switch` on a known number", f"{FOUR} int i = -1; switch (i) {{ case 0 {{ x q[0]; }} case -1, 7 {{ x q[1]; }} default {{ x q[2]; }} }} c = measure q;", "0010"),
    Construct("classical", "`if` with a constant condition", f"{FOUR} if (2 > 1) x q[0]; else x q[1]; c = measure q;", "0001"),
    Construct("scope", "a block hides a name", f"{FOUR} int i = 1; {{ int i = 2; x q[i]; }} x q[i]; c = measure q;", "0110"),
    Construct("scope", "an alias in a loop", f"{FOUR} for int i in [0:1] {{ let a = q[2 * i]; x a; }} c = measure q;", "0101"),
    Construct("subroutines", "qubits, registers and numbers as arguments", f"def f(qubit[2] a, qubit b, int n) {{ x a[n]; x b; }} {FOUR} f(q[1:2], q[0], 1); c = measure q;", "0101"),
    Construct("subroutines", "a range from the end as an argument", f"def f(qubit[2] a) {{ x a[1]; }} {FOUR} f(q[-2:-1]); c = measure q;", "1000"),
    Construct("subroutines", "bits as an argument, by value", "def f(bit[2] b, qubit a) { if (b == 2) x a; } qubit[2] q; qubit a; bit[2] c; bit r; x q[1]; c = measure q; f(c, a); r = measure a;", "110"),
    Construct("subroutines", "a subroutine that measures", "def f(qubit a) { bit b = measure a; if (b) x a; } qubit q; bit c; x q; f(q); c = measure q;", "10"),
    Construct("subroutines", "`return` without a value", f"def f(qubit[4] a, int n) {{ x a[0]; if (n > 1) {{ return; }} x a[1]; }} {FOUR} f(q, 2); c = measure q;", "0001"),
]  # fmt: skip

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

REFUSED = [
    Refusal("range that ends beyond its register", "qubit[3] q; x q[1:5];", "5"),
    Refusal("index beyond a register", "qubit[3] q; x q[3];", "3"),
    Refusal("index too far from the end", "qubit[3] q; x q[-4];", "-4"),
    Refusal("empty range", "qubit[3] q; x q[2:1];", "empty"),
    Refusal("range with the step 0", "qubit[3] q; x q[0:0:2];", "step 0"),
    Refusal("qubit twice in an index set", "qubit[3] q; x q[{1, 1}];", "twice"),
    Refusal("register joined with itself", "qubit[3] q; let r = q[0:1] ++ q[1:2];", "itself"),
    Refusal("qubit twice in a gate", "qubit[3] q; cx q[1], q[-2];", "twice"),
    Refusal("registers of different sizes in a gate", "qubit[3] q; qubit[2] k; cx q, k;", "2 and 3"),
    Refusal("measurement into another number of bits", "qubit[3] q; bit[2] c; c = measure q;", "3 qubits"),
    Refusal("size that is not a constant", "uint n = 2; qubit[n] q;", "constant"),
    Refusal("constant computed from a variable", "int n = 2; const int m = n; qubit q; x q;", "'m'"),
    Refusal("constant that does not fit", "const uint[2] n = 4; qubit[n] q; x q;", "4"),
    Refusal("float as int", "const int n = 1.5; qubit q; x q;", "float"),
    Refusal("int as angle", "int i = 1; angle a = i; qubit q; rx(a) q;", "angle"),
    Refusal("unsigned number compared with a negative constant", "uint u = 7; qubit q; if (u > -1) x q;", "sign", valid=True),
    Refusal("function with an argument of another type", "angle a = pi; qubit q; if (popcount(a) == 1) x q;", "popcount"),
    Refusal("angle times float", "angle a = pi; qubit q; rx(a * 0.5) q;", "angle"),
    Refusal("cast of float to bits", "const float f = 1.0; const bit[2] b = bit[2](f); qubit q; x q;", "cast"),
    Refusal("name that is already declared", "qubit q; bit q;", "'q'"),
    Refusal("name of a standard gate", "int h = 1; qubit q; x q;", "'h'"),
    Refusal("built-in name", "int pi = 3; qubit q; x q;", "'pi'"),
    Refusal("name that is not defined", "qubit q; rx(t) q;", "'t'"),
    Refusal("name from a block that has ended", "qubit[2] q; for int i in [0:1] x q[i]; x q[i];", "'i'"),
    Refusal("gate that is not defined", "qubit q; nope q;", "'nope'"),
    Refusal("gate that calls itself", "gate g a { g a; } qubit q; g q;", "itself"),
    Refusal("gate that names a global qubit", "qubit q; gate g a { cx a, q; } qubit k; g k;", "'q'"),
    Refusal("gate that indexes its argument", "gate g a { x a[0]; } qubit q; g q;", "single qubit"),
    Refusal("gate that measures", "gate g a { reset a; } qubit q; g q;", "reset"),
    Refusal("gate with another number of parameters", "qubit q; rx q;", "1 parameters"),
    Refusal("gate with another number of qubits", "qubit q; cx q;", "2 qubits"),
    Refusal("gate with controls and too few qubits", "qubit[4] q; ctrl(4) @ x q[0], q[1], q[2], q[3];", "'x' with 4 controls (ctrl, negctrl) takes 5 qubits"),
    Refusal("gate of Qiskit with controls", "qubit[3] q; mcx q[0], q[1], q[2];", "ctrl(n) @ x"),
    Refusal("gate definition in a block", "qubit q; if (true) { gate g a { x a; } g q; }", "global"),
    Refusal("gate with 0 controls", "qubit[2] q; ctrl(0) @ x q[0], q[1];", "ctrl(0)"),
    Refusal("subroutine that names a global bit", "qubit q; bit c; def f(qubit a) { if (c) x a; } f(q);", "'c'"),
    Refusal("subroutine with the same qubit in two arguments", "qubit[2] q; def f(qubit a, qubit b) { cx a, b; } f(q[0], q[0]);", "twice"),
    Refusal("subroutine that calls itself", "def f(qubit a) { f(a); } qubit q; f(q);", "itself"),
    Refusal("subroutine with a register of another size", "def f(qubit[2] a) { x a; } qubit[3] q; f(q);", "2 qubits"),
    Refusal("subroutine with a register in place of a qubit", "def f(qubit a) { x a; } qubit[3] q; f(q);", "one qubit"),
    Refusal("subroutine with another number of arguments", "def f(qubit a) { x a; } qubit[2] q; f(q[0], q[1]);", "1 arguments"),
    Refusal("subroutine before its definition", "qubit q; f(q); def f(qubit a) { x a; }", "'f'"),
    Refusal("duplicate label in a switch", "qubit q; int i = 1; switch (i) { case 1 { x q; } case 1 { } }", "twice"),
    Refusal("qubit as a condition", "qubit q; if (q) x q;", "measure"),
    Refusal("division by zero", "qubit q; rx(1 / 0) q;", "0"),
    Refusal("parameter that is not finite", "qubit q; gphase(1e999); x q;", "line 3: a gate's parameter is inf"),
    Refusal("power that is too large", "qubit q; pow(1e9) @ x q;", "line 3: the power 1000000000.0", valid=True),
    Refusal("variable that is not assigned", "int n; qubit q; if (n == 1) x q;", "'n'"),
    Refusal("number computed from a bit that was measured again since", "qubit q; bit c; int n; c = measure q; n = c; c = measure q; if (n == 1) x q;", "'n'", valid=True),
    Refusal("loop over a number computed from bits that its body measures again", "qubit q; bit[2] c; c[0] = measure q; for uint i in {3, c} { if (i == 1) x q; c[0] = measure q; }", "'i'", valid=True),
    Refusal("`while`", "qubit q; bit c; c = measure q; while (!c) { x q; c = measure q; }", "while", valid=True),
    Refusal("`break` that depends on measured bits", "qubit q; bit c; for int i in [0:2] { c = measure q; if (c) { break; } x q; }", "break", valid=True),
    Refusal("`end`", "qubit q; x q; end;", "end", valid=True),
    Refusal("`input` that is not a float", "input int a; qubit q; x q;", "no real number", valid=True),
    Refusal("`input` where a number is required", "input float a; qubit q; if (a > 0) x q;", "parameter", valid=True),
    Refusal("`extern`", "extern f(int) -> int; qubit q; x q;", "extern", valid=True),
    Refusal("`defcal`", "defcal x $0 { } qubit q; x q;", "defcal", valid=True),
    Refusal("`cal`", "cal { } qubit q; x q;", "cal", valid=True),
    Refusal("pragma", "#pragma braket noise\nqubit q; x q;", "pragma", valid=True),
    Refusal("`array`", "array[int[8], 2] a = {1, 2}; qubit q; x q;", "array", valid=True),
    Refusal("`complex`", "complex a = 2.0 + 1im; qubit q; x q;", "complex", valid=True),
    Refusal("`stretch`", "stretch s; qubit q; delay[s] q; x q;", "stretch", valid=True),
    Refusal("`durationof`", "qubit q; delay[durationof({x q;})] q; x q;", "durationof", valid=True),
    Refusal("initial value of bits", 'bit[2] c = "10"; qubit q; x q;', "init", valid=True),
    Refusal("assignment to bits", "bit[2] c; qubit q; x q; c = 2;", "'c'", valid=True),
    Refusal("assignment to a bit of a number", "uint[4] n = 1; n[1] = true; qubit q; x q;", "parts", valid=True),
    Refusal("subroutine that returns a value", "def f(qubit a) -> bit { return measure a; } qubit q; bit c; c = f(q);", "subroutine", valid=True),
    Refusal("`include` of another file", 'include "own.inc"; qubit q; x q;', "own.inc", valid=True),
    Refusal("measurement without a result bit", "qubit q; h q; measure q;", "bit", valid=True),
]  # fmt: skip
