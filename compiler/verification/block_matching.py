"""Circuits of any width proven equal on any input, two-qubit block by two-qubit block.

Which blocks of a circuit can be done next: on each qubit, those of one run in any order.
"""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from math import inf

import numpy as np
from attrs import define, evolve, field, frozen
from qiskit import QuantumCircuit

from compiler.circuits.matrices import CONTROLLED, Bits, Matrix, kronecker, with_qubits_swapped
from compiler.circuits.tolerances import LOCAL_BLOCK, SAME, SAME_BLOCK, SAME_BY_BLOCKS
from compiler.lowering.draft import Draft
from compiler.verification.program import Verdict
from compiler.verification.two_qubit_blocks import Blocks, split_block
from compiler.words.held_inputs import FROM_ZERO


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
        longest: list[Matrix | None] = [None] * qubits
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
        """Number of open blocks."""
        return sum(map(len, self.waiting.values()))


def _compared(first: Matrix, second: Matrix) -> tuple[float, Matrix]:
    """Return how far the shorter axis is from the line of the longer one, and the longer one.

    A block that turns by little has a short axis, whose direction rounding makes inexact.
    """
    short, long = sorted((first, second), key=np.linalg.norm)
    along = long / np.linalg.norm(long)
    return float(np.linalg.norm(short - np.vdot(along, short) * along)), long


def _axes(blocks: Blocks, wire: int) -> tuple[Matrix, Bits]:
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


LONGEST = 16
"""Blocks of the original that may have become one."""
MOVES = CONTROLLED["cx"], with_qubits_swapped(CONTROLLED["cx"])
"""CX that the low qubit controls, and that the high one does."""


def verdict_by_blocks(
    original: QuantumCircuit, lowered: Draft, zero: Collection[int] = ()
) -> Verdict:
    """Prove that a native circuit equals the original on any input.

    Each block of the native circuit has to equal some blocks of the original that can be next on
    the qubits that it is on, perhaps followed by a swap, and apart from one-qubit
    gates, which are carried on to the blocks that follow. Qubits of the target that hold no
    qubit of the original start in |0⟩ and must end there. If that fails, blocks of both circuits
    are brought together first where what lies between commutes. The work is linear in the gates.

    Before a block on a qubit that is still in |0⟩, as no block of the original has acted on it, the
    original may have a CX that it controls.

    Args:
        original: unitary gates and operators.
        lowered: the result on the target's qubits, with its layouts.
        zero: qubits of the original that start in |0⟩; the others may be in any state.

    Returns:
        `exact`, or `unverified` where a block of the native circuit is not found in the
        original: it may be wrong, or blocks may have been taken apart.
    """
    wanted, own = Blocks.of(original, rename=True), Blocks.of(lowered.circuit)
    verdict = _matched(wanted, own, lowered, zero)
    if verdict.verified == "exact":
        return verdict
    together = _matched(brought_together(wanted), brought_together(own), lowered, zero)
    return together if together.verified == "exact" else verdict


def _matched(wanted: Blocks, own: Blocks, lowered: Draft, zero: Collection[int]) -> Verdict:
    runs = CommutingRuns.of(wanted)
    places = list(lowered.initial_layout)
    walk = _Walk(runs, own.error, places, lowered.circuit.num_qubits, {*zero})
    for number, (pair, unitary) in enumerate(zip(own.pairs, own.unitaries, strict=True)):
        if not walk.follow(pair, unitary):
            return Verdict(
                "unverified",
                f"two-qubit block {number + 1:,} of {len(own.pairs):,} is none of the original's",
            )
    if runs.unfinished:
        return Verdict("unverified", f"{runs.unfinished:,} two-qubit blocks could not be matched")
    if [walk.places[wire] for wire in wanted.wires] != list(lowered.final_layout):
        return Verdict("unverified", "all two-qubit blocks match, but not where qubits end")
    walk.finish(wanted.ends, own.ends)
    if walk.error > SAME_BY_BLOCKS:
        return Verdict("unverified", f"the circuits may differ by {walk.error:.2g}")
    return Verdict(
        "exact",
        f"equal block by block {FROM_ZERO if walk.moves else 'on any input'} "
        f"({len(own.pairs):,} two-qubit blocks, "
        f"error at most {walk.error:.1g})",
    )


NEAR = 256
"""Blocks between two that may be brought together."""
PASSES = 4
"""Times that blocks are brought together; what becomes one may commute with others than before."""


def brought_together(blocks: Blocks) -> Blocks:
    """Return the same circuit in fewer blocks: those on the same wires become one.

    Blocks between two of them have to commute with the first, or come after the second.
    """
    for _ in range(PASSES):
        runs = CommutingRuns.of(blocks)
        order: list[_Block] = []
        for pair, unitary, run in zip(blocks.pairs, blocks.unitaries, runs.runs, strict=True):
            _add(order, _Block(pair, unitary, run))
        done = len(order) == len(blocks.pairs)
        blocks = evolve(
            blocks,
            pairs=[each.pair for each in order],
            unitaries=[each.unitary for each in order],
            error=blocks.error + runs.error,
        )
        if done:
            break
    return blocks


