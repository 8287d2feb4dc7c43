"""Routed circuits as arrays: what a sequence of gates and swaps comes to on a device."""

import numpy as np
from numpy.typing import NDArray

from compiler.compiled import cached_njit
from compiler.lowering.arrays import Complex, Integers

SWAP = -1
"""Stands for a swap where a step would name a gate."""

Realised = tuple[Integers, Complex, Integers, Integers]
"""Wires, unitaries, and for each logical wire its qubit at the start and at the end."""


@cached_njit()
def realise(
    steps: Integers, start: Integers, unitaries: Complex, wires: Integers, fixed: bool
) -> Realised:
    """Write a sequence of gates and swaps as unitaries on a device's qubits.

    A swap of two qubits that nothing has acted on, or will act on, is done by naming. A swap
    with a qubit that holds no logical wire, and is |0⟩, is half a swap: two CX.

    Args:
        steps: shape (n, 3), each a gate's index or `SWAP`, and the two qubits it acts on.
        start: shape (logical wires,), their qubits.
        unitaries: shape (gates, 4, 4).
        wires: shape (gates, 2), the logical wires of each gate.
        fixed: whether the wires have to start where they do, so that something has acted on all
            qubits before.
    """
    size = 1 + max(start.max(), steps[:, 1:].max() if len(steps) else 0)
    initial, final = start.copy(), start.copy()
    held = np.full(size, -1, np.int32)
    held[start] = np.arange(len(start))
    needless = _needless(steps, size)
    places = np.empty((len(steps), 2), np.int32)
    matrices = np.empty((len(steps), 4, 4), np.complex128)
    touched = np.full(size, fixed)
    count = 0
    for index in range(len(steps)):
        gate, a, b = steps[index]
        if gate >= 0:
            places[count, 0], places[count, 1] = final[wires[gate, 0]], final[wires[gate, 1]]
            matrices[count] = unitaries[gate]
            count += 1
            touched[a] = touched[b] = True
            continue
        if needless[index]:
            continue
        fresh = not (touched[a] or touched[b])
        if not fresh and (held[a] >= 0 or held[b] >= 0):
            source, target = (b, a) if held[a] < 0 else (a, b)
            places[count, 0], places[count, 1] = source, target
            matrices[count] = _swap(held[target] < 0)
            count += 1
            touched[a] = touched[b] = True
        held[a], held[b] = held[b], held[a]
        for place in (a, b):
            if held[place] >= 0:
                final[held[place]] = place
                if fresh:
                    initial[held[place]] = place
    return places[:count], matrices[:count], initial, final


@cached_njit()
def _needless(steps: Integers, size: int) -> NDArray[np.bool_]:
    """Tell which steps are swaps after which no gate acts on either of their qubits."""
    later = np.zeros(size, np.bool_)
    found = np.zeros(len(steps), np.bool_)
    for index in range(len(steps) - 1, -1, -1):
        gate, a, b = steps[index]
        if gate < 0 and not (later[a] or later[b]):
            found[index] = True
        else:
            later[a] = later[b] = True
    return found


@cached_njit()
def _swap(half: bool) -> Complex:
    """Return a swap, or what does the same while its second wire is |0⟩."""
    matrix = np.zeros((4, 4), np.complex128)
    if half:
        matrix[0, 0] = matrix[1, 2] = matrix[2, 3] = matrix[3, 1] = 1
    else:
        matrix[0, 0] = matrix[1, 2] = matrix[2, 1] = matrix[3, 3] = 1
    return matrix
