"""Circuits as rotations about products of two Paulis, where those that commute may change places.

Routers and schedulers let gates change places that commute, and hide that behind the one-qubit
gates in between. Once these are pushed to the end, each two-qubit gate is exp(iφ (a·σ)⊗(b·σ)), and
two of them that share one qubit commute if their axes there are parallel.
"""

from collections.abc import Mapping, Sequence
from math import pi, sqrt

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from compiler.circuits.gate_steps import Step
from compiler.circuits.matrices import PAULIS, Matrix
from compiler.circuits.tolerances import SAME

Axis = NDArray[np.float64]

X, _, Z = PAULIS
QUARTER = pi / 4
PAULIS_OF: Mapping[str, tuple[Matrix, Matrix]] = {"cx": (Z, X), "cz": (Z, Z), "zz": (Z, Z)}


@frozen(eq=False)
class Rotation:
    """exp(iφ (a·σ)⊗(b·σ)).

    Args:
        qubits: that it acts on.
        axes: a and b, of length 1.
        angle: φ.
    """

    qubits: tuple[int, int]
    axes: tuple[Axis, Axis]
    angle: float

    def steps(self) -> list[Step]:
        """Return it as `zz` between one-qubit gates."""
        turns = [_onto_z(axis) for axis in self.axes]
        return [
            *(Step("u", (q,), turn) for q, turn in zip(self.qubits, turns, strict=True)),
            Step("zz", self.qubits, angle=self.angle),
            *(Step("u", (q,), turn.conj().T) for q, turn in zip(self.qubits, turns, strict=True)),
        ]


def rotations_of(steps: Sequence[Step], qubits: int) -> tuple[list[Rotation], list[Step]]:
    """Return a circuit's rotations, in its order, and the one-qubit gates that follow all of them.

    Args:
        steps: one-qubit gates, `cx`, `cz` and `zz`, no barriers.
        qubits: width of the circuit.
    """
    after: list[Matrix] = [np.eye(2, dtype=complex)] * qubits
    rotations: list[Rotation] = []
    for step in steps:
        if step.kind == "u" and step.matrix is not None:
            (qubit,) = step.qubits
            after[qubit] = step.matrix @ after[qubit]
            continue
        a, b = step.qubits
        first, second = PAULIS_OF[step.kind]
        axes = _axis(first, after[a]), _axis(second, after[b])
        rotations.append(Rotation((a, b), axes, QUARTER if step.kind != "zz" else step.angle))
        if step.kind != "zz":
            # CX and CZ are exp(iπ/4 (1 − Z)⊗(1 − P)).
            after[a] = _quarter(first) @ after[a]
            after[b] = _quarter(second) @ after[b]
    return rotations, [Step("u", (q,), matrix) for q, matrix in enumerate(after)]


def runs_of(rotations: Sequence[Rotation], qubits: int) -> list[list[list[int]]]:
    """Return for each qubit its rotations, by place, in runs whose axes there are parallel.

    Rotations may change places if they are in one run on each qubit that they share.
    """
    runs: list[list[list[int]]] = [[] for _ in range(qubits)]
    first: dict[int, Axis] = {}
    for place, rotation in enumerate(rotations):
        for qubit, axis in zip(rotation.qubits, rotation.axes, strict=True):
            known = first.get(qubit)
            if known is None or np.linalg.norm(np.cross(known, axis)) > SAME:
                first[qubit] = axis
                runs[qubit].append([])
            runs[qubit][-1].append(place)
    return runs


def _quarter(pauli: Matrix) -> Matrix:
    """Return exp(−iπ/4 P)."""
    turn: Matrix = (np.eye(2) - 1j * pauli) / sqrt(2)
    return turn


def _axis(pauli: Matrix, after: Matrix) -> Axis:
    """Return the axis of C† P C."""
    turned = after.conj().T @ pauli @ after
    axis: Axis = np.einsum("kij,ji->k", PAULIS, turned).real / 2
    return axis / np.linalg.norm(axis)


def _onto_z(axis: Axis) -> Matrix:
    """Return a unitary V with V (a·σ) V† = Z."""
    _, vectors = np.linalg.eigh(np.einsum("k,kij->ij", axis, PAULIS))
    turn: Matrix = vectors[:, ::-1].conj().T
    return turn
