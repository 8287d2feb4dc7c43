"""Templates of CZ gates and one-qubit gates, fitted to what must happen to a few vectors."""

from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from compiler.remembered import exactly_remembered

Real = NDArray[np.float64]
Matrix = NDArray[np.complex128]
Order = NDArray[np.int64]
"""For each one-qubit gate its qubit, and the other one of the CZ that follows, or -1."""

STEPS = 60
FITTED = 1e-11
"""Norm of what is left of an error in a solution."""

HARDLY, PATIENCE = 0.8, 8
"""A start is given up after so many steps that left more than this share of the error."""


@exactly_remembered
def fitted(
    source: Matrix, goal: Matrix, pairs: Sequence[tuple[int, int]], starts: Sequence[Matrix]
) -> Matrix | None:
    """Return the one-qubit gates with which a template takes source to goal, up to a phase.

    The template has two one-qubit gates before each CZ, on its two qubits, and one on every qubit
    at the end.

    Args:
        source: columns, shape (2**qubits, r); qubit 0 is the lowest bit of an index.
        goal: columns with the same products with each other.
        pairs: qubits of the CZ gates in their order.
        starts: the gates to start Levenberg-Marquardt from, each of shape (gates, 2, 2).

    Returns:
        Unitaries of shape (gates, 2, 2), or None if no start leads to a solution.
    """
    qubits = len(source).bit_length() - 1
    order = np.array(
        [entry for a, b in pairs for entry in ((a, -1), (b, a))] + [(q, -1) for q in range(qubits)]
    )
    source, goal = np.ascontiguousarray(source), np.ascontiguousarray(goal)
    for start in starts:
        gates, solved = _fit(source, goal, order, start)
        if solved:
            found: Matrix = gates
            return found
    return None


@njit(cache=True)
def _fit(source: Matrix, goal: Matrix, order: Order, start: Matrix) -> tuple[Matrix, bool]:
    gates, damping, slow = start.copy(), 1e-2, 0
    reached = _played(source, gates, order)
    phase = np.angle((goal.conj() * reached).sum())
    error = _stacked(reached - np.exp(1j * phase) * goal)
    size = (error**2).sum()
    slopes = _slopes(source, goal, gates, order, phase)
    products, descent = slopes @ slopes.T, slopes @ error
    for _ in range(STEPS):
        if size < FITTED**2:
            return gates, True
        hessian = products.copy()
        for i in range(len(hessian)):
            hessian[i, i] += damping
        step = _solution(hessian, descent)
        tried = _turned(gates, step)
        tried_phase = phase - step[-1]
        new = _stacked(_played(source, tried, order) - np.exp(1j * tried_phase) * goal)
        new_size = (new**2).sum()
        if new_size > HARDLY * size:
            slow += 1
            if slow > PATIENCE:
                break
        if new_size < size:
            gates, phase, error, size = tried, tried_phase, new, new_size
            slopes = _slopes(source, goal, gates, order, phase)
            products, descent = slopes @ slopes.T, slopes @ error
            damping = max(damping * 0.2, 1e-13)
        else:
            damping *= 5.0
    return gates, size < FITTED**2


@njit(cache=True)
def _solution(matrix: Real, vector: Real) -> Real:
    return np.linalg.solve(matrix, vector).astype(np.float64)


@njit(cache=True)
def _stacked(values: Matrix) -> Real:
    flat = values.copy().reshape(values.size)
    return np.concatenate((flat.real.copy(), flat.imag.copy()))


@njit(cache=True)
def _turned(gates: Matrix, step: Real) -> Matrix:
    """Return gates turned by exp(i(xX + yY + zZ)), with (x, y, z) minus three entries of step."""
    turned = np.empty_like(gates)
    for place in range(len(gates)):
        x, y, z = -step[3 * place], -step[3 * place + 1], -step[3 * place + 2]
        angle = np.sqrt(x * x + y * y + z * z) + 1e-300
        sine = np.sin(angle) / angle
        same, other = np.cos(angle) + 1j * sine * z, sine * (y + 1j * x)
        for column in range(2):
            zero, one = gates[place, 0, column], gates[place, 1, column]
            turned[place, 0, column] = same * zero + other * one
            turned[place, 1, column] = same.conjugate() * one - other.conjugate() * zero
    return turned


