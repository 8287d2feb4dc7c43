"""Every construct of OpenQASM 3 does what the specification says, or is refused in one line."""

import pytest

from compiler.errors import CircuitFileError
from compiler.formats.circuit_files import circuit_from_qasm
from compiler.verification.program import outcome_distribution, program_state
from tests.compiler.formats.openqasm3.constructs import CONDITIONS, HEAD, PROGRAMS, REFUSED

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
