"""Neighbouring gates on the same two qubits as one, and swaps as other names for qubits.

Routing swaps qubits, and optimisers merge a swap with the gates next to it. The parts of the
result are superpositions that mean nothing by themselves; the whole is a swap and a phase.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import pi, sqrt

import numpy as np
from attrs import define, evolve
from qiskit.synthesis import TwoQubitWeylDecomposition

from compiler.circuits.gate_steps import Step
from compiler.circuits.matrices import SWAP, Matrix, kronecker, with_qubits_swapped
from compiler.circuits.weyl import weyl_decomposition
from compiler.verification.simulation.commuting.fresh_qubits import as_turn

CLOSE = 1e-9
KEPT_PARTS = 4096
"""Decompositions that are kept: noisy shots differ in few blocks of a circuit."""

IDENTITY: Matrix = np.eye(2, dtype=complex)
HADAMARD: Matrix = (np.array([[1, 1], [1, -1]]) * sqrt(1 / 2)).astype(complex)
GATES: dict[str, Matrix] = {
    "cx": np.eye(4, dtype=complex)[[0, 3, 2, 1]],
    "cz": np.diag([1, 1, 1, -1]).astype(complex),
}
"""Matrices whose index has the first qubit as its low bit."""


def merged(
    steps: Sequence[Step], qubits: int, *, from_zero: bool = False
) -> tuple[list[Step], list[int]]:
    """Merge the gates of a circuit block by block.

    Args:
        steps: one-qubit gates, `cx` and `cz`, no barriers.
        qubits: width of the circuit.
        from_zero: whether blocks may do anything else where a qubit that they are the first to
            act on does not start in |0⟩. So swaps are found that compilers have made short.

    Returns:
        Steps that do the same up to a global phase, and for each qubit the one that holds its
        value at the end.
    """
    merging = _Merging(list(range(qubits)), dict.fromkeys(range(qubits * from_zero), IDENTITY))
    done = [done for step in steps for done in merging.take(step)]
    done += [last for block in merging.blocks() for last in merging.close(block)]
    return done, merging.place


@define(eq=False)
class _Block:
    """Gates on two qubits, and their product."""

    qubits: tuple[int, int]
    steps: list[Step]
    matrix: Matrix
    gates: int


class _Merging:
    def __init__(self, place: list[int], fresh: dict[int, Matrix]) -> None:
        self.place = place
        self.fresh = fresh
        self.open: dict[int, _Block] = {}

    def blocks(self) -> list[_Block]:
        return list({id(block): block for block in self.open.values()}.values())

    def take(self, step: Step) -> Iterator[Step]:
        """Take the next gate; yield the steps of blocks that it ends."""
        block = self.open.get(step.qubits[0])
        if step.kind == "u" and step.matrix is not None:
            if block is None:
                (qubit,) = step.qubits
                if qubit in self.fresh:
                    self.fresh[qubit] = step.matrix @ self.fresh[qubit]
                yield self._named(step)
                return
            low = step.qubits[0] == block.qubits[0]
            pair = (IDENTITY, step.matrix) if low else (step.matrix, IDENTITY)
            block.matrix = kronecker(*pair) @ block.matrix
        else:
            a, b = step.qubits
            if block is None or set(block.qubits) != {a, b}:
                for qubit in (a, b):
                    if qubit in self.open:
                        yield from self.close(self.open[qubit])
                block = _Block((a, b), [], np.eye(4, dtype=complex), 0)
                self.open[a] = self.open[b] = block
            gate = GATES[step.kind]
            in_order = gate if block.qubits == (a, b) else with_qubits_swapped(gate)
            block.matrix = in_order @ block.matrix
            block.gates += 1
        block.steps.append(step)

    def close(self, block: _Block) -> Iterator[Step]:
        """Yield the steps of a block in the names that its qubits have by now."""
        for qubit in block.qubits:
            self.open.pop(qubit, None)
        simple, swapped = self._simple(block)
        for qubit in block.qubits:
            self.fresh.pop(qubit, None)
        for step in block.steps if simple is None else simple:
            yield self._named(step)
        if simple is not None and swapped:
            a, b = block.qubits
            self.place[a], self.place[b] = self.place[b], self.place[a]

    def _simple(self, block: _Block) -> tuple[list[Step] | None, bool]:
        """Return a block as at most one `zz`, perhaps after a swap; and whether it is after one."""
        if block.gates == 1:
            return None, False
        ways: list[tuple[list[Step], bool]] = []
        for matrix, swapped in ((block.matrix, False), (SWAP @ block.matrix, True)):
            found = [_as_phase(block.qubits, matrix)]
            for place, qubit in enumerate(block.qubits):
                if qubit in self.fresh:
                    found.append(as_turn(block.qubits, matrix, place, self.fresh[qubit]))
            ways += [(steps, swapped) for steps in found if steps is not None]
        return min(ways, key=lambda way: len(way[0]), default=(None, False))

    def _named(self, step: Step) -> Step:
        return evolve(step, qubits=tuple(self.place[qubit] for qubit in step.qubits))


def _as_phase(qubits: tuple[int, int], matrix: Matrix) -> list[Step] | None:
    """Return one-qubit gates around at most one `zz`, None if that is not enough."""
    parts = _parts(matrix.tobytes())
    if abs(parts.b) > CLOSE or abs(parts.c) > CLOSE:
        return None
    a, b = qubits
    if abs(parts.a) < CLOSE:
        return [Step("u", (a,), parts.K1r @ parts.K2r), Step("u", (b,), parts.K1l @ parts.K2l)]
    return [
        Step("u", (a,), HADAMARD @ parts.K2r),
        Step("u", (b,), HADAMARD @ parts.K2l),
        Step("zz", (a, b), angle=float(parts.a) % (2 * pi)),
        Step("u", (a,), parts.K1r @ HADAMARD),
        Step("u", (b,), parts.K1l @ HADAMARD),
    ]


@lru_cache(KEPT_PARTS)
def _parts(matrix: bytes) -> TwoQubitWeylDecomposition:
    return weyl_decomposition(np.frombuffer(matrix, complex).reshape(4, 4))
