"""The cards on one qudit as numbers and matrices, and products of them."""

from collections.abc import Sequence
from functools import cache

import numpy as np

from compiler.circuits.matrices import Matrix
from compiler.circuits.tolerances import NUMERICAL_ZERO
from games.endless_fun.rules.gates import GATES, Gate, matrix

LOCAL: dict[int, tuple[Gate, ...]] = {
    d: tuple(gate for gate in gates if gate.qudits == 1 and gate is not Gate.I)
    for d, gates in GATES.items()
}
"""The cards on one qudit, by dimension; operators hold their places here."""

QUBIT_GATES = {
    Gate.X: ("x",),
    Gate.Y: ("x",),
    Gate.Z: ("z",),
    Gate.H1: ("h",),
    Gate.H2: ("h", "s"),
}
"""Usual gates for each card of two levels, up to a phase, in their order."""

DIGITS = 6
"""To which entries are rounded so that matrices can be compared; none is closer to another."""


def dense(gate: Gate, dimension: int, pauli: bool = False) -> Matrix:
    """Return a card's matrix in floating-point numbers."""
    exact = matrix(gate, dimension, pauli)
    return np.array([[complex(entry) for entry in row] for row in exact], np.complex128)


def product(cards: Sequence[Gate], dimension: int) -> Matrix:
    """Return the matrix of cards, the first of which acts first."""
    result = np.eye(dimension, dtype=np.complex128)
    for card in cards:
        result = dense(card, dimension) @ result
    return result


def cards_for(wanted: Matrix) -> tuple[Gate, ...]:
    """Return the fewest cards that do the same up to a phase.

    Args:
        wanted: a product of cards; those on one qudit make up the Clifford group, 24 matrices for
            two levels and 216 for three.
    """
    return _fewest(len(wanted))[_key(wanted)]


def cards_from_zero(wanted: Matrix) -> tuple[Gate, ...]:
    """Return the fewest cards that make |0⟩ this state, up to a phase."""
    return _fewest_from_zero(len(wanted))[_key(wanted)]


@cache
def _fewest_from_zero(dimension: int) -> dict[bytes, tuple[Gate, ...]]:
    result: dict[bytes, tuple[Gate, ...]] = {}
    for cards in _fewest(dimension).values():
        result.setdefault(_key(product(cards, dimension)[:, 0]), cards)
    return result


@cache
def _fewest(dimension: int) -> dict[bytes, tuple[Gate, ...]]:
    identity = np.eye(dimension, dtype=np.complex128)
    result: dict[bytes, tuple[Gate, ...]] = {_key(identity): ()}
    newest: list[tuple[Matrix, tuple[Gate, ...]]] = [(identity, ())]
    while newest:
        longer: list[tuple[Matrix, tuple[Gate, ...]]] = []
        for before, cards in newest:
            for card in LOCAL[dimension]:
                after = dense(card, dimension) @ before
                if (key := _key(after)) not in result:
                    result[key] = (*cards, card)
                    longer.append((after, result[key]))
        newest = longer
    return result


def _key(matrix_: Matrix) -> bytes:
    """Return the same bytes for matrices that differ by a phase only."""
    entries = matrix_.reshape(-1)
    first = entries[np.argmax(np.abs(entries) > NUMERICAL_ZERO)]
    # Adding 0 makes −0 of rounding the same as 0.
    return (np.round(matrix_ * (abs(first) / first), DIGITS) + 0).tobytes()


def levels_moved(matrix_: Matrix) -> tuple[int, ...] | None:
    """Return where each level goes if a matrix moves levels and turns phases only, else None."""
    large = np.abs(matrix_) > NUMERICAL_ZERO
    if large.sum() != len(matrix_):
        return None
    return tuple(int(row) for row in large.argmax(axis=0))
