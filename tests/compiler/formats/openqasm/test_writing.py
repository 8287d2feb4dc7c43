"""OpenQASM: tokens, and circuits that are written."""

import re
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest
from antlr4 import InputStream, Token
from hypothesis import given
from hypothesis import strategies as st
from openqasm3._antlr.qasm3Lexer import qasm3Lexer
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister, qasm2, qasm3
from qiskit.circuit import Clbit, Parameter, ParameterVector, Qubit
from qiskit.circuit.classical import expr
from qiskit.circuit.library import StatePreparation, UnitaryGate, get_standard_gate_name_mapping
from qiskit.quantum_info import Operator

from compiler.errors import VerificationError
from compiler.formats.circuit_files import circuit_from_qasm
from compiler.formats.openqasm import version_3
from compiler.formats.openqasm.tokens import KEYWORDS, tokens, version_of
from compiler.formats.openqasm.writing import qasm3_text
from compiler.measurement import registers_of
from compiler.verification.program import outcome_distribution, program_state

EXAMPLES = [path.read_text() for path in sorted(Path("examples").glob("*.qasm"))]
PIECES = [
    "OPENQASM 3.0;", "qubit", "[2]", "q", ";", "// c\n", "/* c */", "/* ; \n */", "1", "0x1f_0",
    "0b1_0", "1.5e-3", ".5", "2.", "10ns", "2.5 us", "3im", '"01"', "$12", "->", "++", "**=", "==",
    "<<=", ">>", "&&", "!", "~", "@", "@note x; y\n", "#pragma a { b\n", "pragma c\n", "θ_1", "_a",
    "ctrl", "negctrl", "pow", "in", "{", "}", "(", ")", ":", ",", ".", " ", "\t", "\n", "\r\n",
]  # fmt: skip


def of_grammar(text: str) -> list[tuple[str, int]]:
    """Return the tokens of the reference lexer; a pragma and its line are one token."""
    lexer = qasm3Lexer(InputStream(text))
    lexer.removeErrorListeners()
    found: list[tuple[str, int]] = []
    while (token := lexer.nextToken()).type != Token.EOF:
        if token.type == qasm3Lexer.RemainingLineContent:
            found[-1] = (text[found[-1][1] : token.stop + 1], found[-1][1])
        else:
            found.append((token.text, token.start))
    return found


def ours(text: str) -> list[tuple[str, int]]:
    return [
        (token.text.rstrip() if token.kind == "line" else token.text, token.start)
        for token in tokens(text, 3)
    ]


@pytest.mark.parametrize("text", EXAMPLES)
def test_examples_have_the_tokens_of_the_grammar(text):
    if version_of(text) == "2.0":
        assert "".join(token.text for token in tokens(text, 2) if token.kind == "unknown") == ""
    else:
        assert ours(text) == of_grammar(text)


@given(st.lists(st.sampled_from(PIECES)).map(" ".join))
def test_any_text_has_the_tokens_of_the_grammar(text):
    assert ours(text) == [(word.rstrip(), start) for word, start in of_grammar(text)]


def test_keywords_are_those_of_the_grammar():
    words = {name.strip("'") for name in qasm3Lexer.literalNames}
    assert KEYWORDS[3] == {word for word in words if word.strip("#").isalpha()} | {"true", "false"}


def can_be_a_name(word):
    with suppress(qasm2.QASM2ParseError):
        return bool(qasm2.loads(f"OPENQASM 2.0; qreg {word}[1];").num_qubits)
    return False


def test_keywords_of_openqasm_2_are_those_of_qiskits_parser():
    words = {word for word in KEYWORDS[2] | KEYWORDS[3] if word.islower() and word.isalpha()}
    assert {word for word in words if not can_be_a_name(word)} == KEYWORDS[2] - {"OPENQASM"}


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("OPENQASM 2.0;", "2.0"),
        ("\n// OPENQASM 2.0;\n/* x\nOPENQASM 2.0;\n*/ OPENQASM 3.1 ;", "3.1"),
        ("/* OPENQASM 3.0; */\nOPENQASM 2.0;", "2.0"),
        ("/* OPENQASM 2.0;", None),
        ("OPENQASM" + "/**/" * 10_000, None),
    ],
)
def test_the_first_statement_tells_the_version(text, version):
    assert version_of(text) == version


