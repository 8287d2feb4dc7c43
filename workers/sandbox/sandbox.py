"""Calls that may crash, hang or take too much memory, in a process that is ended when they do.

Compiling and simulating run other people's circuits through libraries in C, C++ and Rust. None of
them can be interrupted, and any may take the memory of the machine or end its process. So they
are called in a process of their own, which stays for the next call while it is well.
"""

import logging
import signal
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import cache
from multiprocessing.connection import Connection
from time import monotonic
from typing import Any, ParamSpec, TypeVar

from compiler.errors import StichwerkError
from workers.parallel import OneByOne
from workers.sandbox.fork_server import ForkServer, ForkServerError
from workers.sandbox.memory import share
from workers.sandbox.sandboxed_process import Answer, Call, Said
from workers.settings import PREFIX, Settings

P = ParamSpec("P")
R = TypeVar("R")

START_SECONDS = 300.0
"""That it may take to import everything."""

LOOK_SECONDS = 0.2
"""Between two looks whether a call is still wanted."""

CRASHES = {
    signal.SIGABRT: "gave up (SIGABRT), most often for want of memory",
    signal.SIGKILL: "was killed (SIGKILL), perhaps because the machine's memory ran out",
}


class SandboxError(StichwerkError):
    """A call has been stopped."""


class CallDiedError(SandboxError):
    """The process in which a call was made has ended by itself."""


class TooMuchMemoryError(SandboxError):
    """A call took more memory than it may."""


class OverdueError(SandboxError):
    """A call took longer than it may."""


class Sandbox:
    """A process in which one call at a time is made; it is replaced when it has not ended well."""

    def __init__(self) -> None:
        self._fork_server: ForkServer | None = None
        self._connection: Connection | None = None
        self._fresh = True
        self._lock = threading.Lock()

    def start(self, *, clean: bool = False) -> None:
        """Begin to import what calls need, without waiting for it.

        Args:
            clean: whether this process has imported all of it and computed nothing; see
                `ForkServer`.
        """
        with self._lock:
            self._fork_server = self._fork_server or ForkServer(clean=clean)

    def end(self) -> None:
        """End its process, and what that was forked from."""
        with self._lock:
            if self._fork_server is not None:
                self._stop()
                self._fork_server.end()
                self._fork_server = None

    def call(
        self,
        function: Callable[..., R],
        *arguments: Any,
        most_bytes: int,
        seconds: float,
        attend: Callable[[], None],
    ) -> R:
        """Make a call and return what it returns; what it raises is raised here.

        Args:
            function: one that another process can import.
            arguments: that can be pickled, as must be what is returned.
            most_bytes: memory that it may take.
            seconds: that it may take.
            attend: called now and then meanwhile; what it raises ends the call.

        Raises:
            CallDiedError: if its process ends.
            TooMuchMemoryError: if it takes more memory than it may.
            OverdueError: if it takes too long.
            ForkServerError: if no process can be started.
        """
        call = Call(most_bytes, function, arguments)
        with self._lock:
            answer = self._answer(call, seconds, attend)
            if answer.too_much_memory and not self._fresh:
                # What earlier calls have left in memory is not this one's fault.
                answer = self._answer(call, seconds, attend)
        if answer.too_much_memory:
            raise TooMuchMemoryError(
                f"it takes more than the {size(most_bytes)} of memory that it may "
                f"({PREFIX}SIMULATION_BYTES)"
            )
        if answer.error is not None:
            raise answer.error
        return answer.value

    def _answer(self, call: Call, seconds: float, attend: Callable[[], None]) -> Answer:
        connection = self._prepared()
        until = monotonic() + seconds
        answer: Answer | None = None
        try:
            connection.send(call)
            while answer is None:
                while not connection.poll(LOOK_SECONDS):
                    attend()
                    if monotonic() > until:
                        raise OverdueError("it takes longer than it may")
                got = connection.recv()
                if isinstance(got, Said):
                    logging.getLogger(got.logger).log(got.level, "%s", got.text)
                else:
                    answer = got
        except (EOFError, ConnectionError):
            raise CallDiedError(f"the process that computed it {self._post_mortem()}") from None
        finally:
            if answer is None or answer.worn:
                self._stop()
        return answer

    def _prepared(self) -> Connection:
        """Return the connection to a process that waits for a call."""
        if self._connection is not None and self._connection.poll():
            # It has nothing to say unasked: it has died since its last call, which is not to blame.
            self._stop()
        self._fresh = self._connection is None
        if self._connection is None:
            fork_server = self._fork_server = self._fork_server or ForkServer(clean=False)
            try:
                self._connection = fork_server.start(START_SECONDS)
            except ForkServerError:
                fork_server.end()
                self._fork_server = None
                raise
        return self._connection

    def _stop(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None and self._fork_server is not None:
            connection.close()
            try:
                self._fork_server.kill()
            except ForkServerError:
                self._fork_server.end()
                self._fork_server = None

    def _post_mortem(self) -> str:
        connection, self._connection = self._connection, None
        if connection is None or self._fork_server is None:
            return "is gone"
        connection.close()
        try:
            code = self._fork_server.status()
        except ForkServerError:
            self._fork_server.end()
            self._fork_server = None
            return "is gone"
        if code >= 0:
            return f"ended with exit code {code}"
        number = signal.Signals(-code)
        return CRASHES.get(number, f"crashed ({number.name})")


class Attended(OneByOne):
    """An executor that makes every call in a sandbox.

    Args:
        sandbox: where calls are made.
        most_bytes: memory that each may take.
        until: when all must have returned, by `time.monotonic`.
        attend: called now and then meanwhile; what it raises ends the call.
    """

    def __init__(
        self, sandbox: Sandbox, most_bytes: int, until: float, attend: Callable[[], None]
    ) -> None:
        self._sandbox = sandbox
        self._most_bytes = most_bytes
        self._until = until
        self._attend = attend

    def submit(self, function: Callable[P, R], /, *arguments: P.args, **_: P.kwargs) -> "Future[R]":
        """Make a call, and return a future that has ended."""
        done: Future[R] = Future()
        done.set_result(
            self._sandbox.call(
                function,
                *arguments,
                most_bytes=self._most_bytes,
                seconds=self._until - monotonic(),
                attend=self._attend,
            )
        )
        return done


@cache
def shared_sandbox() -> Sandbox:
    """Return the sandbox of this process."""
    return Sandbox()


def most_bytes(set_: Settings) -> int:
    """Return the memory that a call may take: as set, or all that there is for one process."""
    return set_.simulation_bytes or share(1)


def size(count: int) -> str:
    """Return a number of bytes as people write it."""
    for unit, name in ((1 << 30, "GiB"), (1 << 20, "MiB")):
        if count >= unit:
            return f"{count / unit:.3g} {name}"
    return f"{count} bytes"
