"""What is refused by its text, in no time."""

import pytest

from compiler.errors import InputError
from workers.settings import Settings
from workers.untrusted_programs.loop_turns import Loops, interval_of
from workers.untrusted_programs.text_checks import check_program_text

LIMITS = Settings(most_qubits=40, most_gates=100, most_bytes=50_000)
HEAD_2 = 'OPENQASM 2.0; include "qelib1.inc";\n'
HEAD_3 = 'OPENQASM 3.0; include "stdgates.inc";\n'


def doubling(levels: int, innermost: str) -> str:
    """Return gates that each call the one before twice."""
    gates = [f"gate g0 q {{ {innermost} }}"]
    gates += [f"gate g{i} q {{ g{i - 1} q; g{i - 1} q; }}" for i in range(1, levels)]
    return "\n".join(gates) + "\n"


def doubling_subroutines(levels: int) -> str:
    """Return subroutines that each call the one before twice."""
    routines = ["def g0(qubit[2] q) { box { x q[0]; } x q[1]; }"]
    routines += [
        f"def g{i}(qubit[2] q) {{ g{i - 1}(q); box {{ g{i - 1}(q); }} }}" for i in range(1, levels)
    ]
    return "\n".join(routines) + "\n"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (HEAD_3 + "qubit[1000000000] q;", "1000000000 qubits; 40 are allowed"),
        (HEAD_3 + "qubit[1_000_000_000] q;", "1000000000 qubits"),
        (HEAD_3 + "qubit[0xffffffff] q;", "as one plain number"),
        (HEAD_3 + "qubit[2*1000000000] q;", "as one plain number"),
        (HEAD_3 + "qubit[30] q; qubit[30] r;", "60 qubits"),
        (HEAD_2 + "qreg q[41];", "41 qubits"),
        (HEAD_2 + "qreg q[2]; creg c[1000000000];", "bits"),
        (HEAD_3 + "bit[1000000000] c;", "bits"),
        (HEAD_3 + doubling(30, "x q;") + "qubit q; g29 q;", "more than 100 gates"),
        (HEAD_2 + "gate g q { }" * 1000, "statements"),
        (HEAD_2 + doubling(30, "x q;") + "qreg q[1]; g29 q[0];", "more than 100 gates"),
        (HEAD_3 + doubling(30, "") + "qubit q; g29 q;", "more than 100 gates"),
        (HEAD_3 + doubling(30, "x q;") + "qubit[2] q; ctrl @ g29 q[0], q[1];", "100 gates"),
        (HEAD_3 + doubling(30, "x q;") + "qubit q; inv @ pow(2) @ g29 q;", "100 gates"),
        (HEAD_3 + "qubit[40] q; " + "x q; " * 3, "100 gates"),
        (HEAD_2 + "qreg q[40]; qreg r[40];", "80 qubits"),
        (HEAD_2 + "qreg q[40]; " + "h q; " * 3, "100 gates"),
        (HEAD_3 + "qubit q; " + "x q;" * 101, "100 gates"),
        (HEAD_3 + "qubit q; for int i in [0:1000000000] { x q; }", "statements"),
        (HEAD_3 + "qubit q; for int i in [0:1000000000] { }", "statements"),
        (HEAD_3 + "qubit[3] q; for int i in [1:60] { h q; }", "100 gates"),
        (HEAD_3 + "qubit q; for int i in [200:-2:0] { x q; }", "100 gates"),
        (HEAD_3 + "qubit q; for int i in {0, 99, 2} { pow(50) @ x q; }", "100 gates"),
        (HEAD_3 + "qubit q; for int i in [0:20] { for int j in [0:i] { x q; } }", "100 gates"),
        (
            HEAD_3
            + "qubit q; for int i in [0:9] { if (c) { for int j in {1, 2} { x q; x q; x q; x q;"
            " x q; x q; } } }",
            "100 gates",
        ),
        (HEAD_3 + "const int n = 11 * 11; qubit q; for int i in [0:n] { x q; }", "100 gates"),
        (
            HEAD_3 + "const int n = 1; const int n = 101; qubit q; for int i in [1:n] { x q; }",
            "100",
        ),
        (
            HEAD_3 + "def f(qubit q) { for int i in [0:10] { x q; } } qubit q; for int i in [0:9] "
            "{ f(q); }",
            "100 gates",
        ),
        (HEAD_3 + "qubit[40] q; for int i in [0:30] { reset q; }", "more than 1000 times"),
        (HEAD_3 + "for int i in [0:150] { bit[100] a; }", "bits; 10000 are allowed"),
        (HEAD_3 + "for int i in [0:n] { }", "write a loop's range in digits"),
        (HEAD_3 + "for int i in [0:2 ** 9] { }", "write a loop's range in digits"),
        (HEAD_3 + "for int i in [0:0:9] { }", "write a loop's range in digits"),
        (HEAD_3 + "for int i in [0:9 { }", "nested|closed|write a loop's range in digits"),
        (HEAD_3 + "const int n = 1; def f(int n) { for int i in [0:n] { } }", "range in digits"),
        (HEAD_3 + "qubit q; for int i in [0:9] x q;", "put what it does in braces"),
        (HEAD_3 + "qubit q; if (c) for int i in [0:9] { x q; }", "begin a loop with 'for'"),
        (HEAD_3 + "qubit q; while (true) { x q; }", "'while' is not allowed"),
        (HEAD_3 + doubling_subroutines(30) + "qubit[2] q; g29(q);", "100 gates"),
        (HEAD_3 + "array[float, 100000, 100000] a;", "'array' is not allowed"),
        ('OPENQASM 2.0; include "/etc/passwd";', "can be included"),
        ('OPENQASM 2.0; include "../qelib1.inc";', "can be included"),
        ("OPENQASM 3.0; include 'stdgates.inc'; include 'x';", "can be included"),
        ('OPENQASM 2.0; include // \n "/etc/passwd";', "can be included"),
        ('OPENQASM 2.0; /* " */ include "x"; // "', "can be included"),
        (HEAD_3 + "qubit q; rx(" + "(" * 50 + "1" + ")" * 50 + ") q;", "nested deeper"),
        (HEAD_3 + "{" * 1000, "nested deeper"),
        (HEAD_3 + "qubit q; rx(" + "1+" * 10_000 + "1) q;", "a statement is too long"),
        (HEAD_3 + "qubit q; rx(2 ** 1000000000) q;", "powers up to 1000"),
        (HEAD_3 + "qubit q; pow(1000000000) @ x q;", "powers up to 1000"),
        (HEAD_3 + "qubit q; rx(" + "9" * 5000 + ") q;", "a number of 5000 digits"),
        (HEAD_3 + "qubit q; rx(" + "-" * 40 + "1) q;", "signs in a row"),
        (HEAD_3 + "qubit q; " + "inv @ " * 9 + "t q;", "more than 8 modifiers"),
        (HEAD_3 + "qubit[9] q; " + "ctrl @ " * 9 + "x q[0];", "more than 8 modifiers"),
        (HEAD_3 + "qubit q; " + "pow(1) " * 9 + "x q;", "more than 8 modifiers"),
        (HEAD_3 + "qubit q; pow(0.5) x q;", r"write '@' after 'pow\(…\)'"),
        (HEAD_3 + "const int n = 0x" + "f" * 65 + ";", "a number of 67 digits is too large"),
        (HEAD_3 + "qubit q; rx(" + "0" * 65 + ".5) q;", "a number of 67 digits is too large"),
        (HEAD_3 + "const int n = 10000000000 * 1000000000; for int i in [n:n] { }", "in digits"),
        (HEAD_3 + "const int n = 0xffffffffffffffff; for int i in [n:n] { }", "in digits"),
        (HEAD_3 + "for int i in [0:999999999999999999 * 9] { }", "write a loop's range in digits"),
        (HEAD_3 + "qubit[9] q; ctrl(65) @ x q[0];", "more than 64 controls"),
        (HEAD_3 + "qubit[9] q; ctrl(2 * 2) @ x q[0];", "in digits"),
        (HEAD_3 + "const int n = 9; qubit[9] q; negctrl(n) @ x q[0];", "in digits"),
        (HEAD_3 + "qubit q; pow(10 * 10) @ x q;", "in digits"),
        (HEAD_3 + "qubit q; pow(n) @ x q;", "in digits"),
        (HEAD_3 + "qubit q; pow(101) @ x q;", "more than 100 gates"),
        (HEAD_3 + "qubit q; pow(11) @ pow(11) @ x q;", "more than 100 gates"),
        (HEAD_3 + "qubit[3] q; pow(0.5) @ ctrl(2) @ x q[0], q[1], q[2];", "whole number"),
        (HEAD_3 + "qubit[5] q; pow(-0.5) @ g q[0], q[1], q[2], q[3], q[4];", "whole number"),
        (HEAD_3 + "bit c; h $0; c = measure $0;", r"instead of \$0"),
        (HEAD_3 + "bit a;" * 1001, "more than 1000 registers"),
        (HEAD_3 + "bit[9000] a; bit[9000] b;", "18000 bits; 10000 are allowed"),
        (HEAD_3 + "gate g(" + "p," * 64 + "p) a { }", "more than 64 parameters"),
        (HEAD_3 + "qubit[40] q; " + "barrier q;" * 30, "more than 1000 times"),
        (HEAD_3 + "qubit[40] q; bit[40] c; " + "c = measure q;" * 30, "more than 1000 times"),
        (HEAD_3 + "qubit[40] q; " + "reset q;" * 30, "more than 1000 times"),
        (
            HEAD_3
            + "gate g0 a { } "
            + "".join(f"gate g{i} a {{ g{i - 1} a; }}" for i in range(1, 40)),
            "more than 32 deep",
        ),
        (HEAD_3 + ";" * 5000, "statements"),
        (HEAD_3 + " " * 50_000, "more than 50000 bytes"),
        (HEAD_3 + "é" * 25_000, "more than 50000 bytes"),
        (HEAD_3 + "\0", "control characters"),
        (HEAD_3 + "// \x1b[2J", "control characters"),
        (HEAD_3 + "\ud800", "control characters"),
    ],
)
def test_what_is_too_much_is_refused(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says) as refused:
        check_program_text("a.qasm", text, LIMITS)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        HEAD_3 + "qubit[40] q; bit[40] c; h q; ctrl(3) @ x q[0], q[1], q[2], q[3]; c = measure q;",
        HEAD_2 + "qreg q[3]; creg c[3]; h q[0]; barrier q; measure q -> c;",
        HEAD_3 + doubling(6, "x q;") + "qubit q; g5 q; // for while\n /* for */ g5 q;",
        HEAD_3 + "qubit[2] q; rx(1.5e-3 * pi / 2) q[0]; /* for ever */",
        HEAD_3 + doubling_subroutines(4) + "const int n = 40; qubit[40] q; g3(q);",
        HEAD_3 + "qubit[3] q; pow(0.5) @ x q[0]; pow(-2) @ s q[0]; ctrl @ inv @ t q[0], q[1];",
        HEAD_3 + "qubit[2] q; pow(1.5) @ rx(-(-0.5)) q[0];",
        HEAD_3 + "gate a(t) p, r { rz(t) p; cx p, r; } qubit[2] q; a(0.5) q[0], q[1];",
        HEAD_3 + "qubit[9] q; bit[9] c; for int i in [0:8] { h q[i]; c[i] = measure q[i]; }",
        HEAD_3 + "const int n = 4; qubit[4] q; for uint[8] i in [n - 1:-1:0] { x q[i]; }",
        HEAD_3 + "qubit q; for int i in [0:12] { for int j in {i, 12 - i} { x q; } } x q;",
        HEAD_3 + "qubit q; for int i in {0, 7, 2} { x q; } for int i in [5:4] { x q; }",
        "",
        "\u00b2 \u0663 no program at all",
    ],
)
def test_what_is_not_plainly_too_much_passes(text: str) -> None:
    check_program_text("a.qasm", text, LIMITS)


def test_numbers_that_grow_are_forgotten() -> None:
    """Each constant is a product of those before: the twentieth would have 10^19 digits."""
    known = Loops("x.qasm")
    declared = ["const", "int", "a0", "=", "999999999"]
    for number in range(1, 20):
        known.declare(declared)
        product = " * ".join([f"a{number - 1}"] * 9)
        declared = f"const int a{number} = {product}".split()
    assert interval_of(["a0"], known.values) == (999_999_999, 999_999_999)
    assert interval_of(["a0", "*", "a0"], known.values) == (999_999_998_000_000_001,) * 2
    assert interval_of(["a1"], known.values) is None
    assert interval_of(["a1", "-", "a1"], known.values) is None


def test_games_are_looked_at_too() -> None:
    check_program_text("a.toml", 'game = "skat"\nnames = ["for", "while"]\n', LIMITS)
    for text, says in (
        ("a = " + "[" * 1000, "nested deeper"),
        ('a = "\\u0000"', "control characters"),
        ("#" * 50_001, "bytes"),
    ):
        with pytest.raises(InputError, match=says):
            check_program_text("a.toml", text, LIMITS)
