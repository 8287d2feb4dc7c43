"""Side effects of a compilation, passed in: calls, durations, records."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from compiler.compilation.candidate import Candidate
from compiler.lowering.draft import Clock, no_clock

A = TypeVar("A")
R = TypeVar("R")


def never() -> bool:
    """Return that it is not too late."""
    return False


class Each(Protocol):
    """Makes calls, in this process or in others."""

    def __call__(
        self,
        function: Callable[[A], R],
        arguments: Sequence[A],
        late: Callable[[], bool] = never,
        /,
    ) -> Iterator[tuple[int, R]]:
        """Yield the place and the result of every call, as they finish.

        Args:
            function: one that other processes can import.
            arguments: one a call.
            late: tells whether calls that have not begun are left out; the first one is made.
        """


def each_here(
    function: Callable[[A], R], arguments: Sequence[A], late: Callable[[], bool] = never, /
) -> Iterator[tuple[int, R]]:
    """Make calls one after the other in this process."""
    for place, argument in enumerate(arguments):
        yield place, function(argument)
        if late():
            return


class Listener:
    """Makes the calls of a compilation, and is notified of each result.

    This one makes them one after the other in this process, measures nothing and records nothing.

    Attributes:
        clock: measures how long calls and passes take, such as `time.perf_counter`.
        each: makes the calls.
    """

    clock: Clock = staticmethod(no_clock)
    each: Each = staticmethod(each_here)

    def late(self) -> bool:
        """Return whether no further attempt is begun or refined."""
        return False

    def lowered(self, place: int, candidate: Candidate) -> None:
        """Take note that the attempt at a place of the plan has been lowered."""

    def left_out(self, places: Sequence[int], reason: str) -> None:
        """Take note that attempts are not made, for a reason."""

    def refined(self, place: int, before: Candidate, candidate: Candidate) -> None:
        """Take note that a candidate has been refined."""

    def all_lowered(self, candidates: Sequence[Candidate]) -> None:
        """Take note of all candidates before the first is proven."""

    def program_proven(self, verified: str) -> None:
        """Take note of how far the program itself is proven; see `proof.prove_program`."""

    def proven(self, place: int, candidate: Candidate) -> None:
        """Take note of the verdict on the candidate at a place among all candidates."""
