"""Calls that may crash, hang or take too much, in a process that is ended when they do.

Compiling and simulating run other people's circuits through libraries in C, C++ and Rust. None of
them can be interrupted, and any may take the memory of the machine or end its process. So they
are called in a process of their own, which stays for the next call while it is well.
"""

import atexit
import json
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from math import inf
from multiprocessing.connection import Connection
from pathlib import Path
from time import monotonic
from typing import Any, TypeVar

from backends import UnavailableError
from compiler.compilation.listener import Each, each_here, never
from compiler.errors import LoweringError, StichwerkError
from workers.sandbox.child_environment import child_environment
from workers.sandbox.memory import share
from workers.sandbox.sandboxed_process import Answer
from workers.settings import PREFIX, Settings

A = TypeVar("A")
R = TypeVar("R")

PREPARE = "workers.sandbox.sandboxed_process:prepare"
START_SECONDS = 300.0
"""Time limit of the start, with all imports."""

LOOK_SECONDS = 0.2
"""Between two looks whether a call is still wanted."""

MAX_ANSWER_BYTES = 1 << 26
"""Limit of a plain answer."""

SINGLE_THREADED = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "RAYON_NUM_THREADS", "MALLOC_ARENA_MAX"), "1"
)
"""Variables of an environment with bounded memory, of which each further thread takes some."""

CRASHES = {
    signal.SIGABRT: "gave up (SIGABRT), most often for want of memory",
    signal.SIGKILL: "was killed (SIGKILL), perhaps because the machine's memory ran out",
}


class StartError(UnavailableError):
    """No process can be started just now."""


class SandboxError(StichwerkError):
    """A call has been stopped."""


class CallDiedError(SandboxError):
    """The process in which a call was made has ended by itself.

    Args:
        message: how it has ended.
        code: its exit code, or minus the signal that ended it; None if that is unknown.
    """

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code

    @classmethod
    def of(cls, code: int) -> "CallDiedError":
        """Return the error of a process that has ended with an exit code."""
        end = f"ended with exit code {code}"
        if code < 0:
            number = signal.Signals(-code)
            end = CRASHES.get(number, f"crashed ({number.name})")
        return cls(f"the process that computed it {end}", code)


class TooMuchMemoryError(SandboxError):
    """A call took more memory than it may."""


class OverdueError(SandboxError):
    """A call took longer than it may."""


def nothing() -> None:
    """Do nothing."""


