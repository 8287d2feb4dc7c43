"""Conjunctions and disjunctions of many qubits, with clean ancillas."""

from collections.abc import Sequence
from itertools import pairwise

from qiskit import QuantumCircuit

from games.board.synthesis.building import Control, closed, flip_if, margolus


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
