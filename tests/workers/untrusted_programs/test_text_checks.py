"""What is refused by its text, in no time."""

from math import inf

import pytest

from compiler.errors import InputError
from workers.settings import Settings
from workers.untrusted_programs.number_bounds import interval_of, turns_of
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
        (HEAD_3 + "qubit[1000000000] q;", "declares 1,000,000,000 qubits; 40 are allowed"),
        (HEAD_3 + "qubit[1 << 30] q;", "declares 1,073,741,824 qubits"),
        (HEAD_3 + "const int n = 41; qubit[n] q;", "declares 41 qubits"),
        (HEAD_2 + "qreg q[2]; creg c[1000000000];", "bits"),
        (HEAD_3 + doubling(30, "x q;") + "qubit q; g29 q;", "more than 100 gates"),
        (HEAD_2 + "gate g q { }" * 1000, "statements"),
        (HEAD_2 + doubling(30, "x q;") + "qreg q[1]; g29 q[0];", "more than 100 gates"),
        (HEAD_3 + doubling(30, "x q;") + "qubit[2] q; ctrl @ g29 q[0], q[1];", "100 gates"),
        (HEAD_3 + doubling(30, "x q;") + "qubit q; inv @ pow(2) @ g29 q;", "100 gates"),
        (HEAD_3 + "qubit[40] q; " + "x q; " * 3, "100 gates"),
        (HEAD_3 + "qubit q; " + "x q;" * 101, "100 gates"),
        (HEAD_3 + "qubit q; for int i in [0:1000000000] { x q; }", "loops take more than"),
        (HEAD_3 + "qubit[3] q; for int i in [1:60] { h q; }", "100 gates"),
        (
            HEAD_3
            + "qubit q; for int i in [0:9] { if (c) { for int j in {1, 2} { x q; x q; x q; x q;"
            " x q; x q; } } }",
            "100 gates",
        ),
        (
            HEAD_3 + "def f(qubit q) { for int i in [0:10] { x q; } } qubit q; for int i in [0:9] "
            "{ f(q); }",
            "100 gates",
        ),
        (HEAD_3 + "qubit[40] q; for int i in [0:30] { reset q; }", "more than 1,000 times"),
        (HEAD_3 + "for int i in [0:150] { bit[100] a; }", "bits; 10,000 are allowed"),
        (HEAD_3 + "for int i in [0:2 ** 11] { }", "statements"),
        (HEAD_3 + "qubit q; for int i in [0:100] x q;", "100 gates"),
        (HEAD_3 + "qubit[40] q; if (c == 1) h q; if (c == 1) h q; if (c == 1) h q;", "100 gates"),
        (HEAD_3 + "qubit[40] q; x q[0:39]; x q[0:2:39]; x q[-40:-1]; x q[0];", "100 gates"),
        (
            HEAD_3 + "qubit[9] q; pow(-0.5) @ g " + ", ".join(f"q[{n}]" for n in range(9)) + ";",
            "on 9 qubits that is not a whole number",
        ),
        (HEAD_3 + "bit c; h $0; c = measure $40;", "declares 41 qubits"),
        (HEAD_3 + doubling_subroutines(30) + "qubit[2] q; g29(q);", "100 gates"),
        ('OPENQASM 2.0; include "/etc/passwd";', "can be included"),
        ('OPENQASM 2.0; include "../qelib1.inc";', "can be included"),
        ('OPENQASM 3.0; /* " */ include "x"; // "', "can be included"),
        (HEAD_3 + "qubit q; rx(" + "(" * 50 + "1" + ")" * 50 + ") q;", "nested deeper"),
        (HEAD_3 + "qubit q; rx(" + "1+" * 10_000 + "1) q;", "longer than 10,000 words"),
        (HEAD_3 + "qubit q; rx(2 ** 1000000000) q;", "powers up to 1,000"),
        (HEAD_3 + "qubit q; rx(" + "9" * 5000 + ") q;", "a number of 5000 digits"),
        (HEAD_3 + "qubit q; rx(" + "!~" * 20 + "1) q;", "nested deeper than 32 levels"),
        (HEAD_3 + "qubit q; " + "inv @ " * 9 + "t q;", "more than 8 modifiers"),
        (HEAD_3 + "const int n = 0x" + "f" * 999 + ";", "a number of 1001 digits is too large"),
        (HEAD_3 + "qubit[9] q; ctrl(65) @ x q[0];", "more than 64 controls"),
        (HEAD_3 + "const int n = 65; qubit[9] q; negctrl(n) @ x q[0];", "more than 64 controls"),
        (HEAD_3 + "qubit q; pow(11) @ pow(11) @ x q;", "more than 100 gates"),
        (HEAD_3 + "bit a;" * 1001, "more than 1,000 registers"),
        (HEAD_3 + "bit[9000] a; bit[9000] b;", "declares 18,000 bits; 10,000 are allowed"),
        (HEAD_3 + "gate g(" + "p," * 64 + "p) a { }", "more than 64 parameters"),
        (HEAD_3 + "qubit[40] q; " + "barrier q;" * 30, "more than 1,000 times"),
        (
            HEAD_3
            + "gate g0 a { } "
            + "".join(f"gate g{i} a {{ g{i - 1} a; }}" for i in range(1, 40)),
            "more than 32 deep",
        ),
        (HEAD_3 + ";" * 5000, "statements"),
        (HEAD_3 + "é" * 25_000, "more than 50000 bytes"),
        (HEAD_3 + "\0", "control character U"),
        (HEAD_3 + "\ud800", "control character U"),
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
        HEAD_3 + "qubit q; if (c) for int i in [0:9] x q; while (true) { x q; }",
        HEAD_3 + "qubit q; for int i in [0:20] { for int j in [i:3] { x q; } }",
        HEAD_3 + "const int n = 1; def f(int n) { for int i in [0:n] { } } for int i in {n} { }",
        HEAD_3 + "qubit[3] q; const int n = 2; pow(0.5) @ ctrl(n) @ x q[0], q[1], q[2];",
        HEAD_3 + "bit c; h $0; c = measure $3; input float a; array[float, 9] b; h $39;",
        HEAD_3 + "const int n = 10000000000 * 1000000000; qubit q; pow(1 / 2) @ x q; rx(n) q;",
        HEAD_3 + "const int n = 08; qubit[0o7] q; bit[0b1_0] c; // \\u0000",
        HEAD_3 + "qubit[40] a; gate g a, b { x a; x b; } g a[0], a[1]; x a;" + " x a[1];" * 50,
        HEAD_3 + "qubit[40] a; def f(qubit[2] a) { h a; } f(a[0:1]); x a; x a;",
        HEAD_2 + "qreg input[2]; creg array[2]; gate cal a { h a; } cal input[0]; "
        "measure input -> array;",
        HEAD_2 + '// include "x"\nqreg for[2]; gate pow a { x a; } gate def a { pow a; } '
        "gate ctrl in { def in; } ctrl for; creg bit[1]; creg qubit[9];",
        HEAD_2 + "qreg box[40]; creg measured[40]; " + "barrier box; " * 20 + "h box[0];",
        "",
        "\u00b2 \u0663 no program at all",
    ],
)
def test_what_is_not_plainly_too_much_passes(text: str) -> None:
    check_program_text("a.qasm", text, LIMITS)


