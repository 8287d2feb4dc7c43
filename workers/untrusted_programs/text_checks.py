"""Refusing programs by their text alone, before any parser has seen them.

What a stranger sends may be small and yet unfold into more than any memory holds. These checks
take time linear in the text and refuse what is plainly too much; whatever gets past them is read
in a process that may be lost (`workers.untrusted_programs.inspector`).
"""

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise

from compiler.errors import CircuitFileError, InputError
from workers.settings import Settings
from workers.untrusted_programs.loop_turns import Loops, opens_set

INCLUDES = ("stdgates.inc", "qelib1.inc")
MOST_NESTING = 32
MOST_BITS = 10_000
MOST_POWER = 1000
LONGEST_INTEGER = 18
LONGEST_NUMBER = 66
"""Also of one with a point, or with another base: 64 bits and `0b`."""
MOST_TOKENS = 10_000
"""In one statement; a barrier over 500 qubits has 2,000."""
MOST_MODIFIERS = 8
"""Before one gate: each is a definition around the one before."""
MOST_CONTROLS = 64
MOST_PARAMETERS = 64
MOST_REGISTERS = 1000
WIDEST_ROOT = 4
"""Operands of a gate to a power that is no whole number, which takes a matrix."""
TOUCHES = 10
"""Times that qubits may be measured, reset and named by barriers, for each gate that is allowed."""
CAP = 10**9

CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]|\\u0000|\\U00000000")
"""What databases cannot keep or terminals should not get, also as an escape of TOML's."""
INCLUDE = re.compile(r"""\binclude\b(?!\s*["'](?:stdgates|qelib1)\.inc["'])""")
UNWANTED = frozenset({"while", "defcal", "defcalgrammar", "cal", "extern", "array", "input"})
MODIFIERS = frozenset({"ctrl", "negctrl", "inv", "pow"})
QUBITS, BITS = frozenset({"qubit", "qreg"}), frozenset({"bit", "creg"})
FREE = frozenset({"OPENQASM", "include", "const", "let", "gphase"})
DEFINITIONS = (["gate"], ["def"])
TOUCHING = frozenset({"barrier", "reset"})
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
    signs = 0
    for place, token in enumerate(tokens):
        if token in UNWANTED:
            raise CircuitFileError(
                f"{name}: '{token}' is not allowed here; write the gates out, without "
                "'while', arrays and inputs"
            )
        longest = LONGEST_INTEGER if token.isdecimal() else LONGEST_NUMBER
        if token[0].isdecimal() and len(token) > longest:
            raise CircuitFileError(f"{name}: a number of {len(token)} digits is too large")
        if token == "$":
            raise CircuitFileError(f"{name}: write 'qubit[2] q;' and q[0] instead of $0")
        signs = signs + 1 if token == "-" else 0
        if signs == MOST_NESTING:
            raise CircuitFileError(f"{name}: more than {MOST_NESTING} signs in a row")
        if not token.isdecimal() or int(token) <= MOST_POWER:
            continue
        before = tokens[max(0, place - 2) : place]
        if "**" in before[-1:] or before == ["pow", "("]:
            raise CircuitFileError(f"{name}: powers up to {MOST_POWER} are allowed, not {token}")


