"""Limits of the computation for an advice."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Lock, local
from typing import TypeVar

from attrs import Factory, define, field, frozen

T = TypeVar("T")
Tool = TypeVar("Tool")


@define(eq=False)
class Work:
    """Processor time that threads have worked, from its creation on.

    Args:
        clock: returns the seconds of processor time of the calling thread.
    """

    clock: Callable[[], float]
    _seconds: float = field(default=0.0, init=False)
    _lock: Lock = field(factory=Lock, init=False)
    _thread: local = field(factory=local, init=False)

    def __attrs_post_init__(self) -> None:
        self._thread.before = self.clock()

    def seconds(self) -> float:
        """Return the time of all threads that have called this, each up to its last call."""
        now = self.clock()
        with self._lock:
            # A thread that is younger has worked for nothing else.
            self._seconds += now - getattr(self._thread, "before", 0.0)
            self._thread.before = now
            return self._seconds


@frozen
class Effort:
    """Bounds of samples and of processor time: a busy machine takes longer, and does as much.

    Args:
        playouts: number of random games of all cards together.
        deals: number of deals to solve with open cards; all of them if there are no more.
        seconds: limit of processor time of each thread. No new deal begins after it, and no
            random game after a share of it. A begun deal is finished, and few deals of small
            hands are all solved.
        seed: seed of all random numbers.
        threads: number of threads.
        clock: returns the seconds of processor time of the calling thread.
    """

    playouts: int
    deals: int
    seconds: float
    seed: int
    threads: int
    clock: Callable[[], float]
    _work: Work = field(
        default=Factory(lambda self: Work(self.clock), takes_self=True), init=False, eq=False
    )

    def worked(self) -> float:
        """Return the seconds of each thread so far, on average."""
        return self._work.seconds() / self.threads

    def alarm(self, seconds: float) -> Callable[[], bool]:
        """Return a function that is true once each thread has worked so long, on average."""
        return lambda: self.worked() > seconds

    def progress(self, say: Callable[[str], None]) -> Callable[[str], None]:
        """Return a function that reports progress at most once in each tenth of the seconds."""
        tenths = 0

        def tell(done: str) -> None:
            nonlocal tenths
            now = int(10 * self.worked() / self.seconds) if self.seconds > 0 else 0
            if now > tenths:
                tenths = now
                say(f"{done}, {self.worked():.0f} of {self.seconds:g} s of CPU time")

        return tell

    def repeat(
        self,
        task: Callable[[int, Tool], T | None],
        numbers: range,
        seconds: float,
        tools: Sequence[Tool],
        tell: Callable[[int], None] = lambda _: None,
    ) -> list[T]:
        """Do a task for one number after the other on all threads, until time is up.

        Args:
            task: takes a number and the tool of its thread; returns None for no result.
            numbers: the numbers; the first one is done even if there is no time.
            seconds: limit of processor time, see `alarm`.
            tools: one for each thread.
            tell: takes the number of results so far, before each task.

        Returns:
            The results in the order of their numbers.
        """
        waiting, lock, late = iter(numbers), Lock(), self.alarm(seconds)
        results: dict[int, T] = {}

        def work(tool: Tool) -> None:
            while True:
                with lock:
                    number = next(waiting, None)
                    if number is None or (number != numbers[0] and late()):
                        return
                    tell(len(results))
                result = task(number, tool)
                if result is not None:
                    results[number] = result

        with ThreadPoolExecutor(self.threads) as pool:
            try:
                list(pool.map(work, tools))
            finally:
                # After an interrupt no thread begins another task.
                waiting = iter(())
        return [results[number] for number in sorted(results)]
