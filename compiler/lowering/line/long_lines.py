"""Long lines of coupled qubits on a device."""

import numpy as np
from numpy.typing import NDArray

from compiler.compiled import cached_njit
from compiler.lowering.arrays import Integers

BEAM = 16
"""Lines that are grown side by side."""
ENDS = 8
"""Qubits from which lines are grown."""


def long_line(neighbours: Integers) -> Integers:
    """Return a long line of coupled qubits, not always the longest.

    Args:
        neighbours: shape (qubits, most neighbours), filled up with -1.
    """
    degrees = (neighbours >= 0).sum(axis=1)
    ends = np.argsort(degrees, kind="stable")[:ENDS]
    return max((_grown(neighbours, end, BEAM) for end in ends.tolist()), key=len)


def with_sides(line: Integers, neighbours: Integers, count: int) -> Integers:
    """Return qubits in a row, those beside a line that is too short taken in from their places.

    Args:
        line: coupled qubits in a row.
        neighbours: as `long_line` takes them.
        count: how many are wanted.

    Returns:
        Shape (count,); fewer if there are no more beside the line.
    """
    missing, used = count - len(line), set(line.tolist())
    order: list[int] = []
    for qubit in line.tolist():
        beside = [near for near in neighbours[qubit].tolist() if near >= 0 and near not in used]
        for near in beside[: max(missing, 0)]:
            order.append(near)
            used.add(near)
            missing -= 1
        order.append(qubit)
    return np.array(order[:count], np.int32)


@cached_njit()
def _grown(neighbours: Integers, end: int, beam: int) -> Integers:
    """Grow lines from one end, and keep those from which most qubits can be reached."""
    qubits, width = len(neighbours), neighbours.shape[1]
    lines, longer = np.empty((beam, qubits), np.int32), np.empty((beam, qubits), np.int32)
    taken = np.zeros((beam, qubits), np.bool_)
    more = np.zeros((beam, qubits), np.bool_)
    scores = np.empty(beam * width, np.int32)
    steps = np.empty((beam * width, 2), np.int32)
    lines[0, 0], taken[0, end] = end, True
    kept, length = 1, 1
    while True:
        found = 0
        for row in range(kept):
            for qubit in neighbours[lines[row, length - 1]]:
                if qubit >= 0 and not taken[row, qubit]:
                    scores[found] = -_reached(neighbours, taken[row], qubit)
                    steps[found, 0], steps[found, 1] = row, qubit
                    found += 1
        if not found:
            return lines[0, :length].copy()
        order = np.argsort(scores[:found], kind="mergesort")[:beam]
        kept = len(order)
        for place in range(kept):
            row, qubit = steps[order[place]]
            longer[place], more[place] = lines[row], taken[row]
            longer[place, length], more[place, qubit] = qubit, True
        lines, longer, taken, more = longer, lines, more, taken
        length += 1


@cached_njit()
def _reached(neighbours: Integers, taken: NDArray[np.bool_], first: int) -> int:
    """Return how many free qubits can be reached from one, without dead ends."""
    seen = taken.copy()
    seen[first] = True
    waiting = np.empty(len(neighbours), np.int32)
    waiting[0], size, count = first, 1, 0
    while size:
        size -= 1
        qubit, free = waiting[size], 0
        for near in neighbours[qubit]:
            if near < 0:
                continue
            free += near == first or not taken[near]
            if not seen[near]:
                seen[near] = True
                waiting[size] = near
                size += 1
        count += qubit == first or free > 1
    return count
