"""Two-qubit unitaries in CX, to rounding: no angle is too small to be written."""

from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from math import pi

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit.library import CXGate
from qiskit.synthesis import (
    OneQubitEulerDecomposer,
    TwoQubitBasisDecomposer,
    TwoQubitWeylDecomposition,
)

from compiler.circuits.cx_cost import cx_cost
from compiler.circuits.matrices import Matrix, kronecker
from compiler.circuits.tolerances import ROUNDING, SAME, WRITTEN
from compiler.circuits.weyl import weyl_decomposition
from compiler.compiled import cached_njit
from compiler.errors import LoweringError

SPECIAL = 1 - SAME
"""Fidelity to a special class from which its fewer one-qubit gates are tried."""

BY_FIDELITY = 1e-7
"""Angle from which the fidelity of a gate without it is below 1 by more than rounding."""

_EULER = OneQubitEulerDecomposer("U")

MAX_CACHED = 4096
"""Unitaries whose gates are remembered."""


def circuit_in_cx(unitary: Matrix) -> QuantumCircuit:
    """Return a circuit in CX and `u` on two qubits, with the fewest CX.

    The gates are those of the unitary's special class if that is exact, since they are fewer.

    Args:
        unitary: shape (4, 4), qubit 0 is the low bit.
    """
    matrix = np.ascontiguousarray(unitary, np.complex128).tobytes()
    special = _written(matrix, cx_cost(unitary), SPECIAL)
    gates, phase = gates_around_cx(unitary) if special is None else special
    circuit = QuantumCircuit(2, global_phase=phase)
    for place, gate in enumerate(gates):
        circuit.compose(_EULER(gate), [place % 2], inplace=True)
        if place % 2 and place + 1 < len(gates):
            circuit.cx(0, 1)
    return circuit


def gates_around_cx(unitary: Matrix) -> tuple[list[Matrix], float]:
    """Return the one-qubit gates around the fewest CX that make a unitary, and a global phase.

    Qiskit's decomposer itself takes a gate that differs from a local one by a phase of 1e-4 for
    local. Angles that `cx_cost` takes for 0 get the CX that they need.

    Args:
        unitary: shape (4, 4).

    Returns:
        For each layer of one-qubit gates, of which there is one more than CX, that on the low
        bit and that on the high one; and the phase in radians. Each CX is controlled by the low
        bit.

    Raises:
        LoweringError: if the matrix is not unitary.
    """
    matrix = np.ascontiguousarray(unitary, np.complex128).tobytes()
    for cost in range(cx_cost(unitary), 4):
        gates = _written(matrix, cost, None)
        if gates is not None:
            return gates
    raise LoweringError("a two-qubit matrix is not unitary; check the circuit's gates")


def off_special_class(unitary: Matrix) -> float:
    """Return by how much an entry differs from the special class that Qiskit takes a unitary for.

    Args:
        unitary: shape (4, 4).
    """
    weyl = weyl_decomposition(unitary, fidelity=SPECIAL)
    near, far = weyl.a - weyl.b, weyl.a + weyl.b
    even, odd = np.exp(1j * weyl.c), np.exp(-1j * weyl.c)
    interaction = np.zeros((4, 4), dtype=np.complex128)
    interaction[[0, 3], [0, 3]], interaction[[0, 3], [3, 0]] = (
        even * np.cos(near), 1j * even * np.sin(near)
    )  # fmt: skip
    interaction[[1, 2], [1, 2]], interaction[[1, 2], [2, 1]] = (
        odd * np.cos(far), 1j * odd * np.sin(far)
    )  # fmt: skip
    product = kronecker(weyl.K1l, weyl.K1r) @ interaction @ kronecker(weyl.K2l, weyl.K2r)
    phase = np.angle(np.vdot(product, unitary))
    return float(np.abs(product * np.exp(1j * phase) - unitary).max())


def off_cheaper_class(unitary: Matrix) -> float:
    """Return by how much an angle differs from a class of fewer CX, 0 from `BY_FIDELITY` on.

    Qiskit's decomposer takes as many CX as give the highest fidelity, and the fewest of these. The
    fidelity is quadratic in the angle, so that one of 1e-8 does not show.

    Args:
        unitary: shape (4, 4).
    """
    weyl = weyl_decomposition(unitary, fidelity=None)
    a, b, c = weyl.a, weyl.b, abs(weyl.c)
    off = [max(a, b, c), max(abs(a - pi / 4), b, c), c]
    return max((angle for angle in off if SAME < angle < BY_FIDELITY), default=0.0)


@lru_cache(MAX_CACHED)
def _written(matrix: bytes, cost: int, fidelity: float | None) -> tuple[list[Matrix], float] | None:
    """Return the gates of a unitary's class; None if they are not exact.

    Caches frequent unitaries: candidates have most of their unitaries in common.

    Args:
        matrix: the unitary, 16 complex numbers.
        cost: how many CX there are.
        fidelity: to a special class from which it is taken for one; None for never.
    """
    unitary = np.frombuffer(matrix, np.complex128).reshape(4, 4)
    gates = _layers()[cost](weyl_decomposition(unitary, fidelity=fidelity))
    phase, off = _difference(np.array(gates, np.complex128), unitary)
    return (gates, phase) if off <= (WRITTEN if fidelity is None else ROUNDING) else None


@cached_njit()
def _difference(gates: Matrix, unitary: Matrix) -> tuple[float, float]:
    """Return the phase of a unitary over layers of gates with CX between them, and what is left.

    Args:
        gates: shape (layers · 2, 2, 2), on the low and on the high qubit of each layer.
        unitary: shape (4, 4).

    Returns:
        Radians, and the greatest difference of an entry.
    """
    product = np.eye(4, dtype=np.complex128)
    for layer in range(len(gates) // 2):
        low, high = gates[2 * layer], gates[2 * layer + 1]
        before = product.copy()
        if layer:
            before[1], before[3] = product[3], product[1]
        for row in range(4):
            for column in range(4):
                entry = 0j
                for inner in range(4):
                    factor = high[row >> 1, inner >> 1] * low[row & 1, inner & 1]
                    entry += factor * before[inner, column]
                product[row, column] = entry
    phase = np.angle(np.sum(product.conj() * unitary))
    return phase, np.abs(product * np.exp(1j * phase) - unitary).max()


@cache
def _layers() -> Sequence[Callable[[TwoQubitWeylDecomposition], list[Matrix]]]:
    """Return what writes the one-qubit gates around so many CX whose control is the low bit.

    It is not made on import: it starts Qiskit's threads, without which Qiskit waits for ever in
    processes that are forked then.
    """
    cx = TwoQubitBasisDecomposer(CXGate())
    return cx.decomp0, cx.decomp1, cx.decomp2_supercontrolled, cx.decomp3_supercontrolled
