"""Programs and expectations in files of the user's own."""

import atexit
from functools import cache
from pathlib import Path
from subprocess import DEVNULL

from backends.regular_files import read_input
from compiler.errors import CircuitFileError, InputError
from compiler.expectation import Expectation, expectation_from_json
from compiler.formats.circuit_files import circuit_from_qpy, read_qpy
from compiler.formats.input_warnings import warn
from compiler.formats.parameter_values import Values, values_from_json
from compiler.formats.qpy_losses import qpy_losses
from compiler.formats.text_content import text_of
from games.sources import CIRCUITS, Source
from workers.sandbox.memory import share
from workers.sandbox.sandbox import SINGLE_THREADED, CallDiedError, Sandbox, TooMuchMemoryError

MAX_BYTES = 100_000_000
MAX_EXPECTED_BYTES = 16_000_000

QPY_MEMORY = 256 << 20, 512
"""Memory for a QPY file: so many bytes, and so many for each byte of it. Qiskit believes the
numbers in it, so that some hundred bytes may ask for all memory and hours."""

QPY_CPU_SECONDS = 4, 1e-5
"""Processor time for a QPY file, likewise. Files of 2 MB with the widest gates take 2 s."""


def read_source_file(path: Path) -> Source:
    """Return the program of a file; its suffix is the format.

    Raises:
        InputError: if it cannot be read.
    """
    content = read_input(path, MAX_BYTES)
    if path.suffix == ".qpy":
        for loss in _losses(path.name, content):
            warn(f"{path.name}: {loss}")
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


def _losses(name: str, content: bytes) -> list[str]:
    """Return the losses of a QPY file, read in a process with bounded memory and time.

    Raises:
        CircuitFileError: if it is no circuit, takes too much memory or time, or crashes its reader.
    """
    memory, seconds = (least + each * len(content) for least, each in (QPY_MEMORY, QPY_CPU_SECONDS))
    try:
        return _qpy_reader().call(
            losses_of, name, content, most_bytes=int(min(memory, share(1))), cpu_seconds=seconds
        )
    except (TooMuchMemoryError, CallDiedError) as error:
        raise CircuitFileError(
            f"{name}: cannot be read as QPY: {len(content):,} bytes take too much memory or time: "
            "the file is damaged; copy it again, or write it again"
        ) from error


@cache
def _qpy_reader() -> Sandbox:
    """Return the process that reads QPY files first; it ends with this one."""
    first = f"{__name__}:{warm_up.__name__}"
    reader = Sandbox(first, variables=SINGLE_THREADED, stderr=DEVNULL)
    atexit.register(reader.end)
    return reader


def warm_up() -> None:
    """Import all that reading takes, whose memory then counts for no file."""


def losses_of(name: str, content: bytes) -> list[str]:
    """Return the losses of a QPY file whose circuit can be used.

    Raises:
        CircuitFileError: as `circuit_from_qpy` does.
    """
    circuit_from_qpy(content, name)
    return qpy_losses(content, read_qpy(content, name))


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
