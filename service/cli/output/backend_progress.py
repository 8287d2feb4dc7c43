"""What backends say of long runs, on stderr."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from service.cli.output.printing import say


@contextmanager
def backend_progress() -> Iterator[None]:
    """Say what backends log about long runs."""

    class Say(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            say(record.getMessage())

    logger, handler = logging.getLogger("backends"), Say(logging.INFO)
    level = logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
