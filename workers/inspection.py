"""Reading strangers' programs in another process, so that none of them can do harm in this one.

A program is first refused by its text if that is plainly too much (`workers.program_text`), then
parsed and planned by a child with bounded memory and time (`workers.inspecting`). What came of it
is remembered, so that the same program sent again costs nothing.
"""

import json
import os
import select
import subprocess
import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from hashlib import sha256
from signal import Signals
from time import monotonic
from typing import IO, Any, cast

from attrs import frozen

from compiler.errors import InputError, StichwerkError
from compiler.workload import Source
from workers.inspecting import CPU_SECONDS, LAST
from workers.orders import CompileOrder, order_from_options
from workers.program_text import check_program_text
from workers.redaction import ADDRESS_NAMES, SECRET_NAMES
from workers.settings import Settings

WALL_SECONDS = 2.0 * CPU_SECONDS
START_SECONDS = 60.0
"""That the child may take to import what it needs."""

MOST_REMEMBERED = 10_000
MOST_WAITING = 32
LONGEST_ANSWER = 1 << 26
SINGLE_THREADED = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS", "MALLOC_ARENA_MAX"), "1"
)
"""Each further thread takes address space, which is bounded."""

Settled = tuple[str, Mapping[str, Any]]


class TooHeavyError(InputError):
    """Reading a program took too much memory or time."""


class BusyError(StichwerkError):
    """Too many programs wait to be read; or the child cannot be started."""


@frozen
class Reading:
    """What a job's counts stand for.

    Args:
        bits: classical bits of the program.
        outcomes: counts by what the rules call them; None for circuits.
    """

    bits: int
    outcomes: dict[str, int] | None


class Inspector:
    """The child, and what it has said; safe to be shared by threads.

    Args:
        set_: with the limits on what is submitted over HTTP.
        seconds: that a program may take, by the clock on the wall.
    """

    def __init__(self, set_: Settings, seconds: float = WALL_SECONDS) -> None:
        self._settings = set_
        self._child = _Child(seconds)
        self._known: OrderedDict[str, Future[Settled]] = OrderedDict()
        self._lock = threading.Lock()
        self._places = threading.BoundedSemaphore(MOST_WAITING)

    def start(self) -> None:
        """Start the child now, so that the first program need not wait for that."""
        self._child.start()

    def close(self) -> None:
        """End the child."""
        self._child.end()

    def settled(self, order: CompileOrder, backend: str) -> CompileOrder:
        """Return an order checked and filled in, as `workers.submission.checked` would.

        Raises:
            InputError: saying what is wrong with it, in one line.
            BusyError: if too many others wait.
        """
        key = sha256(json.dumps([order.source.digest, order.target, order.options, backend])
                     .encode()).hexdigest()  # fmt: skip
        target, options = self._once(key, lambda: self._settle(order, backend))
        return order_from_options(order.source, target, options)

    def reading(self, source: Source, encoding: str, counts: Mapping[str, int]) -> Reading:
        """Return what counts stand for; the keys are integers in decimal, bit 0 the lowest.

        Raises:
            InputError: if the program cannot be read.
            BusyError: if too many others wait.
        """
        answer = self._ask("outcomes", source, encoding=encoding, counts=dict(counts))
        return Reading(answer["bits"], answer["outcomes"])

    def _settle(self, order: CompileOrder, backend: str) -> Settled:
        if order.source.content:
            text = order.source.content.decode()
            check_program_text(order.source.name, text, self._settings)
        answer = self._ask(
            "settle",
            order.source,
            target=order.target,
            options=order.options,
            backend=backend,
            most_qubits=self._settings.most_qubits,
            most_gates=self._settings.most_gates,
        )
        return answer["target"], answer["options"]

    def _ask(self, ask: str, source: Source, **rest: Any) -> dict[str, Any]:
        question = {"ask": ask, "name": source.name, "content": source.content.decode(), **rest}
        if not self._places.acquire(blocking=False):
            raise BusyError("too many programs wait to be read; try again in some seconds")
        try:
            answer = self._child.ask(question)
        finally:
            self._places.release()
        if "refused" in answer:
            raise InputError(answer["refused"])
        return answer

    def _once(self, key: str, find: Callable[[], Settled]) -> Settled:
        """Return what `find` finds, which is called once for each key, whoever asks first."""
        with self._lock:
            known = self._known.get(key)
            mine = known is None
            if known is None:
                known = self._known[key] = Future()
            self._known.move_to_end(key)
            if len(self._known) > MOST_REMEMBERED:
                self._known.popitem(last=False)
        if mine:
            try:
                known.set_result(find())
            except Exception as error:  # noqa: BLE001 - raised below, for all who wait
                if not isinstance(error, InputError) or isinstance(error, TooHeavyError):
                    # Next time it may go better.
                    with self._lock:
                        self._known.pop(key, None)
                known.set_exception(error)
        return known.result()


class _Child:
    """The process `workers.inspecting`: asked one thing at a time, replaced when it dies."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._ready = False
        self._lock = threading.Lock()

    def start(self) -> None:
        with self._lock:
            self._start()

    def end(self) -> None:
        with self._lock:
            self._end()

    def ask(self, question: Mapping[str, Any]) -> dict[str, Any]:
        """Return the child's answer.

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
                    self._start()
            return answer

    def _start(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            secret = (n for n in os.environ if SECRET_NAMES.search(n) or n in ADDRESS_NAMES)
            known = {n: os.environ[n] for n in os.environ.keys() - set(secret)}
            self._ready = False
            self._process = subprocess.Popen(
                [sys.executable, "-m", "workers.inspecting"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=known | SINGLE_THREADED,
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
