"""Standard streams: missing ones, terminals, and pipes whose readers have left."""

import os
import select
import sys
from collections.abc import Iterable
from io import TextIOWrapper
from pathlib import Path
from typing import TextIO


def open_streams() -> None:
    """Let anything be printed, on terminals that lack characters and where nothing is open."""
    sys.stdout = _writable(sys.stdout)
    sys.stderr = _writable(sys.stderr)


def _writable(stream: TextIO | None) -> TextIO:
    if stream is None:
        return Path(os.devnull).open("w")
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(errors="backslashreplace")
    return stream


def reader_has_left(streams: Iterable[TextIO]) -> bool:
    """Return whether the reader of a pipe, such as `head`, has left, which is no error."""
    left = False
    for stream in streams:
        if _descriptor(stream) is None:
            continue
        try:
            left = left or _is_broken(stream)
            stream.flush()
        except BrokenPipeError:
            left = True
            _give_up(stream)
        except OSError:
            _give_up(stream)
    return left


def _descriptor(stream: TextIO) -> int | None:
    try:
        return stream.fileno()
    except (OSError, ValueError):
        # Nothing of the system's, or closed.
        return None


def _is_broken(stream: TextIO) -> bool:
    # Unbuffered output is lost already, and the next flush finds nothing wrong.
    poll = select.poll()
    poll.register(stream, 0)
    return any(event & select.POLLERR for _, event in poll.poll(0))


def _give_up(stream: TextIO) -> None:
    # Python flushes when it ends, and would report that it cannot.
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
