"""Compiled functions that count no references."""

from collections.abc import Callable
from typing import Any, TypeVar

from numba import njit

F = TypeVar("F", bound=Callable[..., Any])


def borrowing(function: F) -> F:
    """Compile a function that works on arrays it is given, and makes none.

    Elsewhere Numba counts the references to every array of a tuple that a function looks into,
    each by an atomic instruction, which took searches more time than all else. Without its
    runtime it counts none, and refuses to compile what allocates, here and in what this calls.
    It must not return an array to a function that counts: that would free it once too often.
    Other threads may run meanwhile.
    """
    without_runtime: dict[str, Any] = {"_nrt": False}
    compiled: F = njit(cache=True, nogil=True, **without_runtime)(function)
    return compiled
