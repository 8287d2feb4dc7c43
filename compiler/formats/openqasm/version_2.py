"""Programs in OpenQASM 2, read by Qiskit's parser.

The parser is told which names the program declares itself. Its messages get the line of the
program and what to do. Definitions of gates are computed after it; errors in them are reported at
the statement that applies the gate.
"""

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise

from qiskit import QuantumCircuit, qasm2
from qiskit.circuit import CircuitInstruction, Delay, IfElseOp
from qiskit.circuit.classical import expr
from qiskit.circuit.library import IGate

from compiler.errors import CircuitFileError
from compiler.formats.openqasm.tokens import Token, check_width, checked_tokens, place
from compiler.formats.plain_gates import plain

MAX_CONDITION = (1 << 63) - 1
MAX_INDEX_DIGITS = 18
"""Digits of an index or size, beyond which Qiskit's parser stops the process."""

IDLE = (
    qasm2.CustomInstruction("u0", 1, 1, lambda _: IGate(), builtin=True),
    qasm2.CustomInstruction("delay", 1, 1, lambda _: Delay(0)),
)
"""Idle gates of any length; Qiskit's own refuse fractions, and are as many gates as they last."""

REGISTERS = ("qreg", "creg")
NO_OPERATIONS = frozenset({"OPENQASM", "include", "gate", "opaque", *REGISTERS})
PLACE = re.compile(r"<input>:(\d+),(\d+): ")
PLACED = re.compile(r"line \d+, column \d+: ")
UNDEFINED = re.compile(r"cannot use non-builtin custom instruction (\S+) before definition")
OTHER_PARAMETERS = "choose other parameters"
HINTS: Mapping[str, str] = {
    "not defined": 'include "qelib1.inc", or define it',
    "custom instruction": "use the gate's parameters, numbers and pi only",
    "already defined": "choose another name, and include a file once",
    "out-of-range": "count from 0",
    "duplicate qubits": "name each qubit once",
    "unable to find": "write its definitions into this file",
    "broadcast": "use registers of one size",
    "capital letters": "begin it with a small letter",
    "non-ASCII": "use ASCII only",
    "valid tokens": "keep to OpenQASM 2, or declare version 3.0",
    "but got": "give as many",
    "divide by zero": OTHER_PARAMETERS,
    "undefined for": OTHER_PARAMETERS,
    "constant folding": OTHER_PARAMETERS,
    "negative base": OTHER_PARAMETERS,
    "has the angle": OTHER_PARAMETERS,
}
"""Remedies by a part of the message."""


def read_openqasm_2(text: str) -> QuantumCircuit:
    """Return the circuit of an OpenQASM 2 program, as gates whose class defines them.

    Gates that the program defines keep their definition: Qiskit would take its own gate of that
    name instead.

    Raises:
        CircuitFileError: if it is malformed or invalid, includes another file, holds too large a
            number, or declares too much.
    """
    tokens = list(checked_tokens(text, 2))
    sizes = _checked_sizes(text, tokens)
    statements = list(_statements(tokens))
    own = {
        token.text
        for before, token in pairwise(tokens)
        if before.text in ("gate", "opaque", *REGISTERS)
        and (before.text, token.text) != ("opaque", "delay")
    }
    idle = {gate.name for gate in IDLE}
    legacy = [gate for gate in qasm2.LEGACY_CUSTOM_INSTRUCTIONS if gate.name not in idle]
    gates = [gate for gate in (*legacy, *IDLE) if gate.name not in own]
    try:
        circuit = _loads(text, gates)
    except CircuitFileError as error:
        if PLACED.match(str(error)):
            raise
        # A definition that a condition needs at once: its statement is the first to fail.
        first = bisect_left(statements, True, key=lambda each: _fails(text, each, gates))
        raise _at(text, statements[first], str(error)) from error
    return _plain(circuit, text, statements, sizes)


def _loads(text: str, gates: Sequence[qasm2.CustomInstruction]) -> QuantumCircuit:
    """Return what Qiskit's parser reads.

    Raises:
        CircuitFileError: with what to do, and with the place if the parser knows it.
    """
    try:
        return qasm2.loads(text, include_path=(), custom_instructions=gates)
    except qasm2.QASM2ParseError as error:
        message = PLACE.sub(lambda at: f"line {at[1]}, column {int(at[2]) + 1}: ", error.message)
        message = UNDEFINED.sub(r"gate \1 is not defined", message)
        raise CircuitFileError(_with_hint(message)) from error


