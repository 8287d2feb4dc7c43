"""Refusing OpenQASM 2 and 3 by its text, before any parser has seen it.

A small program may unfold into more than any memory holds. These checks take time linear in the
text. They count from below: what they refuse is larger than a limit, or includes another file,
which the reader refuses, too. Everything else is left to the reader.
"""

from collections.abc import Mapping, Sequence
from typing import NoReturn

from attrs import define, field, frozen

from compiler.errors import CircuitFileError
from compiler.formats.openqasm.tokens import Token, place, tokens, version_of
from workers.untrusted_programs.number_bounds import Interval, hull, interval_of, turns_of

INCLUDES = {2: ("qelib1.inc",), 3: ("stdgates.inc", "qelib1.inc")}
MAX_TURNS = 100_000
"""Turns of loops within one another; the reader writes out no more."""
LONGEST_NUMBER = 1000
"""Digits of a number."""
TOUCHES = 10
"""Times that qubits may be measured, reset and named by barriers, for each gate that is allowed."""
CAP = 10**9
"""Largest count; larger ones are not told apart."""

MODIFIERS = frozenset({"ctrl", "negctrl", "inv", "pow"})
ASSIGNS = frozenset(
    {"=", *(f"{sign}=" for sign in ("+", "-", "*", "/", "%", "&", "|", "^", "~", "<<", ">>", "**"))}
)
SIGNS = frozenset("+-!~")
OPENING, CLOSING = frozenset("([{"), frozenset(")]}")

Statement = Sequence[Token]


@frozen
class Limits:
    """Largest programs that are parsed.

    Args:
        qubits: declared or physical ones.
        gates: gates that the program stands for.
        bits: classical bits.
        registers: declared registers.
        nesting: brackets within brackets, and signs in a row.
        statement: tokens of one statement; a barrier over 500 qubits has 2,000.
        power: exponent of a number or gate.
        modifiers: modifiers of one gate: each is a definition around the one before.
        controls: controls of one modifier.
        parameters: parameters of a gate definition.
        definitions: gates that are defined by others.
        root: operands of a gate to a power that is not an integer, which takes a matrix.
    """

    qubits: int
    gates: int
    bits: int = 10_000
    registers: int = 1000
    nesting: int = 32
    statement: int = 10_000
    power: int = 1000
    modifiers: int = 8
    controls: int = 64
    parameters: int = 64
    definitions: int = 32
    root: int = 8


def check_circuit_text(name: str, text: str, limits: Limits) -> None:
    """Refuse a circuit that is larger than the limits.

    Args:
        name: name of the file, for messages.
        text: OpenQASM 2 or 3; the reader refuses all else.
        limits: largest program that is parsed.

    Raises:
        CircuitFileError: naming the limit.
    """
    version = version_of(text)
    if version is not None and version[0] in "23":
        _Check(name, text, int(version[0]), limits).run()


@define
class _Definition:
    """A definition of a gate or subroutine that has begun.

    Args:
        name: what it defines.
        around: blocks that were open before it.
        sizes: sizes of the registers that are seen in it.
        gates: gates that it stands for so far, at least.
        depth: definitions within one another that its gates have.
    """

    name: str
    around: int
    sizes: Mapping[str, int]
    gates: int = 0
    depth: int = 0