def test_openqasm_2_has_its_own_keywords_and_comments():
    kinds = {token.text: token.kind for token in tokens("array input /* opaque '*/' ->", 2)}
    assert kinds == {
        "array": "name", "input": "name", "/": "symbol", "*": "symbol", "opaque": "keyword",
        "'*/'": "string", "->": "symbol",
    }  # fmt: skip


A = ClassicalRegister(2, "a")
LOOSE = Clbit()
OVERLAPPING = ClassicalRegister(name="b", bits=[A[1], LOOSE])


def branching(condition=None, *, switch=None, otherwise=False):
    """Return a circuit that measures three qubits, and turns the fourth by what they gave."""
    circuit = QuantumCircuit(QuantumRegister(4, "q"), A, [LOOSE], OVERLAPPING)
    circuit.add_register(ClassicalRegister(1, "r"))
    for qubit, angle in enumerate((0.4, 1.1, 2.0)):
        circuit.ry(angle, qubit)
        circuit.measure(qubit, qubit)
    if switch is not None:
        with circuit.switch(switch) as case:
            with case(*((0, 3) if isinstance(switch, ClassicalRegister) else (0,))):
                circuit.x(3)
            with case(1):
                circuit.h(3)
            with case(case.DEFAULT):
                circuit.ry(0.3, 3)
    elif condition is not None:
        with circuit.if_test(condition) as other:
            circuit.x(3)
        if otherwise:
            with other:
                circuit.h(3)
    circuit.measure(3, 3)
    return circuit


def distribution(circuit):
    return outcome_distribution(circuit, program_state(circuit))


CONDITIONS = {
    "register": (A, 2),
    "bit": (LOOSE, 0),
    "overlapping": (OVERLAPPING, 2),
    "never": (OVERLAPPING, 7),
    "less": expr.less(OVERLAPPING, 2),
    "both": expr.logic_and(expr.equal(OVERLAPPING, 1), expr.logic_not(A[0])),
    "arithmetic": expr.equal(expr.bit_and(A, 2), 2),
    "shift": expr.equal(expr.shift_left(OVERLAPPING, 1), 2),
}


@pytest.mark.parametrize("otherwise", [False, True])
@pytest.mark.parametrize("name", CONDITIONS)
def test_conditions_on_any_bits_are_written(name, otherwise):
    circuit = branching(CONDITIONS[name], otherwise=otherwise)
    text = qasm3_text(circuit)
    again = circuit_from_qasm(text, "again.qasm")
    assert distribution(again) == pytest.approx(distribution(circuit), abs=1e-9)
    assert re.findall(r"^bit(?:\[\d\])? \w+;$", text, re.MULTILINE) == [
        "bit[2] a;",
        "bit[1] b_1;",
        "bit[1] r;",
    ]


@pytest.mark.parametrize("switch", [A, OVERLAPPING, LOOSE], ids=["own", "overlapping", "bit"])
def test_switches_on_any_bits_are_written(switch):
    circuit = branching(switch=switch)
    again = circuit_from_qasm(qasm3_text(circuit), "again.qasm")
    assert distribution(again) == pytest.approx(distribution(circuit), abs=1e-9)


