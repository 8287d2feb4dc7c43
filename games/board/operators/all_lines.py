"""Conjunctions and disjunctions of many qubits, with clean ancillas."""

from collections.abc import Sequence
from itertools import count, pairwise

from attrs import frozen
from qiskit import QuantumCircuit

from games.board.operators.building import Control, closed, flip_if, margolus
from games.board.rules.five_in_a_row import LENGTH


def ancillas_of(controls: int) -> int:
    """Return how many ancillas `flip_if_all` needs."""
    return max(controls - 2, 0)


def flip_if_all(
    circuit: QuantumCircuit,
    controls: Sequence[Control],
    target: int,
    work: Sequence[int],
    *,
    fresh: bool,
) -> None:
    """Append X on a target where all controls have their values.

    Two by two they are gathered in ancillas by Margolus' gates, whose signs cancel when they are
    taken back: 6k − 6 CX for k > 1 controls, and 6k − 9 on a fresh target, where the last gate
    can be Margolus', too.

    Args:
        circuit: to which is appended.
        controls: qubits and the values that they must have.
        target: which is flipped.
        work: clean ancillas, left clean.
        fresh: whether the target is |0⟩.
    """
    if len(controls) < 2:
        flip_if(circuit, controls, target)
        return
    with closed(circuit, controls) as qubits:
        gathered = [qubits[0], *work[: len(qubits) - 2]]
        for place, (before, after) in enumerate(pairwise(gathered), start=1):
            margolus(circuit, before, qubits[place], after)
        if fresh:
            margolus(circuit, gathered[-1], qubits[-1], target)
        else:
            circuit.ccx(gathered[-1], qubits[-1], target)
        steps = list(enumerate(pairwise(gathered), start=1))
        for place, (before, after) in reversed(steps):
            margolus(circuit, before, qubits[place], after)


def flip_if_any(
    circuit: QuantumCircuit,
    controls: Sequence[int],
    target: int,
    work: Sequence[int],
    *,
    fresh: bool,
) -> None:
    """Append X on a target where any of some qubits is 1; see `flip_if_all`."""
    flip_if_all(circuit, [(qubit, 0) for qubit in controls], target, work, fresh=fresh)
    circuit.x(target)


Gate = tuple[int, int, int]
"""Qubits: two controls, and the clean ancilla that gets their product."""


def tracks(size: int) -> list[list[int]]:
    """Return the rows, columns and diagonals of a board that have five points, point by point."""
    found = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for point in range(size * size):
            row, column = divmod(point, size)
            before = row - down, column - right
            if 0 <= before[0] < size and 0 <= before[1] < size:
                continue
            steps = range(size)
            places = [(row + step * down, column + step * right) for step in steps]
            track = [r * size + c for r, c in places if 0 <= r < size and 0 <= c < size]
            if len(track) >= LENGTH:
                found.append(track)
    return found


@frozen
class AllLines:
    """|stones⟩|flag⟩ → |stones⟩|flag + 1 if any five in a row are 1⟩, on a qubit for each point.

    A line's product is put together of those of two and of four neighbours, which lines of the
    same row share. Margolus' gates, three CX each, do all but the last one: what they do to signs
    is undone with them.

    `wide` keeps all products until the flag is written, so that each is made and taken back once.
    Otherwise they are taken back row by row, column by column and diagonal by diagonal, of each
    of which one bit is kept: half as many qubits of work at most, and about twice as many gates.

    Args:
        size: lines of the board.
        wide: see above.
    """

    size: int
    wide: bool

    @property
    def lines(self) -> int:
        """How many lines of five there are."""
        return sum(len(track) - LENGTH + 1 for track in tracks(self.size))

    def circuit(self) -> QuantumCircuit:
        """Return the circuit: points in their order, the flag, clean ancillas."""
        points = self.size * self.size
        flag, work = points, points + 1
        if self.wide:
            gates, ends = _products(tracks(self.size), work)
            free = work + len(gates)
            circuit = QuantumCircuit(free + ancillas_of(len(ends)))
            _append(circuit, gates)
            flip_if_any(circuit, ends, flag, range(free, circuit.num_qubits), fresh=False)
            _append(circuit, gates[::-1])
            return circuit
        kept = tracks(self.size)
        free = work + len(kept)
        made = [_products([track], free) for track in kept]
        most = max(len(gates) + ancillas_of(len(ends)) for gates, ends in made)
        circuit = QuantumCircuit(free + max(most, ancillas_of(len(kept))))
        bits = QuantumCircuit(circuit.num_qubits)
        for bit, (gates, ends) in enumerate(made, start=work):
            _append(bits, gates)
            rest = range(free + len(gates), circuit.num_qubits)
            flip_if_any(bits, ends, bit, rest, fresh=True)
            _append(bits, gates[::-1])
        circuit.compose(bits, inplace=True)
        flip_if_any(circuit, range(work, free), flag, range(free, circuit.num_qubits), fresh=False)
        circuit.compose(bits.inverse(), inplace=True)
        return circuit


def _products(asked: Sequence[Sequence[int]], first: int) -> tuple[list[Gate], list[int]]:
    """Return gates that make the products of all lines of some tracks, and where these are.

    Args:
        asked: points of each track.
        first: ancilla; those after it are taken in order.
    """
    free = count(first)
    gates: list[Gate] = []
    known: dict[tuple[int, ...], int] = {}

    def product(points: Sequence[int], split: int) -> int:
        key = tuple(points)
        if len(key) == 1:
            return key[0]
        if key not in known:
            one = product(key[:split], split // 2)
            other = product(key[split:], split // 2)
            known[key] = next(free)
            gates.append((one, other, known[key]))
        return known[key]

    ends = [
        product(track[place : place + LENGTH], LENGTH - 1)
        for track in asked
        for place in range(len(track) - LENGTH + 1)
    ]
    return gates, ends


def _append(circuit: QuantumCircuit, gates: Sequence[Gate]) -> None:
    for one, other, ancilla in gates:
        margolus(circuit, one, other, ancilla)
