"""What backends say of long runs, on stderr."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
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