def test_bits_keep_their_names_and_order():
    circuit = QuantumCircuit(
        [Qubit()], QuantumRegister(2, "h"), ClassicalRegister(2, "c"), [Clbit()],
        ClassicalRegister(1, "flag"), ClassicalRegister(1, "measure"), ClassicalRegister(1, "a b"),
    )  # fmt: skip
    circuit.ecr(0, 2)
    circuit.measure([0, 1, 2], [2, 0, 3])
    text = qasm3_text(circuit)
    assert re.findall(r"^(?:qu)?bit(?:\[\d\])? \w+;$", text, re.MULTILINE) == [
        "bit[2] c;", "bit bit2;", "bit[1] flag;", "bit[1] measure_;", "bit[1] a_b;",
        "qubit qubit0;", "qubit[2] h_;",
    ]  # fmt: skip
    again = circuit_from_qasm(text, "again.qasm")
    assert distribution(again) == pytest.approx(distribution(circuit))
    assert list(registers_of(again).values()) == [[0, 1], [2], [3], [4], [5]]


@pytest.mark.parametrize(
    "name",
    [
        name
        for name, gate in get_standard_gate_name_mapping().items()
        if gate.num_qubits and name not in ("measure", "reset", "delay", "barrier")
    ],
)
def test_standard_gates_are_written_under_their_names_and_without_controlled_u(name):
    kind = get_standard_gate_name_mapping()[name].base_class
    count = len(get_standard_gate_name_mapping()[name].params)
    gate = kind(*[0.3 + number / 7 for number in range(count)])
    circuit = QuantumCircuit(gate.num_qubits, gate.num_qubits)
    circuit.append(gate, circuit.qubits)
    text = qasm3_text(circuit)
    assert "ctrl" not in text
    assert re.search(rf"^{'U' if name == 'u' else name}\b", text, re.MULTILINE)
    wanted, read = Operator(circuit).data, Operator(qasm3.loads(text)).data
    assert abs(np.vdot(wanted, read)) == pytest.approx(len(wanted))


def test_other_gates_are_written_as_standard_ones():
    circuit = QuantumCircuit(2)
    circuit.append(StatePreparation([0.6, 0, 0.8j, 0]), [0, 1])
    circuit.append(UnitaryGate(Operator(circuit).data), [1, 0])
    circuit.mcp(0.3, [0], 1, ctrl_state=0)
    read = Operator(qasm3.loads(qasm3_text(circuit))).data
    assert abs(np.vdot(read, Operator(circuit).data)) == pytest.approx(4)


def test_a_text_that_is_read_as_another_circuit_is_not_handed_out(monkeypatch):
    circuit = branching(CONDITIONS["register"])
    honest = version_3.read_openqasm_3
    for right, wrong in (
        ("ry(0.4)", "ry(0.4000001)"),
        ("ry(0.4) q[0];", ""),
        ("a[1] = measure q[1];", "a[1] = measure q[2];"),
        ("a == 2", "a == 1"),
        ("x q[3];", "y q[3];"),
        ("qubit[4] q;", "qubit[4] q;\nbit[2] more;"),
    ):
        monkeypatch.setattr(
            version_3, "read_openqasm_3", lambda text, r=right, w=wrong: honest(text.replace(r, w))
        )
        with pytest.raises(VerificationError, match="read as another circuit"):
            qasm3_text(circuit)
    monkeypatch.setattr(version_3, "read_openqasm_3", honest)
    assert "a == 2" in qasm3_text(circuit)


def test_parameters_become_inputs():
    angles, other = ParameterVector("θ", 2), Parameter("pi")
    circuit = QuantumCircuit(2, global_phase=other)
    circuit.rx(angles[0], 0)
    circuit.rzz(2 * angles[1] - other / 3, 0, 1)
    circuit.u(angles[0] * other, other, angles[1] - 1, 0)
    text = qasm3_text(circuit)
    assert "input float[64] θ_0_;" in text
    assert "input float[64] pi_;" in text
    values = {"pi_": 0.3, "θ_0_": 1.2, "θ_1_": -0.7}
    again = qasm3.loads(text).assign_parameters(values)
    ours = circuit_from_qasm(text, "a.qasm").assign_parameters(values)
    wanted = Operator(circuit.assign_parameters({other: 0.3, angles: [1.2, -0.7]}))
    assert wanted.equiv(Operator(again))
    assert wanted.equiv(Operator(ours))
