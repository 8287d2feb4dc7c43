"""Who makes a compilation's calls, and who hears of them."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

from compiler.compilation.task import Native
from compiler.verification.program import Verdict

A = TypeVar("A")
R = TypeVar("R")


class Each(Protocol):
    """Makes independent calls, perhaps side by side in other processes."""

    def __call__(
        self, function: Callable[[A], R], arguments: Sequence[A], /
    ) -> Iterator[tuple[int, R]]:
        """Yield the place and the result of every call, as they finish."""
        ...


def in_order(function: Callable[[A], R], arguments: Sequence[A], /) -> Iterator[tuple[int, R]]:
    """Make the calls in this process, one after the other."""
    for place, argument in enumerate(arguments):
        yield place, function(argument)


class Listener:
    """Hears of a compilation while it goes on; this one does not care."""

    def lowered(self, place: int, native: Native) -> None:
        """An attempt has been made."""

    def left_out(self, places: Sequence[int], reason: str) -> None:
        """Attempts are not made, for a reason."""

    def refined(self, place: int, before: Native, native: Native) -> None:
        """A result has been refined."""

    def proven(self, place: int, verdict: Verdict, seconds: float) -> None:
        """A native circuit has been proven or refuted."""
