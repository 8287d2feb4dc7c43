"""Calls side by side in processes that are ended when a call takes too long."""

import os
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from math import ceil
from multiprocessing.connection import Connection
from queue import SimpleQueue
from resource import RLIM_INFINITY, RLIMIT_CORE, RLIMIT_CPU, setrlimit
from threading import Lock
from time import process_time
from typing import Any, ParamSpec, TypeVar

from attrs import define, frozen

from workers.parallel import DeafContext, begin, leaving_when_told

P = ParamSpec("P")
R = TypeVar("R")


@frozen
class Ended:
    """What stands for the result of a call whose process has ended before it.

    Args:
        seconds: of CPU that it might have taken, if it took them; None if its process died.
    """

    seconds: float | None

    def __str__(self) -> str:
        if self.seconds is None:
            return "its process died, most often for want of memory"
        return f"not within {self.seconds:g} CPU s"


@define
class _Worker:
    """A process that makes one call after the other."""

    process: Any
    pipe: Connection

    @classmethod
    def started(cls) -> "_Worker":
        context = DeafContext()
        here, there = context.Pipe()
        process = context.Process(target=_serve, args=(there, os.getpid()), daemon=False)
        process.start()
        there.close()
        return cls(process, here)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.pipe.close()


class LimitedPool(Executor):
    """Processes each of whose calls may take some seconds of CPU, all threads together.

    A call that takes longer, or whose process dies, results in `Ended`. All others are made in
    processes that have made calls before, so that nothing is imported twice.

    Args:
        processes: how many there are.
        seconds: that a call may take.
    """

    def __init__(self, processes: int, seconds: float) -> None:
        self._seconds = seconds
        self._threads = ThreadPoolExecutor(processes)
        self._idle: SimpleQueue[_Worker | None] = SimpleQueue()
        self._workers: list[_Worker] = []
        self._changes = Lock()
        self._is_left = False
        for _ in range(processes):
            self._idle.put(None)

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> "Future[R]":
        """Make a call as soon as a process is free."""
        return self._threads.submit(self._called, fn, args, kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End all processes, whatever they do."""
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._changes:
            self._is_left = True
            for worker in self._workers:
                worker.process.kill()
        self._threads.shutdown(wait=wait)
        for worker in self._workers:
            worker.end()

    def _called(self, function: Callable[..., R], args: Any, kwargs: Any) -> R:
        worker = self._idle.get()
        if worker is None:
            worker = self._started()
        alive: _Worker | None = worker
        try:
            worker.pipe.send((self._seconds, function, args, kwargs))
            done, answer = worker.pipe.recv()
        except (EOFError, OSError):
            alive = None
            with self._changes:
                self._workers.remove(worker)
            worker.process.join()
            late = worker.process.exitcode == -signal.SIGXCPU
            return Ended(self._seconds if late else None)  # type: ignore[return-value]
        finally:
            self._idle.put(alive)
        if not done:
            raise answer
        result: R = answer
        return result

    def _started(self) -> _Worker:
        """Return a new process, which ends at once if nobody waits for its results any more."""
        worker = _Worker.started()
        with self._changes:
            self._workers.append(worker)
            if self._is_left:
                worker.process.kill()
        return worker


@contextmanager
def limited_pool(processes: int, seconds: float) -> Iterator[LimitedPool]:
    """Yield a pool, which is ended with whatever it does if whoever waits for it is."""
    pool = LimitedPool(processes, seconds)
    with leaving_when_told():
        try:
            yield pool
        finally:
            pool.shutdown()


def _serve(calls: Connection, parent: int) -> None:
    begin(parent)
    setrlimit(RLIMIT_CORE, (0, 0))
    with suppress(EOFError, OSError):
        while True:
            seconds, function, args, kwargs = calls.recv()
            setrlimit(RLIMIT_CPU, (ceil(process_time() + seconds), RLIM_INFINITY))
            try:
                answer = True, function(*args, **kwargs)
            except Exception as error:  # noqa: BLE001 - whoever waits for the result gets it
                answer = False, error
            calls.send(answer)
