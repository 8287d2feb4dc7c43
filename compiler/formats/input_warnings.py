"""Warnings about a user's files: one line on stderr, or in the log of a command that keeps one."""

import logging
from collections import deque

MAX_REMEMBERED = 100


class _Once(logging.Filter):
    """Lets a warning pass once, also where processes below read the same file again."""

    def __init__(self) -> None:
        super().__init__()
        self._recent: deque[str] = deque(maxlen=MAX_REMEMBERED)

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        if message in self._recent:
            return False
        self._recent.append(message)
        return True


LOG = logging.getLogger(__name__)
LOG.addFilter(_Once())


def warn(message: str) -> None:
    """Write a warning, unless it was written lately."""
    LOG.warning("warning: %s", message)
