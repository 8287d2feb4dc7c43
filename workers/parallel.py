"""Independent calls side by side on the machine's cores."""

import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing.context import SpawnContext, SpawnProcess
from threading import current_thread, main_thread
from typing import TypeVar

from compiler.errors import LoweringError
from compiler.formats import input_warnings
from workers.orphans import end_with
from workers.sandbox.child_environment import drop_secrets

A = TypeVar("A")
R = TypeVar("R")


class OneByOne(Executor):
    """An executor that has made a call when `submit` returns."""


class DeafProcess(SpawnProcess):
    """One that Ctrl-C at the terminal is not for: whoever has started it ends it."""

    def start(self) -> None:
        """Start it with the signal blocked, which it inherits before it could answer."""
        with _held_back(signal.SIGINT, signal.SIGTERM):
            before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            try:
                super().start()
            finally:
                signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _held_back(*numbers: signal.Signals) -> Iterator[None]:
    """Answer signals later: a process that has not read what it is to do would complain.

    To block them were not enough, since any thread takes them for the main one.
    """
    if current_thread() is not main_thread():
        yield
        return
    came: list[int] = []
    before = {
        number: signal.signal(number, lambda number, _: came.append(number)) for number in numbers
    }
    try:
        yield
    finally:
        for number, answer in before.items():
            signal.signal(number, answer)
        for late in came:
            signal.raise_signal(late)


class DeafContext(SpawnContext):
    """Starts processes that Ctrl-C at the terminal is not for."""

    Process = DeafProcess


def begin(parent: int) -> None:
    """Let this fresh process end with its parent, and keep none of its secrets."""
    end_with(parent)
    drop_secrets()
    # The parent has read the same files before, and warned.
    input_warnings.LOG.disabled = True


@contextmanager
def process_pool(processes: int) -> Iterator[Executor | None]:
    """Yield a pool of processes, or None for one: then calls run in this process."""
    if processes == 1:
        yield None
        return
    with fresh_processes(processes) as pool:
        yield pool


@contextmanager
def fresh_processes(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Yield a pool of processes, which are ended if whoever waits for them is, however it is.

    They start afresh: forking is not safe once a library has started threads. They get no secrets.
    """
    with (
        ProcessPoolExecutor(
            processes, mp_context=DeafContext(), initializer=begin, initargs=(os.getpid(),)
        ) as pool,
        leaving_when_told(),
    ):
        try:
            yield pool
        except (KeyboardInterrupt, SystemExit):
            for child in multiprocessing.active_children():
                child.kill()
            raise


@contextmanager
def leaving_when_told() -> Iterator[None]:
    """Let SIGTERM raise `SystemExit`, so that whatever was started can be ended first.

    Whoever has chosen an answer of its own keeps it, and so does a thread that is not the main one.
    """
    if (
        current_thread() is not main_thread()
        or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL
    ):
        yield
        return
    signal.signal(signal.SIGTERM, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


def _leave(number: int, _: object) -> None:
    sys.exit(128 + number)


def never() -> bool:
    """Tell that it is not yet too late."""
    return False


def each(
    pool: Executor | None,
    function: Callable[[A], R],
    arguments: Sequence[A],
    late: Callable[[], bool] = never,
) -> Iterator[tuple[int, R]]:
    """Yield the place and the result of every call, as they finish.

    Args:
        pool: where the calls are made, None for this process.
        function: what is called.
        arguments: one a call.
        late: tells whether calls that have not begun are to be left out; the first one is made.

    Raises:
        LoweringError: if a process of the pool dies.
    """
    if pool is None or isinstance(pool, OneByOne):
        for place, argument in enumerate(arguments):
            done = function(argument) if pool is None else pool.submit(function, argument).result()
            yield place, done
            if late():
                return
        return
    calls = {pool.submit(function, argument): place for place, argument in enumerate(arguments)}
    try:
        for call in as_completed(calls):
            if not call.cancelled():
                yield calls[call], call.result()
            if late():
                for other in calls:
                    other.cancel()
    except (KeyboardInterrupt, SystemExit):
        # Its processes are killed, of which a pool tells all calls; one that it finds cancelled
        # meanwhile would end its thread with an error.
        calls.clear()
        raise
    except BrokenProcessPool:
        raise LoweringError(
            "a process that computed it has died, most often for want of memory; take fewer "
            "--processes or a smaller program"
        ) from None
    finally:
        for call in calls:
            call.cancel()