class Sandbox:
    """A process for one call at a time; it is replaced when it has not ended well.

    It is started afresh, in a session of its own and with the environment of
    `child_environment`, so that it gets no Ctrl-C of the terminal and no secrets.

    Args:
        first: `module:function` that the process calls before it takes calls; `""` for none.
        plain: whether the process is trusted with arguments only: results are JSON, and its log
            is lost.
        bound: whether the kernel ends it with the thread that has started it.
        variables: of its environment besides `child_environment`.
        options: further arguments of `Popen`.
    """

    def __init__(
        self,
        first: str = PREPARE,
        *,
        plain: bool = False,
        bound: bool = True,
        variables: Mapping[str, str] | None = None,
        **options: Any,
    ) -> None:
        self._first, self._plain, self._bound = first, plain, bound
        self._variables, self._options = variables or {}, options
        self._process: subprocess.Popen[bytes] | None = None
        self._connection: Connection | None = None
        self._is_ready = self._is_used = False
        self._lock = threading.RLock()

    def call(
        self,
        function: Callable[..., R],
        *arguments: Any,
        most_bytes: int | None = None,
        seconds: float = inf,
        cpu_seconds: float | None = None,
        attend: Callable[[], None] = nothing,
    ) -> R:
        """Make a call, and return its result or raise its error.

        Args:
            function: one that another process can import.
            arguments: that can be pickled, like the result.
            most_bytes: memory that it may take; None for any.
            seconds: that it may take.
            cpu_seconds: of all threads that it may take, which ends its process; None for any.
            attend: called now and then meanwhile; its exceptions end the call.

        Raises:
            CallDiedError: if its process ends.
            TooMuchMemoryError: if it takes more memory than it may.
            OverdueError: if it takes too long.
            StartError: if no process can be started.
        """
        call = function, arguments, most_bytes, cpu_seconds
        with self._lock:
            was_used = self._is_used
            answer = self._answer(call, seconds, attend)
            if answer.too_much_memory and was_used:
                # Memory that earlier calls have left is not this one's fault.
                answer = self._answer(call, seconds, attend)
        if answer.too_much_memory:
            raise TooMuchMemoryError(
                f"it takes more than the {size(most_bytes or 0)} of memory that it may "
                f"({PREFIX}SIMULATION_BYTES)"
            )
        if answer.error is not None:
            raise (
                answer.error if isinstance(answer.error, Exception) else SandboxError(answer.error)
            )
        result: R = answer.value
        return result

    def _answer(self, call: tuple[Any, ...], seconds: float, attend: Callable[[], None]) -> Answer:
        connection = self.prepare()
        until = monotonic() + seconds
        answer: Answer | None = None
        self._is_used = True
        try:
            connection.send(call)
            while answer is None:
                while not connection.poll(LOOK_SECONDS):
                    attend()
                    if monotonic() > until:
                        raise OverdueError("it takes longer than it may")
                answer = self._received(connection)
        except (EOFError, ConnectionError):
            assert self._process is not None
            raise CallDiedError.of(self._process.wait()) from None
        finally:
            if answer is None or answer.worn:
                self.end()
        return answer

    def _received(self, connection: Connection) -> Answer | None:
        """Return an answer; None for a line that was logged."""
        if self._plain:
            try:
                return Answer(*json.loads(connection.recv_bytes(MAX_ANSWER_BYTES)))
            except ConnectionError:
                raise
            except (OSError, ValueError, TypeError) as error:
                raise SandboxError("its answer is too long, or no JSON") from error
        received = connection.recv()
        if isinstance(received, logging.LogRecord):
            logging.getLogger(received.name).handle(received)
            return None
        assert isinstance(received, Answer)
        return received

    def begin(self) -> Connection:
        """Start a process unless there is one, without waiting for it."""
        with self._lock:
            if self._connection is None:
                self._connection = self._started()
                self._is_ready = self._is_used = False
            return self._connection

    def _started(self) -> Connection:
        here, child = socket.socketpair()
        parent, plain = os.getpid() if self._bound else 0, "plain" if self._plain else ""
        arguments = str(child.fileno()), str(parent), plain, self._first
        # It may unpickle only modules that this process finds.
        path = {"PYTHONPATH": os.pathsep.join(str(Path(place).absolute()) for place in sys.path)}
        with child:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "workers.sandbox", *arguments],
                env={**child_environment(), **path, **self._variables},
                stdin=subprocess.DEVNULL,
                pass_fds=[child.fileno()],
                start_new_session=True,
                **self._options,
            )
        return Connection(here.detach())

    def prepare(self) -> Connection:
        """Wait until there is a process that takes a call.

        Raises:
            StartError: if none can be started.
        """
        with self._lock:
            if self._is_ready and self._connection is not None and self._connection.poll():
                # It has nothing to say unasked: it has died since its last call, which is not to
                # blame.
                self.end()
            connection = self.begin()
            if not self._is_ready:
                try:
                    if not connection.poll(START_SECONDS):
                        raise TimeoutError(f"it does not start within {START_SECONDS:g} s")
                    connection.recv_bytes()
                except (EOFError, OSError) as error:
                    self.end()
                    raise StartError(f"no process can be started to compute in: {error}") from error
                self._is_ready = True
            return connection

    def end(self) -> None:
        """End the process and all that it has started."""
        with self._lock:
            process, self._process = self._process, None
            connection, self._connection = self._connection, None
            self._is_ready = False
            if connection is not None:
                connection.close()
            if process is not None:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.kill()
                process.wait()


def attended(sandbox: Sandbox, most_bytes: int, until: float, attend: Callable[[], None]) -> Each:
    """Return a function that makes calls one after the other in a sandbox.

    Args:
        sandbox: where calls are made.
        most_bytes: memory that each may take.
        until: when all must have returned, by `time.monotonic`.
        attend: called now and then meanwhile; its exceptions end the call.
    """

    def each(
        function: Callable[[A], R], arguments: Sequence[A], late: Callable[[], bool] = never, /
    ) -> Iterator[tuple[int, R]]:
        def call(argument: A) -> R:
            seconds = until - monotonic()
            return sandbox.call(
                function, argument, most_bytes=most_bytes, seconds=seconds, attend=attend
            )

        return each_here(call, arguments, late)

    return each


def within(seconds: float, function: Callable[..., R], *arguments: Any) -> R:
    """Call a function in a fresh process; its own child processes end with it.

    Args:
        seconds: that it may take.
        function: one that a fresh process can import.
        arguments: that can be pickled, like the result.

    Raises:
        LoweringError: if it takes longer, fails, or dies.
    """
    sandbox = Sandbox("")
    try:
        return sandbox.call(function, *arguments, seconds=seconds)
    except OverdueError:
        raise LoweringError(f"stopped after {seconds:g} s") from None
    except CallDiedError:
        raise LoweringError("its process ended without an answer") from None
    except Exception as error:
        raise LoweringError(" ".join(str(error).split()) or type(error).__name__) from error
    finally:
        sandbox.end()


@cache
def shared_sandbox() -> Sandbox:
    """Return the sandbox of this process, which ends with it."""
    sandbox = Sandbox()
    atexit.register(sandbox.end)
    return sandbox


def most_bytes(set_: Settings) -> int:
    """Return the memory that a call may take: as set, or all that there is for one process."""
    return set_.simulation_bytes or share(1)


def size(count: int) -> str:
    """Return a number of bytes as people write it."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count} bytes"