@define
class _Check:
    """One pass over the statements of a program."""

    name: str
    text: str
    version: int
    limits: Limits
    blocks: list[int] = field(factory=lambda: [1], init=False)
    """Number of times that each open block is carried out, at least."""
    values: dict[str, Interval | None] = field(factory=dict, init=False)
    """Of constants and loop variables. What a name may be in any scope, it may be in all."""
    sizes: dict[str, int] = field(factory=dict, init=False)
    weights: dict[str, int] = field(factory=dict, init=False)
    depths: dict[str, int] = field(factory=dict, init=False)
    subroutines: set[str] = field(factory=set, init=False)
    definition: _Definition | None = field(default=None, init=False)
    statements: int = field(default=0, init=False)
    gates: int = field(default=0, init=False)
    touches: int = field(default=0, init=False)
    registers: int = field(default=0, init=False)
    bits: int = field(default=0, init=False)
    qubits: int = field(default=0, init=False)
    physical: int = field(default=0, init=False)

    def run(self) -> None:
        """Check the program, statement by statement."""
        statement: list[Token] = []
        depth = signs = 0
        in_set = False
        for token in tokens(self.text, self.version):
            word = token.text
            if token.kind == "symbol":
                depth = max(0, depth + (word in OPENING) - (word in CLOSING))
                signs = signs + 1 if word in SIGNS else 0
                if max(depth, signs) > self.limits.nesting:
                    self._refuse(f"nested deeper than {self.limits.nesting} levels", token)
                if word == "{" and statement[-1:] and statement[-1][:2] == ("keyword", "in"):
                    in_set = True
                elif word in ("{", "}", ";") and not in_set:
                    self._end(statement, word)
                    statement = []
                    continue
                elif word == "}":
                    in_set = False
            else:
                signs = 0
                self._check_word(token, _text(statement, len(statement) - 1))
            statement.append(token)
            if len(statement) > self.limits.statement:
                self._refuse(f"a statement is longer than {self.limits.statement:,} words", token)
        self._end(statement, ";")

    def _refuse(self, message: str, token: Token | None = None) -> NoReturn:
        where = f", {place(self.text, token.start)}" if token else ""
        raise CircuitFileError(f"{self.name}{where}: {message}")

    def _check_word(self, token: Token, before: str) -> None:
        if token.kind == "number":
            if len(token.text) > LONGEST_NUMBER:
                self._refuse(f"a number of {len(token.text)} digits is too large", token)
            if before == "**" and token.text.isdecimal() and int(token.text) > self.limits.power:
                self._refuse(f"powers up to {self.limits.power:,} are allowed", token)
        if token.kind == "physical":
            number = int(token.text[1 : 1 + len(str(CAP))])
            self.physical = max(self.physical, number + 1)
            self._check_qubits()

    def _end(self, statement: Statement, ending: str) -> None:
        """Count a statement, or the head of a block; a brace or semicolon ends it."""
        turns, rest = self._head(statement)
        times = min(CAP, turns * self.blocks[-1])
        if turns > 1 and times > MAX_TURNS:
            self._refuse(f"loops take more than {MAX_TURNS} turns", statement[0])
        # What a loop without turns holds is read, too.
        self.statements += max(1, times)
        most = 2 * self.limits.gates + 1000
        if self.statements > most:
            self._refuse(f"more than {most:,} statements")
        if ending == "{" and len(rest) > 1 and rest[0].text in ("gate", "def"):
            self._define(rest)
            return
        if ending == "{":
            self.blocks.append(times)
        elif rest:
            self._count(rest, times)
        if ending == "}":
            if len(self.blocks) > 1:
                self.blocks.pop()
            self._close()

    def _head(self, statement: Statement) -> tuple[int, Statement]:
        """Return how often a statement is carried out at least, and it without `if` and loops."""
        times, at = 1, 0
        while at < len(statement) and statement[at].kind == "keyword":
            word = statement[at].text
            if word in ("if", "while", "switch"):
                at = _after(statement, at + 1)
            elif word in ("else", "default", "box"):
                at = _after(statement, at + 1) if _text(statement, at + 1) == "[" else at + 1
            elif word == "for":
                turns, at = self._loop(statement, at)
                times = min(CAP, times * turns)
            elif word == "case":
                at = len(statement)
            else:
                break
        return times, statement[at:]

    def _loop(self, statement: Statement, at: int) -> tuple[int, int]:
        """Return how often a loop turns at least, and where its body begins."""
        while at < len(statement) and statement[at].text != "in":
            at += 1
        if _text(statement, at + 1) not in ("[", "{"):
            return 0, at + 2
        end = _after(statement, at + 1)
        found = turns_of(_texts(statement[at + 1 : end]), self.values)
        turns, values = found or (0, None)
        self._note(_text(statement, at - 1), values)
        return turns, end

    def _note(self, name: str, values: Interval | None) -> None:
        before = self.values.get(name, values)
        self.values[name] = None if before is None or values is None else hull([before, values])

    def _define(self, head: Statement) -> None:
        words = _texts(head)
        name = words[1]
        parameters = words[: words.index(")")] if ")" in words else []
        if parameters.count(",") >= self.limits.parameters:
            self._refuse(
                f"'{name[:40]}' has more than {self.limits.parameters} parameters", head[1]
            )
        sizes: Mapping[str, int] = {}
        if words[0] == "def":
            self.subroutines.add(name)
            # Arguments may be any number, and name registers of their own.
            self.values |= dict.fromkeys(words)
            sizes = {key: size for key, size in self.sizes.items() if key not in words}
        self.definition = _Definition(name, len(self.blocks), sizes)
        self.blocks.append(1)

    def _close(self) -> None:
        """Weigh a definition, if it has ended."""
        ended = self.definition
        if ended is None or len(self.blocks) > ended.around:
            return
        self.definition = None
        self.weights[ended.name] = max(1, ended.gates)
        self.depths[ended.name] = ended.depth + 1
        if ended.depth >= self.limits.definitions:
            self._refuse(f"gates are defined by others more than {self.limits.definitions} deep")

    def _count(self, statement: Statement, times: int) -> None:
        """Count what a simple statement declares, or the gates that it stands for."""
        word, words = statement[0].text, _texts(statement)
        if statement[0].kind == "keyword" and word not in MODIFIERS:
            if word in ("qubit", "qreg", "bit", "creg"):
                self._declare(word, statement, times)
            elif word in ("reset", "barrier", "measure"):
                self._touch(statement[1:], times)
            elif word == "include" and _text(statement, 1)[1:-1] not in INCLUDES[self.version]:
                self._refuse(
                    f"include {_text(statement, 1)[:40]}: only "
                    f"{' and '.join(INCLUDES[self.version])} can be included; write its gates out",
                    statement[0],
                )
            elif word == "const" and "=" in words:
                at = words.index("=")
                self._note(words[at - 1], interval_of(words[at + 1 :], self.values))
        elif "measure" in words:
            self._touch(statement, times)
        elif ASSIGNS.isdisjoint(words):
            self._call(statement, times)

    def _declare(self, word: str, statement: Statement, times: int) -> None:
        end = _after(statement, 1) if _text(statement, 1) == "[" else 1
        name = _text(statement, end)
        designator = statement[2 : end - 1]
        if word in ("qreg", "creg"):
            name, designator = _text(statement, 1), statement[3 : _after(statement, 2) - 1]
        found = interval_of(_texts(designator), self.values) if designator else None
        size = int(max(1, found[0])) if found else 1
        self.registers += times
        if self.registers > self.limits.registers:
            self._refuse(f"more than {self.limits.registers:,} registers")
        if word in ("bit", "creg"):
            self.bits += size * times
            if self.bits > self.limits.bits:
                self._refuse(f"declares {self.bits:,} bits; {self.limits.bits:,} are allowed")
        else:
            self.sizes[name] = size
            self.qubits += size
            self._check_qubits()

    def _check_qubits(self) -> None:
        qubits = max(self.qubits, self.physical)
        if qubits > self.limits.qubits:
            self._refuse(f"declares {qubits:,} qubits; {self.limits.qubits:,} are allowed")

    def _touch(self, operands: Statement, times: int) -> None:
        self.touches += (sum(self._widths(operands)) or 1) * times
        most = TOUCHES * self.limits.gates
        if self.touches > most:
            self._refuse(f"measures, resets and barriers name qubits more than {most:,} times")

    def _call(self, statement: Statement, times: int) -> None:
        """Count the gates that a call of a gate or subroutine stands for."""
        words = _texts(statement)
        at = len(words) - words[::-1].index("@") if "@" in words else 0
        called = _text(statement, at)
        operands = statement[
            _after(statement, at + 1) if _text(statement, at + 1) == "(" else at + 1 :
        ]
        weight = self.weights.get(called, 1) * self._powers(statement[:at], operands)
        if called not in self.subroutines:
            weight *= max(self._widths(operands), default=1)
        weight = min(CAP, times * weight)
        if self.definition is not None:
            ours = self.definition
            ours.gates = min(CAP, ours.gates + weight)
            ours.depth = max(ours.depth, self.depths.get(called, 0))
            return
        self.gates += weight
        if self.gates > self.limits.gates:
            self._refuse(f"stands for more than {self.limits.gates:,} gates")

    def _powers(self, modifiers: Statement, operands: Statement) -> int:
        """Return how often modifiers repeat their gate, and refuse those that are too large."""
        words = _texts(modifiers)
        if words.count("@") > self.limits.modifiers:
            self._refuse(f"more than {self.limits.modifiers} modifiers of a gate", modifiers[0])
        times = 1
        for at, token in enumerate(modifiers):
            if token.text not in MODIFIERS or _text(modifiers, at + 1) != "(":
                continue
            argument = words[at + 2 : _after(modifiers, at + 1) - 1]
            found = interval_of(argument, self.values)
            least = int(max(found[0], -found[1], 0)) if found else 1
            if token.text != "pow":
                if least > self.limits.controls:
                    self._refuse(f"more than {self.limits.controls} controls", token)
                continue
            if least > self.limits.power:
                self._refuse(f"powers up to {self.limits.power:,} are allowed", token)
            times = min(CAP, times * least)
            width = 1 + sum(operand.text == "," for operand in operands)
            if _is_fraction(argument) and width > self.limits.root:
                self._refuse(
                    f"a power of a gate on {width} qubits that is not a whole number; write the "
                    f"gate out, beyond {self.limits.root} qubits",
                    token,
                )
        return times

    def _widths(self, operands: Statement) -> list[int]:
        """Return the sizes of registers that are named as a whole or by ranges, at least."""
        sizes = self.sizes if self.definition is None else self.definition.sizes
        found = []
        for at, token in enumerate(operands):
            if token.text not in sizes:
                continue
            if _text(operands, at + 1) != "[":
                found.append(sizes[token.text])
                continue
            part = _texts(operands[at + 1 : _after(operands, at + 1)])
            turns = turns_of(part, self.values) if ":" in part else None
            found.append(max(1, turns[0]) if turns else 1)
        return found


def _texts(statement: Statement) -> list[str]:
    return [token.text for token in statement]


def _text(statement: Statement, at: int) -> str:
    return statement[at].text if 0 <= at < len(statement) else ""


def _is_fraction(argument: Sequence[str]) -> bool:
    bare = argument[1:] if argument[:1] == ["-"] else argument
    return len(bare) == 1 and bare[0][0] in ".0123456789" and not bare[0].isdecimal()


def _after(statement: Statement, at: int) -> int:
    """Return the place after the bracket that closes the one at a place."""
    depth = 0
    for n in range(at, len(statement)):
        word = statement[n].text
        depth += (word in OPENING) - (word in CLOSING)
        if depth <= 0:
            return n + 1
    return len(statement)
