"""Independent calls side by side on the machine's cores."""

import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from queue import SimpleQueue
from threading import Event
from typing import Any, ParamSpec, TypeVar

from attrs import frozen

from compiler.compilation.listener import Each, each_here, never
from compiler.errors import LoweringError
from compiler.formats import input_warnings
from workers.sandbox.sandbox import CallDiedError, Sandbox

P = ParamSpec("P")
A = TypeVar("A")
R = TypeVar("R")


@frozen
class Ended:
    """The result of a limited call whose process has ended before it.

    Args:
        seconds: the CPU limit, if it was reached; None if the process died.
    """

    seconds: float | None

    def __str__(self) -> str:
        if self.seconds is None:
            return "its process died, most often for want of memory"
        return f"not within {self.seconds:g} CPU s"


class Pool(Executor):
    """Fresh processes that make calls side by side, without Ctrl-C of the terminal or secrets.

    Args:
        processes: how many there are.
        cpu_seconds: that a call may take, all threads together: one that takes longer, or whose
            process dies, results in `Ended`. None for no limit: death raises `LoweringError`.
    """

    def __init__(self, processes: int, cpu_seconds: float | None = None) -> None:
        self._cpu_seconds = cpu_seconds
        self._threads = ThreadPoolExecutor(processes)
        self._left = Event()
        self._idle: SimpleQueue[Sandbox] = SimpleQueue()
        for _ in range(processes):
            self._idle.put(Sandbox(f"{__name__}:disable_warnings"))

    def submit(self, fn: Callable[P, R], /, *args: P.args, **_: P.kwargs) -> "Future[R]":
        """Make a call as soon as a process is free."""
        return self._threads.submit(self._call, fn, args)

    def each(
        self,
        function: Callable[[A], R],
        arguments: Sequence[A],
        late: Callable[[], bool] = never,
        /,
    ) -> Iterator[tuple[int, R]]:
        """Yield the place and the result of every call, as they finish.

        Raises:
            LoweringError: if a process dies.
        """
        calls = {self.submit(function, argument): place for place, argument in enumerate(arguments)}
        try:
            for call in as_completed(calls):
                if not call.cancelled():
                    yield calls[call], call.result()
                if late():
                    for other in calls:
                        other.cancel()
        finally:
            for call in calls:
                call.cancel()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes, also in the middle of a call."""
        self._left.set()
        self._threads.shutdown(wait=True, cancel_futures=True)
        while not self._idle.empty():
            self._idle.get().end()

    def _call(self, function: Callable[..., R], arguments: tuple[Any, ...]) -> R:
        sandbox, limit = self._idle.get(), self._cpu_seconds
        try:
            return sandbox.call(function, *arguments, cpu_seconds=limit, attend=self._require_open)
        except CallDiedError as error:
            if limit is None:
                raise LoweringError(
                    "a process that computed it has died, most often for want of memory; take "
                    "fewer --processes or a smaller program"
                ) from None
            late = error.code == -signal.SIGXCPU
            return Ended(limit if late else None)  # type: ignore[return-value]
        finally:
            self._idle.put(sandbox)

    def _require_open(self) -> None:
        if self._left.is_set():
            raise LoweringError("the pool has been left")


def disable_warnings() -> None:
    """Warn of no file: the parent has read the same files before, and warned."""
    input_warnings.LOG.disabled = True


@contextmanager
def process_pool(processes: int, cpu_seconds: float | None = None) -> Iterator[Each]:
    """Yield a function for calls in a pool; for one process without a limit, in this process."""
    if processes == 1 and cpu_seconds is None:
        yield each_here
        return
    with Pool(processes, cpu_seconds) as pool:
        yield pool.each
