"""The folder in which the processes of one worker count together."""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from compiler.errors import InputError

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that prometheus_client reads when it is imported."""
PREFIX = "stichwerk-metrics-"
OWNED = "owned"
"""File in such a folder that is locked for as long as a process of its worker is alive."""


@contextmanager
def shared_folder() -> Iterator[Path]:
    """Make an empty folder in which this worker's processes count, until the block ends.

    To be entered before prometheus_client is imported; processes started later inherit it.
    Folders that workers have left behind, because they were killed, are removed.

    Raises:
        InputError: if there is no place for it.
    """
    try:
        _remove_abandoned(Path(tempfile.gettempdir()))
        folder, lock = _owned_folder()
    except OSError as error:
        raise InputError(f"metrics need a folder for temporary files: {error}") from error
    os.environ[VARIABLE] = str(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(lock)


def _owned_folder() -> tuple[Path, int]:
    """Return a new folder, and its open lock."""
    while True:
        folder = Path(tempfile.mkdtemp(prefix=PREFIX))
        lock = os.open(folder / OWNED, os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(lock, fcntl.LOCK_EX)
        # A process that removes abandoned folders may have had it before it was locked.
        if (folder / OWNED).exists():
            return folder, lock
        os.close(lock)


def _remove_abandoned(place: Path) -> None:
    """Remove the folders whose locks are free.

    Process numbers do not decide: those of another container are unknown here.
    """
    for folder in place.glob(f"{PREFIX}*"):
        # Another user's, one that is being made, or removed at this moment.
        with suppress(OSError):
            lock = os.open(folder / OWNED, os.O_RDWR | os.O_NOFOLLOW)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                shutil.rmtree(folder, ignore_errors=True)
            finally:
                os.close(lock)