class _Statements:
    """How many gates a program's statements stand for, at least, and how many qubits."""

    def __init__(self, name: str, set_: Settings) -> None:
        self._name = name
        self._settings = set_
        self._weights: dict[str, int] = {}
        self._subroutines: set[str] = set()
        self._sizes: dict[str, int] = {}
        self._depths: dict[str, int] = {}
        self._statements = self._qubits = self._gates = 0
        self._bits = self._registers = self._touches = 0
        self._loops = Loops(name)

    def check(self, tokens: Sequence[str]) -> None:
        """Count, and refuse what is too much."""
        statement: list[str] = []
        defined: str | None = None
        inside = depth = braces = 0
        for token in tokens:
            if token not in (";", "{", "}") or opens_set(statement, token):
                statement.append(token)
                if len(statement) > MOST_TOKENS:
                    raise CircuitFileError(f"{self._name}: a statement is too long")
                continue
            if "for" in statement:
                self._loops.enter(statement, token, braces)
            self._count_statement()
            if token == "{" and statement[:1] in DEFINITIONS and len(statement) > 1:
                defined, inside, depth, braces = statement[1], 0, 0, 0
                if statement[0] == "def":
                    self._subroutines.add(defined)
                    self._loops.forget(statement)
                self._check_parameters(statement)
            elif statement and statement[0] != "for":
                depth = max(depth, self._depths.get(_called(statement), 0))
                self._check_modifiers(statement)
                weight = min(CAP, self._loops.times * self._weight(statement))
                inside += weight
                self._gates += 0 if defined else weight
            braces += (token == "{") - (token == "}")
            self._loops.leave(braces)
            if braces == 0 and token == "}" and defined is not None:
                self._weights[defined] = min(CAP, max(1, inside))
                self._depths[defined] = depth + 1
                if depth >= MOST_NESTING:
                    raise CircuitFileError(
                        f"{self._name}: gates are defined by others more than {MOST_NESTING} deep"
                    )
                defined = None
            statement = []
            self._check_gates()

    def _count_statement(self) -> None:
        self._statements += self._loops.times
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
        sizes = _broadcast(statement, self._sizes)
        if word in TOUCHING or "measure" in statement:
            self._touch(sum(sizes) or 1)
            return 0
        if word == "const":
            self._loops.declare(statement)
        if word in FREE or "=" in statement:
            return 0
        called = _called(statement)
        most = 1 if called in self._subroutines else max(sizes, default=1)
        weight = self._weights.get(called, 1) * most
        for place, token in enumerate(statement[:-2]):
            # A gate to a whole power is written out so often.
            if token == "pow" and statement[place + 2].isdecimal():
                weight *= max(1, int(statement[place + 2]))
        return min(CAP, weight)

    def _touch(self, qubits: int) -> None:
        self._touches += qubits * self._loops.times
        most = TOUCHES * self._settings.most_gates
        if self._touches > most:
            raise CircuitFileError(
                f"{self._name}: measures, resets and barriers name qubits more than {most} times"
            )

    def _check_modifiers(self, statement: Sequence[str]) -> None:
        """Refuse modifiers whose gate is much larger than it looks."""
        places = [
            place
            for place, (token, after) in enumerate(pairwise(statement))
            if token in ("pow", "ctrl", "negctrl") and after == "("
        ]
        # Each is looked at by itself, all of the statement.
        if max(statement.count("@"), len(places)) > MOST_MODIFIERS:
            raise CircuitFileError(f"{self._name}: more than {MOST_MODIFIERS} modifiers of a gate")
        for place in places:
            token = statement[place]
            argument = (
                statement[place + 2 : statement.index(")", place)]
                if ")" in statement[place:]
                else []
            )
            self._check_argument(token, argument, statement)

    def _check_argument(
        self, modifier: str, argument: Sequence[str], statement: Sequence[str]
    ) -> None:
        bare = argument[1:] if argument[:1] == ["-"] else argument
        if len(bare) == 1 and bare[0].isdecimal():
            if modifier != "pow" and int(bare[0]) > MOST_CONTROLS:
                raise CircuitFileError(f"{self._name}: more than {MOST_CONTROLS} controls")
            return
        if modifier != "pow" or len(bare) != 1 or not bare[0][0].isdecimal():
            raise CircuitFileError(f"{self._name}: write the number in '{modifier}(…)' in digits")
        if "@" not in statement:
            raise CircuitFileError(f"{self._name}: write '@' after '{modifier}(…)'")
        operands = statement[len(statement) - statement[::-1].index("@") :]
        controlled = any(token in ("ctrl", "negctrl") for token in statement)
        if controlled or operands.count(",") >= WIDEST_ROOT:
            raise CircuitFileError(
                f"{self._name}: only gates on up to {WIDEST_ROOT} qubits, without controls, can be "
                "taken to a power that is no whole number"
            )

    def _check_parameters(self, statement: Sequence[str]) -> None:
        inside = statement[: statement.index(")")] if ")" in statement else []
        if inside.count(",") >= MOST_PARAMETERS:
            raise CircuitFileError(
                f"{self._name}: gate '{statement[1][:40]}' has more than {MOST_PARAMETERS} "
                "parameters"
            )

    def _declare(self, statement: Sequence[str]) -> None:
        names = [token for token in statement[1:] if token.isidentifier()]
        sizes = [token for token in statement if token[0].isdecimal()]
        if len(sizes) > 1 or not all(size.isdecimal() for size in sizes):
            raise CircuitFileError(f"{self._name}: write a register's size as one plain number")
        size = int(sizes[0]) if sizes else 1
        if names:
            self._sizes[names[0]] = size
        self._registers += self._loops.times
        if self._registers > MOST_REGISTERS:
            raise CircuitFileError(f"{self._name}: more than {MOST_REGISTERS} registers")
        if statement[0] in BITS:
            self._bits += size * self._loops.times
            if self._bits > MOST_BITS:
                raise CircuitFileError(f"{self._name}: {self._bits} bits; {MOST_BITS} are allowed")
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
