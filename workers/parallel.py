"""Independent calls side by side on the machine's cores."""

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, nullcontext
from typing import TypeVar

from compiler.errors import LoweringError

A = TypeVar("A")
R = TypeVar("R")


class OneByOne(Executor):
    """An executor that has made a call when `submit` returns."""


def process_pool(processes: int) -> AbstractContextManager[Executor | None]:
    """Return a pool of processes, or None for one: then calls run in this process.

    Processes start afresh: forking is not safe once a library has started threads.
    """
    if processes == 1:
        return nullcontext()
    return ProcessPoolExecutor(processes, mp_context=multiprocessing.get_context("spawn"))


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
    except BrokenProcessPool:
        raise LoweringError(
            "a process that computed it has died, most often for want of memory; take fewer "
            "--processes or a smaller program"
        ) from None
    finally:
        for call in calls:
            call.cancel()
