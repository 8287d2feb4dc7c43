"""When the command was called, from which on its --seconds count."""

import os
from pathlib import Path
from time import CLOCK_BOOTTIME, clock_gettime, monotonic

STAT = Path("/proc/self/stat")
START = 19
"""The place of a process's start, in ticks since the machine's, behind its name in `STAT`."""

_called: list[float] = [monotonic()]


def remember(*, is_process: bool) -> None:
    """Note that a command is called now, or was when this process was started for it.

    Loading Python and all modules takes a second, and many on a machine that is busy.
    """
    _called[0] = monotonic() - (process_seconds() if is_process else 0.0)


def called_at() -> float:
    """Return when, by the clock `time.monotonic`."""
    return _called[0]


def process_seconds() -> float:
    """Return for how long this process has been there; 0 where the system does not say."""
    try:
        fields = STAT.read_text().rpartition(")")[2].split()
        started = int(fields[START]) / os.sysconf("SC_CLK_TCK")
        return max(0.0, clock_gettime(CLOCK_BOOTTIME) - started)
    except (OSError, ValueError, IndexError):
        return 0.0
