"""Circuits of the user's own: OpenQASM 2 and 3, and QPY."""

import io
import re

from qiskit import QuantumCircuit, qasm3, qpy
from qiskit.circuit import Barrier, Measure

from compiler.errors import CircuitFileError
from compiler.formats.plain_gates import plain

LONGEST_REASON = 300
LONGEST_TOKEN = 40

_VERSION = re.compile(r"^\s*OPENQASM\s+(\d)", re.MULTILINE)


def circuit_from_qasm(text: str, name: str) -> QuantumCircuit:
    """Read an OpenQASM 2 or 3 program, as gates whose class says what they do.

    Args:
        text: the program; its first statement says which version it is.
        name: what the circuit will be called, also in messages.

    Raises:
        CircuitFileError: if it is malformed, or has no gates.
    """
    version = _VERSION.search(text)
    if version is None:
        raise CircuitFileError(f"{name}: no OPENQASM statement; begin with 'OPENQASM 3.0;'")
    # Its parser takes half as long to import as all of Qiskit.
    from compiler.formats.openqasm import read_openqasm_2
    from compiler.formats.openqasm3 import read_openqasm_3

    try:
        circuit = read_openqasm_2(text) if version[1] == "2" else read_openqasm_3(text)
    except Exception as error:
        raise CircuitFileError(
            f"{name}: cannot be read as OpenQASM {version[1]}: {_line(error)}"
        ) from error
    return _checked(circuit, name)


def circuit_from_qpy(data: bytes, name: str) -> QuantumCircuit:
    """Read the one circuit of a user's QPY file, as gates whose class says what they do.

    Raises:
        CircuitFileError: if it is malformed, holds several circuits, has no gates, or one without
            a definition.
    """
    return _checked(read_qpy(data, name), name)


def read_qpy(data: bytes, name: str) -> QuantumCircuit:
    """Read the one circuit of QPY data, whatever it holds.

    Raises:
        CircuitFileError: if it is malformed or holds several circuits.
    """
    try:
        circuits = qpy.load(io.BytesIO(data))
    except Exception as error:
        raise CircuitFileError(f"{name}: cannot be read as QPY: {_line(error)}") from error
    if len(circuits) != 1:
        raise CircuitFileError(f"{name}: {len(circuits)} circuits in one QPY file; give one")
    circuit: QuantumCircuit = circuits[0]
    return circuit


def qasm3_text(circuit: QuantumCircuit) -> str:
    """Return a circuit as OpenQASM 3; physical qubits, where it is on such, are `$0`, `$1`."""
    return qasm3.dumps(circuit)


def qpy_bytes(circuit: QuantumCircuit) -> bytes:
    """Return a circuit as a QPY file."""
    buffer = io.BytesIO()
    qpy.dump(circuit, buffer)
    return buffer.getvalue()


def _checked(circuit: QuantumCircuit, name: str) -> QuantumCircuit:
    if circuit.parameters:
        free = ", ".join(sorted(p.name for p in circuit.parameters))
        raise CircuitFileError(f"{name}: unbound parameters {free}; bind them to numbers")
    try:
        made = plain(circuit)
    except CircuitFileError as error:
        raise CircuitFileError(f"{name}: {error}") from error
    if all(isinstance(item.operation, Measure | Barrier) for item in made.data):
        raise CircuitFileError(f"{name}: the circuit has no gates; there is nothing to compile")
    made.name = name
    return made


def _line(error: Exception) -> str:
    """Return an error's message in one line, without the backtrace that QPY's parser appends."""
    message = str(getattr(error, "message", None) or error).partition("╺")[0]
    line = " ".join(message.split()) or _unexpected(error) or type(error).__name__
    return line[:LONGEST_REASON]


def _unexpected(error: Exception) -> str | None:
    """Return where OpenQASM 3's parser gave up, which it tells as the cause of its cause only."""
    stopped = getattr(error.__cause__, "args", None) or [None]
    token = getattr(stopped[0], "offendingToken", None)
    if token is None:
        return None
    what = "end" if token.text == "<EOF>" else f"'{token.text[:LONGEST_TOKEN]}'"
    return f"line {token.line}, column {token.column + 1}: unexpected {what}"
