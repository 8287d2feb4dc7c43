"""How much is computed for an advice."""

from collections.abc import Callable

from attrs import frozen


@frozen
class Effort:
    """Bounds of samples and of time.

    Args:
        playouts: games that are played at random, those of all cards together.
        deals: that are solved with open cards; all of them if there are no more.
        seconds: after which no deal is begun, and after a share of them no random games; what has
            begun is ended, and few deals of small hands are all solved.
        seed: of all that is random.
        threads: that work side by side.
        clock: tells seconds.
    """

    playouts: int
    deals: int
    seconds: float
    seed: int
    threads: int
    clock: Callable[[], float]

    def alarm(self, seconds: float) -> Callable[[], bool]:
        """Return what tells whether so many seconds from now have passed."""
        end = self.clock() + seconds
        return lambda: self.clock() > end
