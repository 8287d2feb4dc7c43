"""Circuits of any width proven equal on any input, two-qubit block by two-qubit block."""

import numpy as np
from attrs import define, field
from qiskit import QuantumCircuit

from compiler.circuits.matrices import SWAP_ORDER, Matrix, kronecker, with_qubits_swapped
from compiler.circuits.tolerances import LOCAL_BLOCK, SAME_BLOCK, SAME_BY_BLOCKS
from compiler.circuits.weyl import tensor_factors
from compiler.lowering.draft import Draft
from compiler.verification.blocks.commuting_runs import CommutingRuns
from compiler.verification.blocks.two_qubit_blocks import Blocks
from compiler.verification.program import Verdict

LONGEST = 16
"""Blocks of the original that may have become one."""


def verdict_by_blocks(original: QuantumCircuit, lowered: Draft) -> Verdict:
    """Prove that a native circuit does what the original does on any input.

    Each block of the native circuit has to do what some blocks of the original do that can be
    done next on the qubits that are there, perhaps followed by a swap, and apart from one-qubit
    gates, which are carried on to the blocks that follow. Qubits of the target that hold no
    qubit of the original start in |0⟩ and must end there. The work is linear in the gates.

    Args:
        original: unitary gates and operators.
        lowered: the result on the target's qubits, with its layouts.

    Returns:
        `exact`, or `unverified` where a block of the native circuit is not found in the
        original: it may be wrong, or blocks may have been taken apart.
    """
    wanted = Blocks.of(original, rename=True)
    runs = CommutingRuns.of(wanted)
    made = Blocks.of(lowered.circuit)
    walk = _Walk(runs, list(lowered.initial_layout), lowered.circuit.num_qubits)
    for number, (pair, unitary) in enumerate(zip(made.pairs, made.unitaries, strict=True)):
        if not walk.follow(pair, unitary):
            return Verdict(
                "unverified",
                f"two-qubit block {number + 1:,} of {len(made.pairs):,} is none of the original's",
            )
    if runs.unfinished:
        return Verdict("unverified", f"{runs.unfinished:,} two-qubit blocks could not be matched")
    if [walk.places[wire] for wire in wanted.wires] != list(lowered.final_layout):
        return Verdict("unverified", "all two-qubit blocks match, but not where qubits end")
    walk.finish(wanted.ends, made.ends)
    if walk.error > SAME_BY_BLOCKS:
        return Verdict("unverified", f"the circuits may differ by {walk.error:.2g}")
    return Verdict(
        "exact",
        f"equal block by block on any input ({len(made.pairs):,} two-qubit blocks, "
        f"error at most {walk.error:.1g})",
    )


@define
class _Walk:
    """How far a native circuit has been followed.

    Args:
        runs: the original's blocks.
        places: for each wire of the original, the native qubit that holds it.
        width: of the native circuit.
        held: for each native qubit, the wire of the original that it holds, or -1.
        frames: for each native qubit that holds one, the gate by which its state differs from
            the original's, both with their own one-qubit gates left out; for each other one, its
            state as the only column that counts.
        error: the operator norm of the difference so far is at most that.
    """

    runs: CommutingRuns
    places: list[int]
    width: int
    held: list[int] = field(init=False)
    frames: Matrix = field(init=False)
    error: float = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.held = [-1] * self.width
        for qubit, place in enumerate(self.places):
            self.held[place] = qubit
        self.frames = np.tile(np.eye(2, dtype=np.complex128), (self.width, 1, 1))
        self.error = self.runs.error + self.runs.blocks.error

    def follow(self, pair: tuple[int, int], unitary: Matrix) -> bool:
        """Follow the native circuit's next block; tell whether the original has it."""
        low, high = pair
        first, second = self.held[low], self.held[high]
        if first < 0 or second < 0:
            return self._follow_idle(pair, unitary)
        ours = (first, second) if first < second else (second, first)
        now = unitary @ kronecker(self.frames[high], self.frames[low])
        for _ in range(LONGEST):
            if self._splits(pair, now, SAME_BLOCK):
                return True
            block = self.runs.next_on(ours)
            if block is None:
                return self._splits(pair, now, 2 * LOCAL_BLOCK)
            self.runs.do(block)
            done = self.runs.blocks.unitaries[block]
            now = now @ (done if first < second else with_qubits_swapped(done)).conj().T
        return False

    def _follow_idle(self, pair: tuple[int, int], unitary: Matrix) -> bool:
        """Follow a block on a qubit that holds none of the original's, and whose state is known.

        The other one's may stay where it is, or change places with it.
        """
        low, high = pair
        first, second = self.held[low], self.held[high]
        states = [
            self.frames[high] if second >= 0 else self.frames[high][:, :1],
            self.frames[low] if first >= 0 else self.frames[low][:, :1],
        ]
        now = unitary @ (states[0][:, None, :, None] * states[1][None, :, None, :]).reshape(4, -1)
        columns = states[0].shape[1], states[1].shape[1]
        for swaps in (False, True):
            # What is on the low qubit afterwards has the columns of what was on the other before.
            to = columns[::-1] if swaps else columns
            whole = now.reshape(2, 2, *columns)
            whole = whole.transpose(0, 1, 3, 2) if swaps else whole
            split = tensor_factors(whole, SAME_BLOCK)
            if split is None:
                continue
            gate_high, gate_low, apart = split
            self.error += apart
            self.frames[high][:, : to[0]], self.frames[low][:, : to[1]] = gate_high, gate_low
            if swaps:
                self._exchange(pair)
            return True
        return False

    def _splits(self, pair: tuple[int, int], now: Matrix, room: float) -> bool:
        """Take a matrix for two qubits' frames if it is one-qubit gates, perhaps after a swap."""
        low, high = pair
        for swaps in (False, True):
            split = tensor_factors((now[:, SWAP_ORDER] if swaps else now).reshape(2, 2, 2, 2), room)
            if split is None:
                continue
            self.frames[high], self.frames[low], apart = split
            self.error += apart
            if swaps:
                self._exchange(pair)
            return True
        return False

    def _exchange(self, pair: tuple[int, int]) -> None:
        low, high = pair
        self.held[low], self.held[high] = self.held[high], self.held[low]
        for place in pair:
            if self.held[place] >= 0:
                self.places[self.held[place]] = place

    def finish(self, wanted: Matrix, made: Matrix) -> None:
        """Compare the one-qubit gates at the ends, up to a phase each."""
        for place, qubit in enumerate(self.held):
            given = made[place] @ self.frames[place]
            if qubit < 0:
                self.error += float(abs(given[1, 0]))
                continue
            overlap = np.vdot(wanted[qubit], given)
            phase = overlap / abs(overlap) if abs(overlap) > 0 else 1.0
            self.error += float(np.linalg.norm(given - phase * wanted[qubit]))
