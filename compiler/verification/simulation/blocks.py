"""Neighbouring gates on the same two qubits as one, and swaps as other names for qubits.

Routing swaps qubits, and optimisers merge a swap with the gates next to it. The parts of the
result are superpositions that mean nothing by themselves; the whole is a swap and a phase.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import asin, pi

import numpy as np
from attrs import define, evolve
from qiskit.synthesis import TwoQubitWeylDecomposition

from compiler.circuits.gate_steps import Step
from compiler.circuits.matrices import (
    CONTROLLED,
    HADAMARD,
    IDENTITY,
    SWAP,
    Matrix,
    kronecker,
    with_qubits_swapped,
)
from compiler.circuits.tolerances import SAME, SAME_TURN
from compiler.circuits.weyl import weyl_decomposition

KEPT_PARTS = 4096
"""Decompositions that are kept: noisy shots differ in few blocks of a circuit."""


def as_turn(
    qubits: tuple[int, int], matrix: Matrix, fresh: int, before: Matrix
) -> list[Step] | None:
    """Return one-qubit gates around at most one `zz` that equal a block on a fresh qubit.

    The block must take each of two orthogonal states of the other qubit to a product of two
    states, of which those of the other qubit are orthogonal again: the fresh one is then turned
    by how much the other one says.

    Args:
        qubits: of the block.
        matrix: of the block, shape (4, 4), the first qubit being the low bit.
        fresh: which of the two nothing but one-qubit gates has acted on.
        before: their product; they stay where they are.

    Returns:
        The steps, equal to the block up to a phase; None if there are none.
    """
    # Axes: out of the other qubit, out of the fresh one, into the other one, into the fresh one.
    order = (0, 1, 2, 3) if fresh == 0 else (1, 0, 3, 2)
    tensor = matrix.reshape(2, 2, 2, 2).transpose(order) @ before[:, 0]
    kraus = tensor.transpose(1, 0, 2)
    inputs = _basis([a.conj().T @ b for a in kraus for b in kraus])
    states: list[Matrix] = []
    others: list[Matrix] = []
    for column in inputs.T:
        left, sizes, right = np.linalg.svd(tensor @ column)
        if sizes[1] > SAME:
            return None
        others.append(left[:, 0] * sizes[0])
        states.append(right[0])
    if abs(np.vdot(*others)) > SAME:
        return None
    overlap = complex(np.vdot(*states))
    if abs(overlap) > SAME:
        states[1] = states[1] * (overlap.conjugate() / abs(overlap))
        others[1] = others[1] * (overlap / abs(overlap))
    # Half the angle between two states whose overlap is real; an arc cosine would be less exact.
    angle = asin(float(np.linalg.norm(states[0] - states[1])) / 2)
    own, other = qubits[fresh], qubits[1 - fresh]
    ready, stacked = before.conj().T, np.stack(others, axis=1)
    if angle < SAME_TURN:
        return [
            Step("u", (own,), _turn(states, 0.0) @ HADAMARD @ ready),
            Step("u", (other,), stacked @ inputs.conj().T),
        ]
    return [
        Step("u", (own,), HADAMARD @ ready),
        Step("u", (other,), inputs.conj().T),
        Step("zz", (own, other), angle=angle),
        Step("u", (own,), _turn(states, angle)),
        Step("u", (other,), stacked),
    ]


def _basis(operators: list[Matrix]) -> Matrix:
    """Return as columns a basis in which all of some operators are diagonal, if there is one."""
    hermitian = [
        part
        for operator in operators
        for part in (operator + operator.conj().T, 1j * (operator - operator.conj().T))
    ]
    widest = max(hermitian, key=lambda matrix: float(np.ptp(np.linalg.eigvalsh(matrix))))
    _, vectors = np.linalg.eigh(widest)
    return vectors


def _turn(states: list[Matrix], angle: float) -> Matrix:
    """Return a unitary that takes exp(±iφZ)|+⟩ to two states, which are as far from each other."""
    signs = np.exp(1j * angle * np.array([[1, -1], [-1, 1]])) / np.sqrt(2)
    left, _, right = np.linalg.svd(np.stack(states, axis=1) @ signs.conj().T)
    return left @ right


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


def on_few_qubits(
    steps: Sequence[Step], *, as_they_are: bool = False
) -> tuple[list[int], list[Step], Sequence[int]]:
    """Return gates on as few qubits as they touch.

    Args:
        steps: gates on one and two qubits; barriers are left out.
        as_they_are: whether neighbours on two qubits are not merged.

    Returns:
        The qubits that are touched, the gates on places among these, and for each place the one
        that holds its value at the end.
    """
    gates = [step for step in steps if step.kind != "barrier"]
    qubits = sorted({qubit for step in gates for qubit in step.qubits})
    place = {qubit: i for i, qubit in enumerate(qubits)}
    local = [evolve(step, qubits=tuple(place[q] for q in step.qubits)) for step in gates]
    if as_they_are:
        return qubits, local, range(len(qubits))
    return qubits, *merged(local, len(qubits))


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
            gate = CONTROLLED[step.kind]
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
            options = [_as_phase(block.qubits, matrix)]
            for place, qubit in enumerate(block.qubits):
                if qubit in self.fresh:
                    options.append(as_turn(block.qubits, matrix, place, self.fresh[qubit]))
            ways += [(steps, swapped) for steps in options if steps is not None]
        return min(ways, key=lambda way: len(way[0]), default=(None, False))

    def _named(self, step: Step) -> Step:
        return evolve(step, qubits=tuple(self.place[qubit] for qubit in step.qubits))


def _as_phase(qubits: tuple[int, int], matrix: Matrix) -> list[Step] | None:
    """Return one-qubit gates around at most one `zz`, None if that is not enough."""
    parts = _parts(matrix.tobytes())
    if abs(parts.b) > SAME or abs(parts.c) > SAME:
        return None
    a, b = qubits
    if abs(parts.a) < SAME:
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
