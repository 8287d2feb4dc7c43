"""Which gates may change places: those that turn every qubit they share about the same axis."""

from collections.abc import Hashable
from functools import lru_cache

import numpy as np
from attrs import field, frozen
from numpy.typing import NDArray
from qiskit.circuit import ControlledGate, Gate, Operation

from compiler.circuits.matrices import PAULIS
from compiler.circuits.tolerances import ROUNDING
from compiler.formats.plain_gates import COUNTED, STANDARD

Axis = str | None
"""`x`, `y` or `z` if a gate commutes with that Pauli operator on a qubit; None if with none."""

LARGEST_MATRIX = 4
"""Qubits up to which a gate's matrix is looked at; a larger one has an axis on its controls."""

MOST_KINDS = 1 << 14


def axes_of(operation: Operation) -> tuple[Axis, ...]:
    """Return about which axis an operation turns each of its qubits.

    Two gates commute if on every qubit that they share they have the same axis: what commutes
    with a Pauli operator on a qubit is a sum of products, each of a projector onto one of that
    operator's states and of something on other qubits; and projectors of one basis commute.
    """
    if not isinstance(operation, Gate) or operation.is_parameterized():
        return (None,) * operation.num_qubits
    kind = operation.base_class
    if kind is ControlledGate or kind in COUNTED:
        if operation.base_gate.base_class in STANDARD:
            return ("z",) * operation.num_ctrl_qubits + axes_of(operation.base_gate)
    elif kind in STANDARD:
        return _axes(_Kind.of(operation))
    return (None,) * operation.num_qubits


@frozen
class _Kind:
    """What decides about the axes of a gate of a standard class."""

    key: tuple[Hashable, ...]
    gate: Gate = field(eq=False)

    @classmethod
    def of(cls, gate: Gate) -> "_Kind":
        key: tuple[Hashable, ...] = (gate.base_class, *map(float, gate.params))
        if isinstance(gate, ControlledGate):
            key += (gate.ctrl_state,)
        return cls(key, gate)


@lru_cache(MOST_KINDS)
def _axes(kind: _Kind) -> tuple[Axis, ...]:
    gate = kind.gate
    if gate.num_qubits <= LARGEST_MATRIX:
        matrix = np.asarray(gate.to_matrix())
        return tuple(_axis(matrix, qubit) for qubit in range(gate.num_qubits))
    if isinstance(gate, ControlledGate):
        return ("z",) * gate.num_ctrl_qubits + axes_of(gate.base_gate)
    return (None,) * gate.num_qubits


def _axis(matrix: NDArray[np.complex128], qubit: int) -> Axis:
    below, above = 1 << qubit, len(matrix) >> qubit + 1
    for name, pauli in zip("zxy", PAULIS[[2, 0, 1]], strict=True):
        whole = np.kron(np.kron(np.eye(above), pauli), np.eye(below))
        if np.abs(whole @ matrix - matrix @ whole).max() < ROUNDING:
            return name
    return None