def test_numbers_that_grow_are_known_to_be_large() -> None:
    """Each constant is a product of those before: the twentieth would have 10^19 digits."""
    known: dict[str, tuple[float, float] | None] = {"a0": (999_999_999, 999_999_999)}
    for number in range(1, 20):
        product = " * ".join([f"a{number - 1}"] * 9).split()
        known[f"a{number}"] = interval_of(product, known)
    assert interval_of(["a0", "*", "a0"], known) == (999_999_998_000_000_001,) * 2
    assert known["a1"] == known["a19"] == (10**18, inf)
    assert interval_of(["a1", "-", "a1"], known) == (-inf, inf)
    assert interval_of(["0", "*", "a1", "-", "2", "**", "70"], known) == (-inf, -(10**18))


@pytest.mark.parametrize(
    ("values", "turns", "variable"),
    [
        ("[0 : 9]", 10, (0, 9)),
        ("[9 : - 1 : 0]", 10, (0, 9)),
        ("[0 : 4 : 9]", 3, (0, 9)),
        ("[5 : 4]", 0, (4, 5)),
        ("[0 : i]", 4, (0, 7)),
        ("[i : 9]", 3, (3, 9)),
        ("[9 : - 2 : i]", 2, (3, 9)),
        ("{ 1 , 5 , i }", 3, (1, 7)),
        ("[0 : a]", 10**18 + 1, (0, inf)),
        ("[a : 0]", 0, (0, inf)),
    ],
)
def test_a_loop_turns_so_often_at_least(
    values: str, turns: int, variable: tuple[float, float]
) -> None:
    words = values.replace("[", "[ ").replace("]", " ]").split()
    assert turns_of(words, {"i": (3, 7), "a": (10**18, inf)}) == (turns, variable)


@pytest.mark.parametrize("values", ["[0 : n]", "[0 : 0 : 9]", "[0 : 1 : 2 : 3]", "[0 : f ( 1 )]"])
def test_turns_that_are_not_known(values: str) -> None:
    words = values.replace("[", "[ ").replace("]", " ]").split()
    assert turns_of(words, {"n": None}) is None


def test_games_are_looked_at_too() -> None:
    check_program_text("a.toml", 'game = "skat"\nnames = ["for", "while"]\n', LIMITS)
    for text, says in (
        ("a = " + "[" * 1000, "nested deeper"),
        ('a = "\\u0000"', "control character U"),
        ("#" * 50_001, "bytes"),
    ):
        with pytest.raises(InputError, match=says):
            check_program_text("a.toml", text, LIMITS)
