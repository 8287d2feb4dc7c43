"""Constructs of OpenQASM 3 and random programs, against independent readers."""

import pytest

from compiler.errors import CircuitFileError
from compiler.formats.circuit_files import circuit_from_qasm
from compiler.formats.openqasm.version_3 import read_openqasm_3
from compiler.verification.program import outcome_distribution, program_state
from tests.compiler.formats.openqasm.version_3.constructs import CONDITIONS, HEAD, PROGRAMS, REFUSED
from tools.openqasm_constructs import DOCS, MARK, tables

ASKED = (
    "qubit[4] q; qubit a; bit[4] c; bit r; h q; c = measure q; "
    "{before} if ({condition}) x a; r = measure a;"
)


def distribution(text):
    circuit = circuit_from_qasm(HEAD + text, "c.qasm")
    found = outcome_distribution(circuit, program_state(circuit))
    return {f"{bits:0{circuit.num_clbits}b}": p for bits, p in found.items() if p > 1e-9}


@pytest.mark.parametrize("construct", PROGRAMS, ids=lambda each: each.name)
def test_a_program_has_the_outcome_of_the_specification(construct):
    assert distribution(construct.text) == {construct.outcome: pytest.approx(1)}


@pytest.mark.parametrize("condition", CONDITIONS, ids=lambda each: each.name)
def test_a_condition_holds_for_the_values_of_the_specification(condition):
    text, _, before = condition.text.partition(";")
    wanted = {f"{condition.meaning(c):b}{c:04b}": pytest.approx(1 / 16) for c in range(16)}
    assert distribution(ASKED.format(before=before, condition=text)) == wanted
    negated = {f"{not condition.meaning(c):b}{c:04b}": pytest.approx(1 / 16) for c in range(16)}
    assert distribution(ASKED.format(before=before, condition=f"!({text})")) == negated


@pytest.mark.parametrize("refusal", REFUSED, ids=lambda each: each.name)
def test_an_invalid_program_is_refused_in_one_line(refusal):
    with pytest.raises(CircuitFileError) as error:
        circuit_from_qasm(HEAD + refusal.text, "c.qasm")
    assert refusal.word in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("qubit[2] q; ctrl @ U(pi, 0, pi) q[0], q[1];", "controlled U"),
        ("qubit[2] q; negctrl @ u3(0, 1, 2) q[0], q[1];", "controlled U"),
        ("gate g a { U(pi, 0, pi) a; } qubit[2] q; ctrl @ inv @ g q[0], q[1];", "controlled U"),
        ("qubit q; rx(3 / 2) q;", "3 / 2 of whole numbers is 1"),
        ("qubit[2] q; ctrl @ x q[0], q[1]; ctrl @ rx(1.5) q[0], q[1]; cu(1,2,3,4) q[0],q[1];", ""),
        (
            "gate flip a { U(0, 0, pi) a; } qubit[2] q; ctrl @ flip q[0], q[1]; U(pi, 0, pi) q[0];",
            "",
        ),
        ("qubit q; rx(4 / 2) q; rx(3 / 2.0) q;", ""),
    ],
)
def test_where_others_read_something_else_a_warning_says_so_once(text, word):
    warnings = []
    read_openqasm_3(HEAD + text, warnings.append)
    assert len(warnings) == bool(word)
    assert all(each.startswith("line 3: ") and word in each for each in warnings)


@pytest.mark.full
def test_the_tables_are_those_of_the_tests():
    pages = tables()
    written = {name: (DOCS / name).read_text().partition(MARK)[2].strip() for name in pages}
    assert written == pages


@pytest.mark.parametrize("condition", ["popcount(c) == 2", "c + 1 == 3", "(c ^ d) == 1"])
def test_what_cannot_be_followed_is_refused(condition):
    text = f"qubit[13] q; qubit a; bit[13] c; bit[13] d; c = measure q; if ({condition}) x a;"
    with pytest.raises(CircuitFileError, match="12 measured bits"):
        circuit_from_qasm(HEAD + text, "c.qasm")
