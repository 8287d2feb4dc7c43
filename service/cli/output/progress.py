"""Progress on stderr: of backends that take long, and of searches that are not compiled yet."""

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic

from service.cli.output.printing import say

PAUSE_SECONDS = 5.0


@contextmanager
def backend_progress(pause: float = PAUSE_SECONDS) -> Iterator[None]:
    """Say what backends log about long runs, so that it does not bury what else is said.

    Args:
        pause: seconds before the first line and between two.
    """

    class Say(logging.Handler):
        told = monotonic()

        def emit(self, record: logging.LogRecord) -> None:
            if monotonic() - self.told >= pause:
                say(record.getMessage())
                self.told = monotonic()

    logger, handler = logging.getLogger("backends"), Say(logging.INFO)
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
    """Say that searches are compiled to machine code first, if none of a room's has been.

    Where Numba keeps it elsewhere, nothing is known, and nothing is said.

    Args:
        room: `compiler` or `games`.
        root: where the rooms are.
    """
    folder = root / room
    elsewhere = "NUMBA_CACHE_DIR" in os.environ or not os.access(folder, os.W_OK)
    if elsewhere or any(folder.rglob(COMPILED)):
        return
    say(
        "the searches are not compiled to machine code yet: what needs them takes a minute or two "
        "longer, once on this machine ('python -m workers.compilation.searches' does all of it)"
    )
