"""Warnings about a user's files: one line on stderr, or in the log of a command that keeps one."""

import logging
from functools import cache

LOG = logging.getLogger(__name__)


@cache
def warn(message: str) -> None:
    """Write a warning, once a process."""
    LOG.warning("warning: %s", message)
