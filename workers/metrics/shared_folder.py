"""Where the processes of one worker count together."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from compiler.errors import InputError

VARIABLE = "PROMETHEUS_MULTIPROC_DIR"
"""Where prometheus_client looks for a folder when it is imported."""


@contextmanager
def shared_folder() -> Iterator[Path]:
    """Make an empty folder in which this worker's processes count, until the block ends.

    To be entered before prometheus_client is imported; processes started later inherit it.

    Raises:
        InputError: if there is no place for it.
    """
    try:
        folder = Path(tempfile.mkdtemp(prefix="stichwerk-metrics-"))
    except OSError as error:
        raise InputError(f"metrics need a folder for temporary files: {error}") from error
    os.environ[VARIABLE] = str(folder)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
