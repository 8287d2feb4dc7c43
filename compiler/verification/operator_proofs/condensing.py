"""Gates taken together where they permute basis states, for any input.

Lowered operators are mostly reversible logic: a Toffoli gate has become superpositions that mean
nothing by themselves, and a permutation as a whole. Played one at a time on many inputs, such gates
double every state and halve it again; taken together they rename basis states. The ends of such a
permutation are found by some inputs: there, the axes of qubits are the same for all of them. The
proof does not assume that, as the permutation is the product of all its gates.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from attrs import frozen

from compiler.circuits.branches import Branches
from compiler.circuits.gate_steps import Step
from compiler.circuits.matrices import (
    CONTROLLED,
    IDENTITY,
    Bits,
    Matrix,
    Numbers,
    applied,
    kronecker,
)
from compiler.circuits.tolerances import ROUNDING, SAME

RENAMED = (2, 3, 4, 5)
"""Qubits of gates that are looked at together for a permutation, in this order."""

MIXED = 3
"""Qubits of other gates that are played together."""

REACH = 40
"""Later pieces that are looked at."""


@frozen(eq=False)
class Piece:
    """Gates that are played together.

    Args:
        qubits: that they are on.
        matrix: of them all; the first qubit is the low bit of its index.
        images: for each basis state the one that it becomes, if they permute them; else None.
    """

    qubits: tuple[int, ...]
    matrix: Matrix
    images: Numbers | None

    @classmethod
    def of(cls, qubits: tuple[int, ...], matrix: Matrix) -> "Piece":
        """Return gates with their maps of basis states."""
        sizes = np.abs(matrix)
        images = sizes.argmax(axis=0)
        sizes[images, np.arange(len(images))] -= 1
        return cls(qubits, matrix, images if np.abs(sizes).max() < ROUNDING else None)

    @property
    def branches(self) -> int:
        """The most basis states that the gates make of one."""
        return int((np.abs(self.matrix) > ROUNDING).sum(axis=0).max())

    def then(self, other: "Piece") -> "Piece":
        """Return these gates and others after them."""
        qubits = tuple(dict.fromkeys((*self.qubits, *other.qubits)))
        matrix: Matrix = np.eye(1 << len(qubits), dtype=complex)
        for piece in (self, other):
            matrix = applied(piece.matrix, [qubits.index(q) for q in piece.qubits], matrix)
        return Piece.of(qubits, matrix)

    def play(self, branches: Branches) -> None:
        """Apply the gates."""
        if self.images is None:
            branches.mix(self.qubits, self.matrix)
        else:
            phases = self.matrix[self.images, np.arange(len(self.images))]
            branches.rename(self.qubits, self.images, phases)


@frozen(eq=False)
class Condensed:
    """Gates as pieces.

    Args:
        pieces: one after the other.
        straightened: the qubits that are looked at for a smaller basis after each.
    """

    pieces: Sequence[Piece]
    straightened: Sequence[Sequence[int]]

    @classmethod
    def of(cls, steps: Sequence[Step], examples: Bits) -> "Condensed":
        """Condense gates.

        Args:
            steps: gates on one and two qubits, no barriers.
            examples: some basis states that are met, shape (inputs, qubits). Gates that were of no
                use for any of them are not tried again.
        """
        pieces = _gathered(_cut(steps, examples))
        branches, straightened = Branches(examples), []
        for piece in pieces:
            piece.play(branches)
            straightened.append(branches.straighten(piece.qubits))
        return cls(pieces, straightened)

    def play(self, branches: Branches) -> None:
        """Apply the gates."""
        for piece, qubits in zip(self.pieces, self.straightened, strict=True):
            piece.play(branches)
            branches.straighten(qubits)


def _cut(steps: Sequence[Step], examples: Bits) -> list[Piece]:
    """Return two-qubit gates with the one-qubit gates about them, from axis to axis of a qubit."""
    branches = Branches(examples)
    gates: list[tuple[Step, list[Matrix]]] = []
    axes: list[dict[int, Matrix]] = []  # for each gate, of its qubits after it
    latest: dict[int, int] = {}
    # Gates on each qubit since its last two-qubit gate, from the axis on.
    turns: dict[int, Matrix] = dict.fromkeys(range(branches.qubits), IDENTITY)
    for step in steps:
        for qubit in step.qubits:
            if qubit in latest and qubit not in axes[latest[qubit]]:
                axis = _common_axis(branches.frames.get(qubit))
                axes[latest[qubit]][qubit] = turns[qubit] = axis
        if step.kind == "u" and step.matrix is not None:
            (qubit,) = step.qubits
            turns[qubit] = step.matrix @ turns[qubit]
        else:
            gates.append((step, [turns[qubit] for qubit in step.qubits]))
            axes.append({})
            latest.update(dict.fromkeys(step.qubits, len(gates) - 1))
        branches.play([step])
    pieces = [
        _piece(gate, before, [after.get(qubit, IDENTITY) for qubit in gate.qubits])
        for (gate, before), after in zip(gates, axes, strict=True)
    ]
    for qubit, turn in turns.items():
        open_ = qubit not in latest or qubit in axes[latest[qubit]]
        if open_ and np.abs(turn - IDENTITY).max() > ROUNDING:
            pieces.append(Piece.of((qubit,), turn))
    return pieces


def _piece(gate: Step, before: Sequence[Matrix], after: Sequence[Matrix]) -> Piece:
    """Return a two-qubit gate after the gates on its qubits, up to their axes after it."""
    matrix = CONTROLLED.get(gate.kind)
    if matrix is None:
        matrix = np.diag(np.exp(1j * gate.angle * np.array([1, -1, -1, 1])))
    back = kronecker(after[1].conj().T, after[0].conj().T)
    return Piece.of(tuple(gate.qubits), back @ matrix @ kronecker(before[1], before[0]))


def _common_axis(frames: Matrix | None) -> Matrix:
    """Return a basis of a qubit that all runs' frames share but for phases and order, else 0 and 1.

    Args:
        frames: shape (1, 2, 2) or (runs, 2, 2); None if all are the identity.
    """
    if frames is None or np.abs(frames[0]).min() < SAME:
        return IDENTITY
    relative = np.abs(frames[0].conj().T @ frames)
    alike = np.minimum(relative[:, 0, 0], relative[:, 0, 1]).max() < SAME
    return frames[0] if alike else IDENTITY


def _gathered(pieces: list[Piece]) -> list[Piece]:
    """Return pieces that do the same, which are fewer and make fewer basis states of one."""
    place = 0
    while place < len(pieces):
        # Gates that need not wait come before the gates taken together: another piece is here then.
        if pieces[place].images is not None or not _renamed(pieces, place):
            place += 1
    place = 0
    while place < len(pieces):
        if pieces[place].images is None:
            _mixed(pieces, place)
        place += 1
    return pieces


def _renamed(pieces: list[Piece], first: int) -> bool:
    """Take a piece together with later ones if they permute states; tell whether they do."""
    for width in RENAMED:
        for joined, last, before, after in _together(pieces, first, width):
            if joined.images is not None:
                pieces[first : last + 1] = [*before, joined, *after]
                return True
    return False


def _mixed(pieces: list[Piece], first: int) -> None:
    """Take a piece together with as many later ones as make the fewest basis states of one."""
    ways = [
        (joined.branches, -last, [*before, joined, *after])
        for joined, last, before, after in _together(pieces, first, MIXED)
    ]
    if ways:
        _, end, instead = min(ways, key=lambda way: way[:2])
        pieces[first : 1 - end] = instead


def _together(
    pieces: Sequence[Piece], first: int, width: int
) -> Iterator[tuple[Piece, int, list[Piece], list[Piece]]]:
    """Yield a piece with ever more later ones on some qubits.

    Yields:
        All of them as one, the place of the last, and the others up to that place: those that need
        not wait for them, and those that do.
    """
    joined = pieces[first]
    before, after = list[Piece](), list[Piece]()
    waiting = set[int]()
    for place in range(first + 1, min(first + REACH, len(pieces))):
        piece = pieces[place]
        free = waiting.isdisjoint(piece.qubits)
        together = {*joined.qubits, *piece.qubits}
        if free and len(together) == len(joined.qubits) + len(piece.qubits):
            before.append(piece)
        elif free and len(together) <= width:
            joined = joined.then(piece)
            yield joined, place, list(before), list(after)
        else:
            after.append(piece)
            waiting.update(piece.qubits)
            if waiting.issuperset(joined.qubits):
                return