@frozen(eq=False)
class _Block:
    """A block with the run that it belongs to on each of its wires.

    One that was made of two runs comes between them, with half a number.
    """

    pair: tuple[int, int]
    unitary: Matrix
    runs: tuple[float, float]

    def is_after(self, reached: Mapping[int, float]) -> bool:
        """Return whether it is in a later run than some blocks, given their first run by wire."""
        return any(reached.get(w, inf) < run for w, run in zip(self.pair, self.runs, strict=True))


def _add(order: list[_Block], new: _Block) -> None:
    """Add a block, or multiply it to the last one on its wires if they can be brought together."""
    near = range(len(order) - 1, max(len(order) - NEAR, 0) - 1, -1)
    place = next((place for place in near if order[place].pair == new.pair), None)
    if place is None or any(b - a > 1 for a, b in zip(order[place].runs, new.runs, strict=True)):
        order.append(new)
        return
    old = order[place]
    first = dict(zip(old.pair, old.runs, strict=True))
    reached: dict[int, float] = {}
    before, after = list[_Block](), list[_Block]()
    for block in order[place + 1 :]:
        if not (block.is_after(first) or block.is_after(reached)):
            before.append(block)
            continue
        after.append(block)
        for wire, run in zip(block.pair, block.runs, strict=True):
            reached[wire] = min(run, reached.get(wire, inf))
    if new.is_after(reached):
        order.append(new)
        return
    low, high = ((a + b) / 2 for a, b in zip(old.runs, new.runs, strict=True))
    order[place:] = [*before, _Block(new.pair, new.unitary @ old.unitary, (low, high)), *after]


@define
class _Walk:
    """State of following a native circuit.

    Args:
        runs: the original's blocks.
        error: the operator norm of the difference so far is at most that.
        places: for each wire of the original, the native qubit that holds it.
        width: of the native circuit.
        zero: wires of the original that are still in |0⟩.
        moves: blocks before which the original has a CX that |0⟩ controls.
        held: for each native qubit, the wire of the original that it holds, or -1.
        frames: for each native qubit that holds one, the gate by which its state differs from
            the original's, both with their own one-qubit gates left out; for each other one, its
            state as the only column that counts.
    """

    runs: CommutingRuns
    error: float
    places: list[int]
    width: int
    zero: set[int]
    moves: int = field(default=0, init=False)
    held: list[int] = field(init=False)
    frames: Matrix = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.held = [-1] * self.width
        for qubit, place in enumerate(self.places):
            self.held[place] = qubit
        self.frames = np.tile(np.eye(2, dtype=np.complex128), (self.width, 1, 1))
        self.error += self.runs.error + self.runs.blocks.error

    def follow(self, pair: tuple[int, int], unitary: Matrix) -> bool:
        """Follow the native circuit's next block; tell whether the original has it."""
        low, high = pair
        first, second = self.held[low], self.held[high]
        # Of a qubit that holds none of the original's only one column matters: its state is |0⟩.
        frames = [self.frames[place][:, : 1 + (self.held[place] >= 0)] for place in (high, low)]
        now = unitary @ kronecker(*frames)
        if first < 0 or second < 0:
            shape = 2, 2, frames[0].shape[1], frames[1].shape[1]
            return self._splits(pair, now.reshape(shape), SAME_BLOCK)
        ours = (first, second) if first < second else (second, first)
        wires = zip((first, second), MOVES, strict=True)
        ways = [now, *(now @ move for wire, move in wires if wire in self.zero)]
        for _ in range(LONGEST):
            if self._splits_once(pair, ways, SAME_BLOCK):
                return True
            block = self.runs.next_on(ours)
            if block is None:
                break
            self.runs.do(block)
            self.zero -= {*ours}
            done = self.runs.blocks.unitaries[block]
            done = done if first < second else with_qubits_swapped(done)
            ways = [way @ done.conj().T for way in ways]
        return self._splits_once(pair, ways, 2 * LOCAL_BLOCK)

    def _splits_once(self, pair: tuple[int, int], ways: Sequence[Matrix], room: float) -> bool:
        for number, way in enumerate(ways):
            if self._splits(pair, way.reshape(2, 2, 2, 2), room):
                self.moves += number > 0
                return True
        return False

    def _splits(self, pair: tuple[int, int], now: Matrix, room: float) -> bool:
        """Take a matrix for two qubits' frames if it is one-qubit gates, perhaps after a swap."""
        parts = split_block(now, room)
        if parts is None:
            return False
        on_high, on_low, apart, swapped = parts
        low, high = pair
        self.frames[high][:, : on_high.shape[1]] = on_high
        self.frames[low][:, : on_low.shape[1]] = on_low
        self.error += apart
        if swapped:
            self._exchange(pair)
        return True

    def _exchange(self, pair: tuple[int, int]) -> None:
        low, high = pair
        self.held[low], self.held[high] = self.held[high], self.held[low]
        for place in pair:
            if self.held[place] >= 0:
                self.places[self.held[place]] = place

    def finish(self, wanted: Matrix, actual: Matrix) -> None:
        """Compare the one-qubit gates at the ends, up to a phase each."""
        for place, qubit in enumerate(self.held):
            frame = actual[place] @ self.frames[place]
            if qubit < 0:
                self.error += float(abs(frame[1, 0]))
                continue
            overlap = np.vdot(wanted[qubit], frame)
            phase = overlap / abs(overlap) if abs(overlap) > 0 else 1.0
            self.error += float(np.linalg.norm(frame - phase * wanted[qubit]))
