"""Which interactions commute, and what has to come before what."""

import numpy as np
from numpy.typing import NDArray

from compiler.circuits.tolerances import SAME_AXIS
from compiler.compiled import cached_njit
from compiler.lowering.interactions.interactions import Interactions

Relation = NDArray[np.bool_]


@cached_njit()
def commute(
    first: NDArray[np.int64],
    first_axes: NDArray[np.float64],
    second: NDArray[np.int64],
    second_axes: NDArray[np.float64],
) -> bool:
    """Tell whether two interactions commute.

    They do on one shared wire if their axes there are parallel, and on two if they are both
    parallel or both perpendicular.

    Args:
        first: int64[2], the wires of one interaction.
        first_axes: float64[2, 3], its axes.
        second: int64[2], the wires of the other one.
        second_axes: float64[2, 3], its axes.
    """
    shared = parallel = perpendicular = 0
    for k in range(2):
        for m in range(2):
            if first[k] != second[m]:
                continue
            a, b = first_axes[k], second_axes[m]
            x = a[1] * b[2] - a[2] * b[1]
            y = a[2] * b[0] - a[0] * b[2]
            z = a[0] * b[1] - a[1] * b[0]
            shared += 1
            parallel += x * x + y * y + z * z < SAME_AXIS**2
            perpendicular += abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) < SAME_AXIS
    return parallel == shared or (shared == 2 and perpendicular == 2)


@cached_njit()
def _direct_predecessors(pairs: NDArray[np.int64], axes: NDArray[np.float64]) -> Relation:
    n = len(pairs)
    before = np.zeros((n, n), dtype=np.bool_)
    direct = np.zeros((n, n), dtype=np.bool_)
    for j in range(n):
        for i in range(j - 1, -1, -1):
            if not before[j, i] and not commute(pairs[i], axes[i], pairs[j], axes[j]):
                direct[j, i] = before[j, i] = True
                before[j, :i] |= before[i, :i]
    return direct


def direct_predecessors(interactions: Interactions) -> Relation:
    """Return what has to come right before each interaction.

    Returns:
        bool[n, n]; `[j, i]` says that i comes before j and that nothing has to come between:
        the transitive reduction of the order given by pairs that do not commute.
    """
    found: Relation = _direct_predecessors(interactions.pairs, interactions.axes)
    return found