@njit(cache=True)
def _played(source: Matrix, gates: Matrix, order: Order) -> Matrix:
    state = source.copy()
    for place in range(len(order)):
        _turn_left(state, gates[place], order[place, 0])
        if order[place, 1] >= 0:
            _sign(state, order[place, 0], order[place, 1])
    return state


@njit(cache=True)
def _turn_left(state: Matrix, gate: Matrix, qubit: int) -> None:
    """Apply a one-qubit gate to the rows of a matrix, in place."""
    bit = 1 << qubit
    for row in range(state.shape[0]):
        if not row & bit:
            for column in range(state.shape[1]):
                zero, one = state[row, column], state[row | bit, column]
                state[row, column] = gate[0, 0] * zero + gate[0, 1] * one
                state[row | bit, column] = gate[1, 0] * zero + gate[1, 1] * one


@njit(cache=True)
def _sign(state: Matrix, first: int, second: int) -> None:
    """Apply a CZ to the rows of a matrix, in place."""
    both = 1 << first | 1 << second
    for row in range(state.shape[0]):
        if row & both == both:
            state[row] *= -1


@njit(cache=True)
def _slopes(source: Matrix, goal: Matrix, gates: Matrix, order: Order, phase: float) -> Real:
    """Return the derivatives by the turns of `_turned` and by the phase, as rows."""
    count, rows, columns = len(order), source.shape[0], source.shape[1]
    slopes = np.empty((3 * count + 1, 2 * source.size))
    states = np.empty((count, rows, columns), dtype=np.complex128)
    state = source.copy()
    for place in range(count):
        _turn_left(state, gates[place], order[place, 0])
        states[place] = state
        if order[place, 1] >= 0:
            _sign(state, order[place, 0], order[place, 1])
    # The transpose of what follows a gate, so that rows can be worked on here too.
    after = np.eye(rows, dtype=np.complex128)
    for place in range(count - 1, -1, -1):
        if order[place, 1] >= 0:
            _sign(after, order[place, 0], order[place, 1])
        _slopes_of_turn(after, states[place], order[place, 0], slopes[3 * place : 3 * place + 3])
        _turn_left(after, gates[place].T.copy(), order[place, 0])
    slopes[-1] = _stacked(-1j * np.exp(1j * phase) * goal)
    return slopes


@njit(cache=True)
def _slopes_of_turn(after: Matrix, state: Matrix, qubit: int, slopes: Real) -> None:
    """Write the derivatives of after.T @ exp(i(xX + yY + zZ)) @ state by x, y and z, as rows."""
    rows, columns, bit = state.shape[0], state.shape[1], 1 << qubit
    imaginary = rows * columns
    for out in range(rows):
        for column in range(columns):
            # Sums over the rows in which the qubit is 0 or 1 after the turn, and 0 or 1 before.
            zeros = zero_one = one_zero = ones = 0j
            for row in range(rows):
                if not row & bit:
                    low, high = after[row, out], after[row | bit, out]
                    zero, one = state[row, column], state[row | bit, column]
                    zeros += low * zero
                    zero_one += low * one
                    one_zero += high * zero
                    ones += high * one
            place = out * columns + column
            x, y, z = one_zero + zero_one, one_zero - zero_one, zeros - ones
            slopes[0, place], slopes[0, imaginary + place] = -x.imag, x.real
            slopes[1, place], slopes[1, imaginary + place] = -y.real, -y.imag
            slopes[2, place], slopes[2, imaginary + place] = -z.imag, z.real
