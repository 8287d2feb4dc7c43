"""Files that commands write where the user says."""

import errno
import os
from collections.abc import Sequence
from pathlib import Path

from compiler.errors import InputError


def output_path(what: str, text: str, suffixes: Sequence[str]) -> Path:
    """Return where a file is to be written, checked before anything is computed.

    Args:
        what: it is, for messages.
        text: the path that a user has given.
        suffixes: of which its name must have one.

    Raises:
        InputError: if it cannot be written there.
    """
    path = Path(text)
    if path.suffix not in suffixes:
        raise InputError(f"{what} '{text}': must end in {' or '.join(suffixes)}")
    try:
        if not path.parent.is_dir():
            raise InputError(f"{what} '{text}': there is no folder '{path.parent}'")
        if path.is_dir():
            raise InputError(f"{what} '{text}': is a folder")
    except OSError as error:
        raise InputError(f"{what} '{text}': {error.strerror}") from error
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise InputError(f"{what} '{text}': {os.strerror(errno.EACCES)}")
    return path


def write_output(what: str, path: Path, content: bytes) -> None:
    """Write a file; a pipe that nobody reads does not hold the writer up.

    Raises:
        InputError: if it cannot be written.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
    try:
        opened = os.open(path, flags, 0o666)
        os.set_blocking(opened, True)
        with os.fdopen(opened, "wb") as file:
            file.write(content)
    except OSError as error:
        reason = "nobody reads this pipe" if error.errno == errno.ENXIO else error.strerror
        raise InputError(f"{what} '{path}': cannot be written: {reason}") from error
