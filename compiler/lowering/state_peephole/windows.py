"""Windows: blocks on three qubits that can be moved together."""

from collections.abc import Iterator, Sequence

import numpy as np
from attrs import frozen

from compiler.lowering.state_peephole.blocks import Block

MOST_GATES = 6
"""Two-qubit gates of a window; searches for longer templates rarely succeed."""


@frozen(eq=False)
class Window:
    """Blocks that can be moved together, and their qubits.

    Args:
        qubits: three of them.
        places: of the blocks in a list, in order, the first being 0.
        before: places of the blocks among them that must and can be applied before.
    """

    qubits: tuple[int, ...]
    places: tuple[int, ...]
    before: tuple[int, ...]


def windows(blocks: Sequence[Block]) -> Iterator[Window]:
    """Yield the windows that begin with the first of some blocks, larger ones first."""
    first = blocks[0].qubits
    thirds = dict.fromkeys(
        other for pair in _next_pairs(blocks, first) for other in pair if other not in first
    )
    for third in thirds:
        qubits = (*first, third)
        whole, free = _grown(blocks, qubits)
        counts = np.cumsum([blocks[place].two_qubit_gates for place in whole])
        for size in range(len(whole), 1, -1):
            ends_on_new_pair = set(blocks[whole[size - 1]].qubits) != set(first)
            if 2 <= counts[size - 1] <= MOST_GATES and (size == len(whole) or ends_on_new_pair):
                places = tuple(whole[:size])
                yield Window(qubits, places, _ancestors(blocks, qubits, places, free))


def _ancestors(
    blocks: Sequence[Block], qubits: tuple[int, ...], places: tuple[int, ...], free: Sequence[int]
) -> tuple[int, ...]:
    """Return those of the independent blocks that some qubits have gone through."""
    needed, found = set(qubits), []
    for place in reversed([place for place in free if place < places[-1]]):
        if not needed.isdisjoint(blocks[place].qubits):
            needed.update(blocks[place].qubits)
            found.append(place)
    return tuple(reversed(found))


def _next_pairs(blocks: Sequence[Block], first: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the pairs of the next block on each qubit of the first one."""
    pairs: list[tuple[int, ...]] = []
    for qubit in first:
        following = (b for b in blocks[1:] if qubit in b.qubits)
        block = next(following, None)
        if block is not None and block.matrix is not None and len(block.qubits) == 2:
            pairs.append(block.qubits)
    return pairs


def _grown(blocks: Sequence[Block], qubits: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """Return the places of blocks on some qubits, and of blocks that depend on none of them.

    Between the blocks on these qubits there is none but such that can be applied before or after
    all of them.
    """
    inside, independent = [], []
    reached: set[int] = set()
    left: set[int] = set()
    for place, block in enumerate(blocks):
        if block.matrix is not None and set(block.qubits) <= set(qubits) - left:
            inside.append(place)
            reached.update(block.qubits)
        elif reached.isdisjoint(block.qubits):
            independent.append(place)
        else:
            left.update(block.qubits)
            reached.update(block.qubits)
        if len(left.intersection(qubits)) >= len(qubits) - 1:
            break
    return inside, independent
