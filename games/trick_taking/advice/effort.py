"""How much is computed for an advice."""

from collections.abc import Callable
from threading import Lock, local

from attrs import define, field, frozen


@define(eq=False)
class Work:
    """Processor time that threads have worked, from its creation on.

    Args:
        clock: tells for how many seconds the thread that calls it has worked.
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
        playouts: games that are played at random, those of all cards together.
        deals: that are solved with open cards; all of them if there are no more.
        seconds: of processor time of each thread, after which no deal is begun, and after a share
            of them no random games; what has begun is ended, and few deals of small hands are all
            solved.
        seed: of all that is random.
        threads: that work side by side.
        clock: tells for how many seconds of processor time the thread that calls it has worked.
    """

    playouts: int
    deals: int
    seconds: float
    seed: int
    threads: int
    clock: Callable[[], float]
    _work: Work = field(init=False, eq=False, repr=False)

    @_work.default
    def _begin(self) -> Work:
        return Work(self.clock)

    def worked(self) -> float:
        """Return the seconds of each thread so far, on average."""
        return self._work.seconds() / self.threads

    def alarm(self, seconds: float) -> Callable[[], bool]:
        """Return what tells whether each thread has worked for so many seconds, on average."""
        return lambda: self.worked() > seconds

    def progress(self, say: Callable[[str], None]) -> Callable[[str], None]:
        """Return what says a line of progress once in each tenth of the seconds, at most."""
        tenths = 0

        def tell(done: str) -> None:
            nonlocal tenths
            now = int(10 * self.worked() / self.seconds) if self.seconds > 0 else 0
            if now > tenths:
                tenths = now
                say(f"{done}, {self.worked():.0f} of {self.seconds:g} s of processor time")

        return tell
