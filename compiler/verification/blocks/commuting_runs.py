"""Which blocks of a circuit can be done next: on each qubit, those of one run in any order."""

from collections import deque

import numpy as np
from attrs import define
from numpy.typing import NDArray

from compiler.circuits.tolerances import SAME
from compiler.verification.blocks.two_qubit_blocks import Blocks

Axis = NDArray[np.complex128]


@define
class CommutingRuns:
    """Blocks that are done one after the other.

    On a qubit a block may keep to one axis of the Bloch sphere: it is then a sum of products
    whose factors there all commute with rotations about that axis. Blocks that follow each other
    on a qubit and keep to the same axis there form a run, and a block can be done as soon as the
    runs before its own are done on both of its qubits.

    Args:
        blocks: all of them.
        runs: for each block the number of its run on its low and on its high qubit.
        left: for each qubit and run, how many of its blocks are not done.
        current: for each qubit the number of the run that is being done.
        waiting: for each pair of qubits its blocks that are not done.
        error: by how much, in operator norm, an order of a run's blocks may differ from another.
    """

    blocks: Blocks
    runs: list[tuple[int, int]]
    left: list[list[int]]
    current: list[int]
    waiting: dict[tuple[int, int], deque[int]]
    error: float

    @classmethod
    def of(cls, blocks: Blocks) -> "CommutingRuns":
        """Return a circuit of which nothing is done."""
        qubits = len(blocks.ends)
        left: list[list[int]] = [[] for _ in range(qubits)]
        longest: list[Axis | None] = [None] * qubits
        waiting: dict[tuple[int, int], deque[int]] = {}
        runs, error = [], 0.0
        axes = [_axes(blocks, wire) for wire in range(2)]
        for index, pair in enumerate(blocks.pairs):
            waiting.setdefault(pair, deque()).append(index)
            for wire, qubit in enumerate(pair):
                directions, clear = axes[wire]
                axis, begun = directions[index] if clear[index] else None, longest[qubit]
                apart = np.inf
                if axis is not None and begun is not None:
                    apart, axis = _compared(axis, begun)
                if apart > SAME:
                    left[qubit].append(0)
                    axis = directions[index] if clear[index] else None
                else:
                    # One exchange with each of the others is wrong by four times that at most.
                    error += 4 * apart * left[qubit][-1]
                left[qubit][-1] += 1
                longest[qubit] = axis
            runs.append((len(left[pair[0]]) - 1, len(left[pair[1]]) - 1))
        return cls(blocks, runs, left, [0] * qubits, waiting, error)

    def next_on(self, pair: tuple[int, int]) -> int | None:
        """Return a block on two qubits, rising, that can be done next."""
        waiting = self.waiting.get(pair)
        if not waiting:
            return None
        run = self.runs[waiting[0]]
        ready = all(self.current[qubit] == its for qubit, its in zip(pair, run, strict=True))
        return waiting[0] if ready else None

    def do(self, block: int) -> None:
        """Do a block that can be done next."""
        pair = self.blocks.pairs[block]
        self.waiting[pair].popleft()
        for qubit, run in zip(pair, self.runs[block], strict=True):
            self.left[qubit][run] -= 1
            if not self.left[qubit][run]:
                self.current[qubit] += 1

    @property
    def unfinished(self) -> int:
        """How many blocks are not done."""
        return sum(map(len, self.waiting.values()))


def _compared(first: Axis, second: Axis) -> tuple[float, Axis]:
    """Return how far the shorter axis is from the line of the longer one, and the longer one.

    A block that turns by little has a short axis, whose direction rounding makes inexact.
    """
    short, long = sorted((first, second), key=np.linalg.norm)
    along = long / np.linalg.norm(long)
    return float(np.linalg.norm(short - np.vdot(along, short) * along)), long


def _axes(blocks: Blocks, wire: int) -> tuple[NDArray[np.complex128], NDArray[np.bool_]]:
    """Return the axis that each block keeps to on its low (0) or high (1) qubit.

    Returns:
        Shape (blocks, 3), as long as the block departs from doing nothing there, and which of
        them there are.
    """
    if not blocks.pairs:
        return np.empty((0, 3), np.complex128), np.empty(0, np.bool_)
    parts = np.array(blocks.unitaries).reshape(-1, 2, 2, 2, 2)
    order = (0, 1, 3, 2, 4) if wire == 0 else (0, 2, 4, 1, 3)
    parts = parts.transpose(order).reshape(-1, 4, 2, 2)
    off, back = parts[..., 0, 1], parts[..., 1, 0]
    vectors = np.stack(
        [back + off, 1j * (off - back), parts[..., 0, 0] - parts[..., 1, 1]], axis=-1
    )
    _, sizes, directions = np.linalg.svd(vectors)
    lengths = sizes[:, :1] / 2
    return lengths * directions[:, 0].conj(), (sizes[:, 0] > SAME) & (sizes[:, 1] < SAME)
