"""Types of the arrays that compiled code works on."""

from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numba import njit
from numpy.typing import NDArray

Complex: TypeAlias = NDArray[np.complex128]
Integers: TypeAlias = NDArray[np.int32]
Reals: TypeAlias = NDArray[np.float64]

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
