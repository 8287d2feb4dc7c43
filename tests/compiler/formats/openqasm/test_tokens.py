"""Tokens of OpenQASM, against the lexer of the language's own grammar and Qiskit's parser."""

from contextlib import suppress
from pathlib import Path

import pytest
from antlr4 import InputStream, Token
from hypothesis import given
from hypothesis import strategies as st
from openqasm3._antlr.qasm3Lexer import qasm3Lexer
from qiskit import qasm2

from compiler.formats.openqasm.tokens import KEYWORDS, place, tokens, version_of

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
        ("OPENQASM // 3.0\n /* 3 */ 2;", "2"),
        ("OPENQASM 3", None),
        ("qreg q[1];\nOPENQASM 2.0;", None),
        ("// OPENQASM 2.0;", None),
        ("/* OPENQASM 2.0;", None),
        ("OPENQASM" + "/**/" * 10_000, None),
        ("", None),
    ],
)
def test_the_first_statement_tells_the_version(text, version):
    assert version_of(text) == version


def test_a_comment_without_an_end_is_one_token():
    text = "x; /* a /* b " + "/* " * 10_000
    assert [(token.kind, token.start) for token in tokens(text, 3)][2:] == [("unknown", 3)]
    assert place("x;\n  y /*", 7) == "line 2, column 5"


def test_openqasm_2_has_its_own_keywords_and_comments():
    kinds = {token.text: token.kind for token in tokens("array input /* opaque '*/' ->", 2)}
    assert kinds == {
        "array": "name", "input": "name", "/": "symbol", "*": "symbol", "opaque": "keyword",
        "'*/'": "string", "->": "symbol",
    }  # fmt: skip
