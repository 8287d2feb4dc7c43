"""Programs in files of the user's own: read whole, and refused by their text if that must be.

Who works here may ask for far more than a stranger over HTTP
(`workers.untrusted_programs.text_checks`). Only what no target could ever hold, or what would
bring a parser down, is not even parsed.
"""

from pathlib import Path

from backends.regular_files import read_regular_file
from compiler.errors import CircuitFileError, InputError
from compiler.expectation import Expectation, expectation_from_json
from compiler.formats.circuit_files import read_qpy
from compiler.formats.input_warnings import warn
from compiler.formats.qpy_losses import qpy_losses
from compiler.formats.text_content import text_of
from compiler.targets.target import MAX_QUBITS
from games.sources import Source
from workers.untrusted_programs.circuit_sizes import Limits, check_circuit_text

MOST_BYTES = 100_000_000
MOST_EXPECTED_BYTES = 16_000_000
LIMITS = Limits(
    qubits=MAX_QUBITS, gates=10_000_000, bits=100_000, registers=100_000, nesting=200,
    statement=1_000_000, power=1_000_000, modifiers=200, controls=MAX_QUBITS, parameters=10_000,
    definitions=200, root=MAX_QUBITS,
)  # fmt: skip


def read_source_file(path: Path) -> Source:
    """Return the program of a file whose name says what it is.

    Raises:
        InputError: if it cannot be read, or must not be parsed.
    """
    try:
        content = read_regular_file(path, MOST_BYTES)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    if path.suffix == ".qasm":
        check_circuit_file(path.name, content)
    if path.suffix == ".qpy":
        _warn_of_losses(path.name, content)
    return Source(path.name, content)


def _warn_of_losses(name: str, content: bytes) -> None:
    try:
        losses = qpy_losses(content, read_qpy(content, name))
    except CircuitFileError:
        # Refused when it is read as a program.
        return
    for loss in losses:
        warn(f"{name}: {loss}")


def read_expectation_file(path: Path) -> Expectation:
    """Return what the outcomes of a circuit are expected to be; see `compiler.expectation`.

    Raises:
        InputError: if it cannot be read, or is no distribution.
    """
    try:
        content = read_regular_file(path, MOST_EXPECTED_BYTES)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error
    return expectation_from_json(text_of(content, str(path)), path.name)


def check_circuit_file(name: str, content: bytes) -> None:
    """Refuse an OpenQASM file that declares or stands for more than anything here can hold.

    Raises:
        CircuitFileError: saying what is too much, or that it is no text.
    """
    check_circuit_text(name, text_of(content, name, CircuitFileError), LIMITS)
