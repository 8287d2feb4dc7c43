"""Programs and expectations in files of the user's own."""

from pathlib import Path

from backends.regular_files import read_input
from compiler.errors import CircuitFileError, InputError
from compiler.expectation import Expectation, expectation_from_json
from compiler.formats.circuit_files import read_qpy
from compiler.formats.input_warnings import warn
from compiler.formats.parameter_values import Values, values_from_json
from compiler.formats.qpy_losses import qpy_losses
from compiler.formats.text_content import text_of
from games.sources import CIRCUITS, Source

MAX_BYTES = 100_000_000
MAX_EXPECTED_BYTES = 16_000_000


def read_source_file(path: Path) -> Source:
    """Return the program of a file; its suffix is the format.

    Raises:
        InputError: if it cannot be read.
    """
    content = read_input(path, MAX_BYTES)
    if path.suffix == ".qpy":
        _warn_of_losses(path.name, content)
    return Source(path.name, content)


def circuit_files(path: Path) -> list[Path]:
    """Return the circuit file of a path, or all circuit files of a folder.

    Raises:
        InputError: if there are none.
    """
    if not path.is_dir():
        if path.suffix not in CIRCUITS:
            raise InputError(f"{path}: no circuit and no folder; name {' or '.join(CIRCUITS)}")
        return [path]
    files = sorted(file for file in path.rglob("*") if file.suffix in CIRCUITS and file.is_file())
    if not files:
        raise InputError(f"{path}: the folder holds no {' or '.join(CIRCUITS)}")
    return files


def _warn_of_losses(name: str, content: bytes) -> None:
    try:
        losses = qpy_losses(content, read_qpy(content, name))
    except CircuitFileError:
        # Refused when it is read as a program.
        return
    for loss in losses:
        warn(f"{name}: {loss}")


def read_values_file(path: Path) -> list[Values]:
    """Return the values of parameters in a file; see `compiler.formats.parameter_values`.

    Raises:
        InputError: if it cannot be read, or holds something else.
    """
    return values_from_json(_text(path), path.name)


def read_expectation_file(path: Path) -> Expectation:
    """Return the expected distribution of a circuit; see `compiler.expectation`.

    Raises:
        InputError: if it cannot be read, or is no distribution.
    """
    return expectation_from_json(_text(path), path.name)


def _text(path: Path) -> str:
    return text_of(read_input(path, MAX_EXPECTED_BYTES), str(path))
