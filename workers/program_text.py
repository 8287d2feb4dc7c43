"""Refusing programs by their text alone, before any parser has seen them.

What a stranger sends may be small and yet unfold into more than any memory holds. These checks
take time linear in the text and refuse what is plainly too much; whatever gets past them is read
in a process that may be lost (`workers.inspection`).
"""

import re
from collections.abc import Mapping, Sequence

from compiler.errors import CircuitFileError, InputError
from workers.settings import Settings

INCLUDES = ("stdgates.inc", "qelib1.inc")
MOST_NESTING = 32
MOST_BITS = 10_000
MOST_POWER = 1000
LONGEST_INTEGER = 18
MOST_TOKENS = 10_000
"""In one statement; a barrier over 500 qubits has 2,000."""
CAP = 10**9

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]|\\u0000|\\U00000000")
"""What databases cannot keep or terminals should not get, also as an escape of TOML's."""
INCLUDE = re.compile(r"""\binclude\b(?!\s*["'](?:stdgates|qelib1)\.inc["'])""")
UNWANTED = frozenset(
    {"for", "while", "defcal", "defcalgrammar", "cal", "extern", "array", "switch", "input"}
)
MODIFIERS = frozenset({"ctrl", "negctrl", "inv", "pow"})
QUBITS, BITS = frozenset({"qubit", "qreg"}), frozenset({"bit", "creg"})
FREE = frozenset({"OPENQASM", "include", "const", "let", "barrier", "gphase"})
DEFINITIONS = (["gate"], ["def"])
TOKEN = re.compile(
    r"(?P<skip>\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|\Z))"
    r"|\"[^\"\n]*\"|'[^'\n]*'|[^\W\d]\w*|(?:\d|\.\d)(?:[\w.]|(?<=[eE])[+-])*|\*\*|\S"
)


def check_program_text(name: str, text: str, set_: Settings) -> None:
    """Refuse a file by its text.

    Args:
        name: it ends in `.qasm` or `.toml`.
        text: the contents.
        set_: with the limits on bytes, qubits and gates.

    Raises:
        InputError: saying what is too much, or not allowed.
    """
    if len(text.encode("utf-8", "surrogatepass")) > set_.most_bytes:
        raise InputError(f"{name}: more than {set_.most_bytes} bytes")
    if CONTROL.search(text):
        raise InputError(f"{name}: holds control characters, which no program needs")
    if not name.endswith(".qasm"):
        _check_nesting(name, re.findall(r"[\[\](){}]", text))
        return
    if INCLUDE.search(text):
        raise CircuitFileError(f"{name}: only {' and '.join(INCLUDES)} can be included")
    tokens = [_plain(match[0]) for match in TOKEN.finditer(text) if not match["skip"]]
    _check_nesting(name, tokens)
    _check_words(name, tokens)
    _Statements(name, set_).check(tokens)


def _plain(token: str) -> str:
    return token.replace("_", "") if token[0].isdecimal() else token


def _check_nesting(name: str, tokens: Sequence[str]) -> None:
    depth = 0
    for token in tokens:
        if token in "([{":
            depth += 1
        elif token in ")]}":
            depth -= 1
        if depth > MOST_NESTING:
            raise InputError(f"{name}: nested deeper than {MOST_NESTING} levels")


def _check_words(name: str, tokens: Sequence[str]) -> None:
    for place, token in enumerate(tokens):
        if token in UNWANTED:
            raise CircuitFileError(
                f"{name}: '{token}' is not allowed here; write the gates out, without loops, "
                "arrays and inputs"
            )
        if token.isdecimal() and len(token) > LONGEST_INTEGER:
            raise CircuitFileError(f"{name}: a number of {len(token)} digits is too large")
        before = tokens[max(0, place - 2) : place]
        raised = "**" in before[-1:] or before == ["pow", "("]
        if raised and token.isdecimal() and int(token) > MOST_POWER:
            raise CircuitFileError(f"{name}: powers up to {MOST_POWER} are allowed, not {token}")


class _Statements:
    """How many gates a program's statements stand for, at least, and how many qubits."""

    def __init__(self, name: str, set_: Settings) -> None:
        self._name = name
        self._settings = set_
        self._weights: dict[str, int] = {}
        self._subroutines: set[str] = set()
        self._sizes: dict[str, int] = {}
        self._statements = self._qubits = self._gates = 0

    def check(self, tokens: Sequence[str]) -> None:
        """Count, and refuse what is too much."""
        statement: list[str] = []
        defined: str | None = None
        inside = depth = 0
        for token in tokens:
            if token not in (";", "{", "}"):
                statement.append(token)
                if len(statement) > MOST_TOKENS:
                    raise CircuitFileError(f"{self._name}: a statement is too long")
                continue
            self._count_statement()
            if token == "{" and statement[:1] in DEFINITIONS and len(statement) > 1:
                defined, inside, depth = statement[1], 0, 0
                if statement[0] == "def":
                    self._subroutines.add(defined)
            elif statement:
                weight = self._weight(statement)
                inside += weight
                self._gates += 0 if defined else weight
            depth += (token == "{") - (token == "}")
            if depth == 0 and token == "}" and defined is not None:
                self._weights[defined] = min(CAP, max(1, inside))
                defined = None
            statement = []
            self._check_gates()

    def _count_statement(self) -> None:
        self._statements += 1
        most = 2 * self._settings.most_gates + 1000
        if self._statements > most:
            raise CircuitFileError(f"{self._name}: more than {most} statements")

    def _check_gates(self) -> None:
        if self._gates > self._settings.most_gates:
            raise CircuitFileError(
                f"{self._name}: stands for more than {self._settings.most_gates} gates"
            )

    def _weight(self, statement: Sequence[str]) -> int:
        """Return the gates that a statement stands for at least, and note what it declares."""
        word = statement[0]
        if word in QUBITS or word in BITS:
            self._declare(statement)
            return 0
        if word in FREE or "measure" in statement or "=" in statement:
            return 0
        called = _called(statement)
        whole = [] if called in self._subroutines else _broadcast(statement, self._sizes)
        most = max(whole, default=1)
        return min(CAP, self._weights.get(called, 1) * most)

    def _declare(self, statement: Sequence[str]) -> None:
        names = [token for token in statement[1:] if token.isidentifier()]
        sizes = [token for token in statement if token[0].isdecimal()]
        if len(sizes) > 1 or not all(size.isdecimal() for size in sizes):
            raise CircuitFileError(f"{self._name}: write a register's size as one plain number")
        size = int(sizes[0]) if sizes else 1
        if names:
            self._sizes[names[0]] = size
        if statement[0] in BITS:
            if size > MOST_BITS:
                raise CircuitFileError(f"{self._name}: {size} bits; {MOST_BITS} are allowed")
            return
        self._qubits += size
        if self._qubits > self._settings.most_qubits:
            raise CircuitFileError(
                f"{self._name}: {self._qubits} qubits; {self._settings.most_qubits} are allowed"
            )


def _called(statement: Sequence[str]) -> str:
    """Return the name of the gate that a statement calls, past its modifiers."""
    depth = 0
    for token in statement:
        depth += (token == "(") - (token == ")")
        if depth == 0 and token.isidentifier() and token not in MODIFIERS:
            return token
    return ""


def _broadcast(statement: Sequence[str], sizes: Mapping[str, int]) -> list[int]:
    """Return the sizes of the registers that a statement names as a whole."""
    following = [*statement[1:], ""]
    return [
        sizes[token]
        for token, after in zip(statement, following, strict=True)
        if token in sizes and after != "["
    ]
