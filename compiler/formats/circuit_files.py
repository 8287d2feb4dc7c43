"""Circuits of the user's own: OpenQASM 2 and 3, and QPY."""

import io
import struct

from qiskit import QuantumCircuit, __version__, qpy
from qiskit.circuit import Barrier, Measure

from compiler.errors import CircuitFileError
from compiler.formats.input_warnings import warn
from compiler.formats.openqasm.tokens import check_width, version_of
from compiler.formats.openqasm.version_2 import read_openqasm_2
from compiler.formats.plain_gates import plain
from compiler.formats.qpy_losses import with_inverses

LONGEST_REASON = 300
LONGEST_TOKEN = 40
LIBRARY_2 = '"qelib1.inc"'
MAGIC = b"QISKIT"
DAMAGED = (
    "binary parsing error", "failed to fill", "could not parse", "memory allocation", "npy",
    "missing key", "invalid bit reference", "capacity",
)  # fmt: skip
"""Words of Qiskit's errors about bytes that make no sense."""


def circuit_from_qasm(text: str, name: str) -> QuantumCircuit:
    """Read an OpenQASM 2 or 3 program, as gates whose class defines them.

    Args:
        text: the program; its first statement names its version, which is 3 by default.
        name: of the circuit, also in messages.

    Raises:
        CircuitFileError: if it is malformed, or has no gates.
    """
    version = version_of(text)
    if version is None:
        # Only OpenQASM 3 may leave it out, and it has no such file.
        if other := "2.0" if LIBRARY_2 in text else "" if text.strip() else "3.0":
            raise CircuitFileError(f"{name}: no OPENQASM statement; begin with 'OPENQASM {other};'")
        version = "3"
    major, _, minor = version.partition(".")
    if (major, minor) not in (("2", "0"), ("2", "")) and major != "3":
        raise CircuitFileError(
            f"{name}: unknown version of OpenQASM: {version[:LONGEST_TOKEN]}; write 2.0, 3.0 or 3.1"
        )
    problem = f"{name}: cannot be read as OpenQASM {major}"
    # Its parser takes half as long to import as all of Qiskit.
    from compiler.formats.openqasm.version_3 import read_openqasm_3

    try:
        if major == "2":
            circuit = read_openqasm_2(text)
        else:
            circuit = plain(read_openqasm_3(text, lambda message: warn(f"{name}: {message}")))
    except MemoryError:
        raise
    except Exception as error:
        raise CircuitFileError(f"{problem}: {_line(error)}") from error
    return _checked(circuit, name)


def circuit_from_qpy(data: bytes, name: str) -> QuantumCircuit:
    """Read the one circuit of a user's QPY file, as gates whose class defines them.

    Raises:
        CircuitFileError: if it is malformed, holds several circuits, has no gates, or one without
            a definition.
    """
    circuit = read_qpy(data, name)
    try:
        check_width(circuit.num_qubits, circuit.num_clbits)
        circuit = plain(circuit)
    except CircuitFileError as error:
        raise CircuitFileError(f"{name}: {error}") from error
    except MemoryError:
        raise
    except Exception as error:
        # Branches and gates that do not fit are found when they are taken apart.
        reason = f"damaged: {_line(error)}; copy it again, or write it again"
        raise CircuitFileError(f"{name}: cannot be read as QPY: {reason}") from error
    return _checked(circuit, name)


def read_qpy(data: bytes, name: str) -> QuantumCircuit:
    """Read the one circuit of QPY data, with any contents.

    Raises:
        CircuitFileError: if it is malformed or holds several circuits.
    """
    circuits = read_circuits(data, name)
    if len(circuits) != 1:
        raise CircuitFileError(f"{name}: {len(circuits)} circuits in one QPY file; give one")
    return circuits[0]


def read_circuits(data: bytes, name: str) -> list[QuantumCircuit]:
    """Read all circuits of QPY data, without any check of their contents.

    Raises:
        CircuitFileError: if it is malformed.
    """
    problem = f"{name}: cannot be read as QPY"
    if data[: len(MAGIC)] != MAGIC:
        raise CircuitFileError(f"{problem}: it does not begin with QISKIT; write it with qpy.dump")
    newest = qpy.QPY_VERSION
    if len(data) > len(MAGIC) and data[len(MAGIC)] > newest:
        raise CircuitFileError(
            f"{problem}: version {data[len(MAGIC)]}, and Qiskit {__version__} reads up to "
            f"{newest}; write it with qpy.dump(circuit, file, version={newest})"
        )
    try:
        circuits: list[QuantumCircuit] = qpy.load(io.BytesIO(with_inverses(data)))
    except MemoryError:
        raise
    except Exception as error:
        raise CircuitFileError(f"{problem}: {_qpy_reason(error, len(data))}") from error
    return circuits


def qpy_bytes(circuit: QuantumCircuit) -> bytes:
    """Return a circuit as a QPY file."""
    buffer = io.BytesIO()
    qpy.dump(circuit, buffer)
    return buffer.getvalue()


def _checked(circuit: QuantumCircuit, name: str) -> QuantumCircuit:
    if all(isinstance(item.operation, Measure | Barrier) for item in circuit.data):
        raise CircuitFileError(f"{name}: the circuit has no gates; there is nothing to compile")
    circuit.name = name
    return circuit


def _line(error: Exception) -> str:
    """Return an error's message in one line."""
    line = " ".join(str(getattr(error, "message", None) or error).split()) or type(error).__name__
    return line[:LONGEST_REASON]


def _qpy_reason(error: Exception, size: int) -> str:
    # Qiskit appends a backtrace.
    text = " ".join(str(getattr(error, "message", None) or error).partition("╺")[0].split())
    # Names in a damaged file may hold what is no character.
    text = text.encode("ascii", "replace").decode()
    damaged = any(word in text.lower() for word in DAMAGED)
    if damaged or isinstance(error, struct.error | EOFError | UnicodeError):
        return f"damaged or cut off after {size:,} bytes; copy it again, or write it again"
    if "symengine" in text:
        return "it holds formulas of symengine; write it with qpy.dump(…, use_symengine=False)"
    text = text.rstrip(".")[:LONGEST_REASON] or type(error).__name__
    return (
        f"{text}; decompose the circuit before it is written, as in "
        "qpy.dump(circuit.decompose(reps=9), file)"
    )