def _fails(text: str, last: Sequence[Token], gates: Sequence[qasm2.CustomInstruction]) -> bool:
    """Return whether a program cannot be read up to a statement."""
    try:
        _loads(text[: last[-1].start + 1], gates)
    except CircuitFileError:
        return True
    return False


def _at(text: str, statement: Sequence[Token], message: str) -> CircuitFileError:
    return CircuitFileError(f"{place(text, statement[0].start)}: {message}")


def _checked_sizes(text: str, tokens: Sequence[Token]) -> dict[str, int]:
    """Return the sizes of all registers by name, all of which are small enough."""
    total, sizes, kind, name = dict.fromkeys(REGISTERS, 0), dict[str, int](), "", ""
    for before, token in pairwise(tokens):
        if before.text == "[" and len(token.text) > MAX_INDEX_DIGITS:
            raise CircuitFileError(
                f"{place(text, token.start)}: a number of {len(token.text)} digits is too large; "
                "write a smaller one"
            )
        if before.text in REGISTERS:
            kind, name = before.text, token.text
        elif before.text in (";", "{", "}"):
            kind = ""
        if before.text == "[" and kind and token.text.isdecimal():
            sizes[name] = int(token.text)
            total[kind] += sizes[name]
            check_width(*total.values())
    return sizes


def _statements(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Yield the statements outside of gates' definitions, which are one statement each."""
    statement: list[Token] = []
    depth = 0
    for token in tokens:
        statement.append(token)
        depth += (token.text == "{") - (token.text == "}")
        if not depth and token.text in (";", "}"):
            yield statement
            statement = []


def _plain(
    circuit: QuantumCircuit,
    text: str,
    statements: Sequence[Sequence[Token]],
    sizes: Mapping[str, int],
) -> QuantumCircuit:
    """Return a circuit in plain gates; errors name the statement that applies the gate."""
    current: Sequence[Token] = ()

    def items() -> Iterator[CircuitInstruction]:
        nonlocal current
        begin = 0
        for current in statements:
            end = begin + _operations(current, sizes)
            operations = circuit.data[begin:end]
            if end - begin > 1 and _overwrites_condition(current):
                operations = [_measured_at_once(operations)]
            narrow = map(_in_narrow_numbers, operations)
            yield from (item for item in narrow if item is not None)
            begin = end

    try:
        return plain(circuit, items())
    except (CircuitFileError, qasm2.QASM2ParseError) as error:
        reason = getattr(error, "message", None) or str(error)
        raise _at(text, current, _with_hint(reason)) from error


def _overwrites_condition(statement: Sequence[Token]) -> bool:
    """Return whether a statement measures into the register that decides about it."""
    match [token.text for token in statement]:
        case ["if", "(", register, "==", _, ")", "measure", _, "->", target, ";"]:
            return register == target
    return False


def _measured_at_once(items: Sequence[CircuitInstruction]) -> CircuitInstruction:
    """Return measurements of a register under one condition, which reads it before.

    Qiskit's parser makes each bit's measurement an operation with a condition of its own.
    """
    condition = items[0].operation.condition
    register = condition[0]
    qubits = [item.qubits[0] for item in items]
    body = QuantumCircuit(qubits, register)
    body.measure(qubits, register)
    return CircuitInstruction(IfElseOp(condition, body), qubits, list(register))


def _in_narrow_numbers(item: CircuitInstruction) -> CircuitInstruction | None:
    """Return an operation whose condition QPY can hold; None if it never holds.

    QPY's numbers have 64 bits: a register with a larger value is compared bit by bit.
    """
    if not isinstance(item.operation, IfElseOp):
        return item
    register, value = item.operation.condition
    if value <= MAX_CONDITION:
        return item
    if value >> len(register):
        return None
    bits = (
        expr.lift(bit) if value >> place & 1 else expr.logic_not(bit)
        for place, bit in enumerate(register)
    )
    condition = reduce(expr.logic_and, bits)
    return item.replace(operation=IfElseOp(condition, *item.operation.blocks))


def _operations(statement: Sequence[Token], sizes: Mapping[str, int]) -> int:
    """Return the number of operations that a statement stands for."""
    if statement[0].text in NO_OPERATIONS:
        return 0
    if statement[0].text == "barrier":
        return 1
    condition = 6 if statement[0].text == "if" else 0
    registers = [
        sizes[token.text]
        for token, after in pairwise(statement[condition:])
        if token.text in sizes and after.text != "["
    ]
    return max(registers, default=1)


def _with_hint(message: str) -> str:
    hint = next((hint for part, hint in HINTS.items() if part in message), None)
    return message if hint is None or ";" in message else f"{message}; {hint}"
