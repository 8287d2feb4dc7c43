"""The process that parses, from outside: started, asked, timed, ended and replaced."""

import json
import os
import select
import subprocess
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from signal import Signals
from time import monotonic
from typing import IO, Any, cast

from compiler.errors import InputError
from workers.sandbox.child_environment import child_environment
from workers.untrusted_programs.parser import CPU_SECONDS, LAST
from workers.untrusted_programs.tenant_turns import BusyError

WALL_SECONDS = 2.0 * CPU_SECONDS
START_SECONDS = 60.0
"""That it may take to import what it needs."""

LONGEST_ANSWER = 1 << 26
SINGLE_THREADED = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS", "MALLOC_ARENA_MAX"), "1"
)
"""Each further thread takes address space, which is bounded."""


class TooHeavyError(InputError):
    """Reading a program took too much memory or time."""


class ReadingProcess:
    """A process that is asked one thing at a time, and replaced when it dies.

    Args:
        seconds: that an answer may take, by the clock on the wall.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        self._lock = threading.Lock()

    def start(self) -> None:
        """Start it, unless it runs."""
        with self._lock:
            self._start()

    def prepare(self) -> None:
        """Wait until it takes a question.

        Raises:
            BusyError: if it cannot be started.
        """
        with self._lock:
            self._prepared()

    def end(self) -> None:
        """End it, whatever it does."""
        with self._lock:
            self._end()

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return its answer.

        Raises:
            TooHeavyError: if it died, or took too long.
            BusyError: if it cannot be started.
        """
        line = json.dumps(question).encode() + b"\n"
        with self._lock:
            answers = self._prepared()
            answer: dict[str, Any] | None = None
            try:
                answer = self._answer(line, answers)
            finally:
                if answer is None or LAST in answer:
                    self._end()
                    # Whoever was too much waits for the next child, and not whoever comes next.
                    with suppress(BusyError):
                        self._prepared()
            return answer

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._ready = False
            self._process = subprocess.Popen(
                [sys.executable, "-m", "workers.untrusted_programs.parser"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=child_environment() | SINGLE_THREADED,
                start_new_session=True,
            )
        return self._process

    def _prepared(self) -> IO[bytes]:
        """Return the stream of answers of a child that waits for a question."""
        if self._process is not None and self._process.poll() is not None:
            self._end()
        answers = cast(IO[bytes], self._start().stdout)
        if not self._ready and _line(answers, START_SECONDS) is None:
            self._end()
            raise BusyError("programs cannot be read just now; try again in some seconds")
        self._ready = True
        return answers

    def _answer(self, question: bytes, answers: IO[bytes]) -> dict[str, Any]:
        process = self._start()
        try:
            cast(IO[bytes], process.stdin).write(question)
            cast(IO[bytes], process.stdin).flush()
            line = _line(answers, self._seconds)
        except BrokenPipeError:
            line = b""
        if line is None:
            raise TooHeavyError(f"the program took more than {self._seconds:g} s to be read")
        if not line:
            code = process.wait()
            what = "time" if code == -Signals.SIGXCPU else "memory"
            raise TooHeavyError(f"the program takes too much {what} to be read")
        return cast(dict[str, Any], json.loads(line))

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            # Not `communicate`: what it still had to say is of no use.
            for stream in (process.stdin, process.stdout):
                try:
                    cast(IO[bytes], stream).close()
                except BrokenPipeError:
                    continue
            process.wait()


def _line(stream: IO[bytes], seconds: float) -> bytes | None:
    """Return the next line, nothing if the stream ends before, None if it takes too long."""
    until = monotonic() + seconds
    # Not `select`, which takes no descriptors above 1023.
    poll = select.poll()
    poll.register(stream, select.POLLIN)
    got = b""
    while not got.endswith(b"\n"):
        if not poll.poll(max(0.0, until - monotonic()) * 1000):
            return None
        piece = os.read(stream.fileno(), 1 << 16)
        if not piece or len(got) > LONGEST_ANSWER:
            return b""
        got += piece
    return got
