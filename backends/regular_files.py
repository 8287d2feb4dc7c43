"""Reading a file that a user names, which may be anything that a file system has."""

import errno
import os
import stat
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from compiler.errors import InputError, nearest

MAX_NAMES = 2000
"""Files of a folder among which one is looked for that may have been meant."""


def read_regular_file(path: Path, most_bytes: int) -> bytes:
    """Return a file's contents.

    Args:
        path: where it is; neither a pipe without a writer nor a device without an end holds the
            caller up.
        most_bytes: that it may have.

    Raises:
        OSError: if it cannot be read, is no regular file, or is larger than that; its `strerror`
            says so.
    """
    try:
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except FileNotFoundError as error:
        raise FileNotFoundError(
            errno.ENOENT, f"{os.strerror(errno.ENOENT)}{meant_file(path)}", str(path)
        ) from error
    except ValueError as error:
        raise OSError(errno.EINVAL, "not a file's name", str(path)) from error
    with os.fdopen(opened, "rb") as file:
        kind = os.fstat(opened).st_mode
        if stat.S_ISDIR(kind):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if not stat.S_ISREG(kind):
            raise OSError(errno.EINVAL, "not a regular file", str(path))
        content = file.read(most_bytes + 1)
    if len(content) > most_bytes:
        raise OSError(errno.EFBIG, f"more than {most_bytes:,} bytes", str(path))
    return content


def read_input(path: Path, most_bytes: int) -> bytes:
    """Return the contents of a file that a user names; see `read_regular_file`.

    Raises:
        InputError: if it cannot be read.
    """
    try:
        return read_regular_file(path, most_bytes)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


def meant_file(path: Path) -> str:
    """Return a hint at the file that is named most alike; empty if none is.

    It is in the same folder, or of the same name in the folder that is named most alike.
    """
    if path.parent.is_dir():
        near = _nearest(path, os.DirEntry.is_file)
    else:
        folder = _nearest(path.parent, os.DirEntry.is_dir)
        near = folder and folder / path.name
    return f"; did you mean '{near}'?" if near and near.is_file() else ""


def _nearest(path: Path, is_one: Callable[[os.DirEntry[str]], bool]) -> Path | None:
    """Return the path of the same folder that is named most alike, of those that are meant."""
    try:
        with os.scandir(path.parent) as entries:
            names = [entry.name for entry in islice(entries, MAX_NAMES) if is_one(entry)]
    except OSError:
        return None
    near = nearest(path.name, names, alike=0.85)
    return path.with_name(near) if near else None
