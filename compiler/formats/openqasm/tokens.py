"""Tokens of OpenQASM 2 and 3, with the places where they stand.

Every scan of OpenQASM text goes through this module, so that comments, strings and keywords are
the same everywhere. The tokenizer takes time linear in any text.

References:
    OpenQASM 3 lexer: https://github.com/openqasm/openqasm/blob/main/source/grammar/qasm3Lexer.g4
    OpenQASM 2: arXiv 1707.03429, with the extensions that Qiskit's parser accepts.
"""

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Literal, NamedTuple, TypeAlias, cast

from compiler.errors import CircuitFileError
from compiler.targets.target import MAX_QUBITS

Kind: TypeAlias = Literal[
    "keyword", "name", "number", "string", "physical", "line", "symbol", "unknown"
]
"""Kind of a token.

`physical` is a physical qubit, such as `$0`; `line` is a pragma or annotation, which takes the
rest of its line; `unknown` is a character that begins no token, or a comment without an end.
"""


class Token(NamedTuple):
    """A token.

    Args:
        kind: kind of the token.
        text: the token as it is written.
        start: index of its first character in the program.
    """

    kind: Kind
    text: str
    start: int


_KEYWORD_TEXT = {
    2: "OPENQASM barrier cos creg exp gate if include ln measure opaque pi qreg reset sin sqrt tan",
    3: """OPENQASM include defcalgrammar def cal defcal gate extern box let break continue if else
        end return for while in switch case default input output const readonly mutable qreg qubit
        creg bool bit int uint float angle complex array void duration stretch gphase inv pow ctrl
        negctrl #dim durationof delay reset measure barrier true false im""",
}
KEYWORDS = {version: frozenset(word.split()) for version, word in _KEYWORD_TEXT.items()}
"""Reserved words of each version."""

_STRING = r"""(?P<string>"[^"\n]*"|'[^'\n]*')"""
_DIGITS = "[0-9](?:_?[0-9])*"
_TOKENS: Mapping[int, re.Pattern[str]] = {
    2: re.compile(
        rf"""[ \t\r\n]*(?:
        (?P<name>[A-Za-z_][A-Za-z0-9_]*)
        |//[^\n]*
        |(?P<symbol>->|==|[-+*/^()\[\]{{}};,])
        |(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)
        |{_STRING}
        |(?P<unknown>.)
        |\Z)""",
        re.VERBOSE | re.DOTALL,
    ),
    3: re.compile(
        rf"""[ \t\r\n]*(?:
        (?P<line>(?:\#?pragma(?!\w)|@[^\W\d]\w*)[^\r\n]*)
        |(?P<name>[^\W\d]\w*|\#dim)
        |//[^\r\n]*|/\*.*?\*/
        |(?P<number>(?:0[xX][0-9a-fA-F](?:_?[0-9a-fA-F])*|0[oO][0-7](?:_?[0-7])*
            |0[bB][01](?:_?[01])*
            |(?:{_DIGITS}(?:\.(?:{_DIGITS})?)?|\.{_DIGITS})(?:[eE][+-]?{_DIGITS})?)
            (?:[ \t]*(?:im|dt|ns|us|µs|ms|s))?)
        |(?P<symbol>(?!/\*)(?:\*\*=|<<=|>>=|->|\+\+|\*\*|&&|\|\||<<|>>|[-+*/%|&^~=!<>]=
            |[-+*/%|&^~=!<>()\[\]{{}}:;.,@]))
        |(?P<physical>\$[0-9]+)
        |{_STRING}
        |(?P<unknown>/\*.*|.)
        |\Z)""",
        re.VERBOSE | re.DOTALL,
    ),
}


OPENING, CLOSING, SIGNS = frozenset("([{"), frozenset(")]}"), frozenset("+-!~")

MAX_NESTING = 200
"""Brackets within brackets, and signs in a row: parsers call themselves for each."""

MAX_DIGITS = 1000
"""Digits of a number."""

MAX_CLBITS = 100_000
"""Classical bits that a program may declare."""


def version_of(text: str) -> str | None:
    """Return the version that a program's first statement names, None if it names none."""
    match list(islice(tokens(text, 3), 3)):
        case [Token(text="OPENQASM"), Token("number", version), Token(text=";")]:
            return version
    return None


def tokens(text: str, version: int) -> Iterator[Token]:
    """Yield the tokens of a program, without comments and whitespace.

    Args:
        text: the program.
        version: major version of the language, 2 or 3.
    """
    keywords = KEYWORDS[version]
    for match in _TOKENS[version].finditer(text):
        group = match.lastgroup
        if group is None:
            continue
        word = match[group]
        kind = "keyword" if group == "name" and word in keywords else group
        yield Token(cast(Kind, kind), word, match.start(group))


def checked_tokens(text: str, version: int) -> Iterator[Token]:
    """Yield the tokens of a program that no parser is brought down by.

    Raises:
        CircuitFileError: if it is nested too deeply, or has too long a number.
    """
    depth = signs = 0
    for token in tokens(text, version):
        depth += (token.text in OPENING) - (token.text in CLOSING)
        signs = signs + 1 if token.text in SIGNS else 0
        if max(depth, signs) > MAX_NESTING:
            raise CircuitFileError(
                f"{place(text, token.start)}: nested deeper than {MAX_NESTING} levels; "
                "write it flatter"
            )
        if token.kind == "number" and len(token.text) > MAX_DIGITS:
            raise CircuitFileError(
                f"{place(text, token.start)}: a number of {len(token.text)} digits is too large; "
                "write a smaller one"
            )
        yield token


def check_width(qubits: int, clbits: int) -> None:
    """Refuse a program that declares more qubits or bits than anything holds.

    Raises:
        CircuitFileError: naming the limit.
    """
    for count, most, noun in ((qubits, MAX_QUBITS, "qubits"), (clbits, MAX_CLBITS, "bits")):
        if count > most:
            raise CircuitFileError(f"declares {count:,} {noun}; {most:,} are allowed")


def place(text: str, start: int) -> str:
    """Return the line and column of an index of a program, both counted from 1."""
    line = text.count("\n", 0, start) + 1
    return f"line {line}, column {start - text.rfind(chr(10), 0, start)}"
