"""Two-qubit unitaries in CX, to rounding: no angle is too small to be written."""

from collections.abc import Sequence
from functools import cache, lru_cache

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit.library import CXGate
from qiskit.synthesis import (
    OneQubitEulerDecomposer,
    TwoQubitBasisDecomposer,
    TwoQubitWeylDecomposition,
)

from compiler.errors import LoweringError
from compiler.lowering.arrays import Complex

PRECISION = 1e-8
"""By how much an entry may differ of what is written in CX."""

SPECIAL = 1.0 - 1e-9
"""Fidelity to a special class from which its fewer one-qubit gates are tried."""

ROUNDING = 1e-12
"""By how much an entry may differ if they are taken."""

CX = [0, 3, 2, 1]
"""Where a CX takes each row, the control being the low bit."""

WRITTEN = 4096
"""Unitaries whose gates are remembered."""


def circuit_in_cx(unitary: Complex, cost: int) -> QuantumCircuit:
    """Return a circuit in CX and `u` on two qubits.

    Args:
        unitary: shape (4, 4), qubit 0 is the low bit.
        cost: how many CX there are.

    Raises:
        LoweringError: if it takes more CX.
    """
    gates, phase = gates_around_cx(unitary, cost)
    circuit = QuantumCircuit(2, global_phase=phase)
    for place, gate in enumerate(gates):
        circuit.compose(_euler()(gate), [place % 2], inplace=True)
        if place % 2 and place < 2 * cost:
            circuit.cx(0, 1)
    return circuit


def gates_around_cx(unitary: Complex, cost: int) -> tuple[list[Complex], float]:
    """Return the one-qubit gates around some CX that make a unitary, and a global phase.

    Qiskit's decomposer itself takes for local what differs from a local gate by a phase of 1e-4.

    Args:
        unitary: shape (4, 4).
        cost: how many CX there are, each controlled by the low bit.

    Returns:
        For each layer of one-qubit gates, of which there is one more than CX, that on the low
        bit and that on the high one; and the phase in radians.

    Raises:
        LoweringError: if it takes more CX.
    """
    return _gates_around_cx(np.ascontiguousarray(unitary, np.complex128).tobytes(), cost)


@lru_cache(WRITTEN)
def _gates_around_cx(matrix: bytes, cost: int) -> tuple[list[Complex], float]:
    """Remember what is asked for often: candidates have most of their unitaries in common."""
    unitary = np.frombuffer(matrix, np.complex128).reshape(4, 4)
    for fidelity, precision in ((SPECIAL, ROUNDING), (None, PRECISION)):
        weyl = TwoQubitWeylDecomposition(unitary, fidelity=fidelity)
        gates = _layers(weyl, cost)
        whole = _product(gates)
        phase = float(np.angle(np.vdot(whole, unitary)))
        if np.abs(whole * np.exp(1j * phase) - unitary).max() <= precision:
            return gates, phase
    raise LoweringError(f"a two-qubit unitary takes more than {cost} CX")


def _layers(weyl: TwoQubitWeylDecomposition, cost: int) -> list[Complex]:
    decomposer = _decomposer()
    ways = (
        decomposer.decomp0,
        decomposer.decomp1,
        decomposer.decomp2_supercontrolled,
        decomposer.decomp3_supercontrolled,
    )
    gates: list[Complex] = ways[cost](weyl)
    return gates


def _product(gates: Sequence[Complex]) -> Complex:
    """Return the matrix of layers of one-qubit gates with CX between them."""
    whole = np.eye(4, dtype=np.complex128)[CX]  # undoes the one before the first layer
    for low, high in zip(gates[::2], gates[1::2], strict=True):
        whole = (high[:, None, :, None] * low[None, :, None, :]).reshape(4, 4) @ whole[CX]
    return whole


@cache
def _decomposer() -> TwoQubitBasisDecomposer:
    """Return what decomposes into CX whose control is the low bit."""
    return TwoQubitBasisDecomposer(CXGate())


@cache
def _euler() -> OneQubitEulerDecomposer:
    return OneQubitEulerDecomposer("U")
