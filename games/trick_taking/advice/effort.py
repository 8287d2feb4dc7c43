"""How much is computed for an advice."""

from collections.abc import Callable

from attrs import Factory, field, frozen


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
        begun: what it told when the seconds began to count; now, if nobody says.
    """

    playouts: int
    deals: int
    seconds: float
    seed: int
    threads: int
    clock: Callable[[], float]
    begun: float = field(default=Factory(lambda self: self.clock(), takes_self=True))

    def alarm(self, seconds: float) -> Callable[[], bool]:
        """Return what tells whether so many seconds from the beginning have passed."""
        end = self.begun + seconds
        return lambda: self.clock() > end
