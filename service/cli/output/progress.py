"""Progress on stderr: of backends that take long, and of searches that are not compiled yet."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from service.cli.output.printing import progress, say
from workers.logs import Interim


@contextmanager
def backend_progress() -> Iterator[None]:
    """Show log lines of backends about long runs as progress."""

    class Show(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            progress(Interim(record.getMessage()))

    logger, handler = logging.getLogger("backends"), Show(logging.INFO)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


ROOT = Path(__file__).parents[3]
COMPILED = "__pycache__/*.nbi"
"""Pattern of the index files of Numba's cache."""


def say_if_first(room: str, root: Path = ROOT) -> None:
    """Announce that searches are compiled to machine code first, if none of a package's is.

    Where Numba stores them elsewhere, nothing is known, and nothing is announced.

    Args:
        room: `compiler` or `games`.
        root: where the rooms are.
    """
    folder = root / room
    elsewhere = "NUMBA_CACHE_DIR" in os.environ or not os.access(folder, os.W_OK)
    if elsewhere or any(folder.rglob(COMPILED)):
        return
    say(
        "compiling search routines to machine code, once on this machine; this call takes a minute "
        "or two longer"
    )
