"""How the commands that keep running log."""

import logging
import os

from service.cli.output.printing import say_in_log
from workers.logs import LogFormat, log_to_stderr

LOG = logging.getLogger("stichwerk")
VARIABLE = "STICHWERK_LOG_FORMAT"


def choose_log_format(chosen: LogFormat | None) -> None:
    """Let this process, and those that it starts, log as chosen; otherwise as they are set."""
    if chosen is not None:
        os.environ[VARIABLE] = chosen


def log_by(format_: LogFormat) -> None:
    """Let this process write its log, and as JSON also what it says, to stderr."""
    log_to_stderr(format_)
    if format_ is LogFormat.JSON:
        say_in_log(LOG)
