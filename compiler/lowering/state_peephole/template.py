"""Templates of CZ gates and one-qubit gates, fitted to a map of a few vectors.

A template V = L·CZ·…·CZ·K has one-qubit gates g around its CZ gates. For columns S and G it is
fitted by least squares: minimise ‖r‖² with r = V(g)·S − e^{iφ}·G over the gates and φ. A step δ
solves (JᵀJ + λ)δ = Jᵀr, with J the derivatives of r, real parts before imaginary ones; gates turn
as g → exp(−i(δ_x X + δ_y Y + δ_z Z))·g, so that they stay unitary, and φ → φ − δ_φ. λ falls after
a step that makes ‖r‖ smaller, and rises after another, which is taken back.

Invariants: after each step `Room.states` holds the columns before each CZ and at the end for the
gates that are kept, and `Room.slopes` J and r for these.

References:
    Levenberg, Quart. Appl. Math. 2 (1944) 164; Marquardt, SIAM J. Appl. Math. 11 (1963) 431.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from compiler.caches import cached_by_arrays
from compiler.circuits.matrices import Matrix, Numbers, Reals
from compiler.circuits.tolerances import FITTED
from compiler.compiled import njit_view

STEPS = 60
HARDLY, PATIENCE = 0.8, 8
"""A start is given up after so many steps that left more than this share of the error."""


class Room(NamedTuple):
    """Buffers of a fit.

    Args:
        states: before each CZ gate and at the end, shape (pairs + 1, 2**qubits, r).
        tried: the same after a step.
        after: the transpose of all gates after one, shape (2**qubits, 2**qubits).
        gates: one-qubit gates after a step, shape (gates, 2, 2).
        slopes: derivatives of the residual by the turns, real parts before imaginary ones, shape
            (2·2**qubits·r, turns + 1); the last column is the residual.
        products: of the columns with each other, shape (turns + 1, turns + 1).
        matrix: the same, to be taken apart.
        step: by which the gates turn, shape (turns,).
    """

    states: Matrix
    tried: Matrix
    after: Matrix
    gates: Matrix
    slopes: Reals
    products: Reals
    matrix: Reals
    step: Reals


@cached_by_arrays
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
    order = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    source, goal = np.ascontiguousarray(source), np.ascontiguousarray(goal)
    room = room_for(source, order)
    for start in starts:
        gates = start.copy()
        if _fit(source, goal, order, gates, room):
            return gates
    return None


@cache
def starts(count: int, qubits: int, number: int, seed: int) -> tuple[Matrix, ...]:
    """Return random one-qubit gates to start from, for templates with `count` CZ gates.

    Returns:
        `number` arrays of unitaries, each of shape (2·count + qubits, 2, 2).
    """
    random = np.random.default_rng(seed)
    shape = (number, 2 * count + qubits, 2, 2)
    unitaries, _ = np.linalg.qr(random.normal(size=shape) + 1j * random.normal(size=shape))
    return tuple(np.ascontiguousarray(start) for start in unitaries)


def room_for(source: Matrix, pairs: Numbers) -> Room:
    """Return where a template is fitted to columns."""
    rows, count = len(source), len(pairs)
    qubits = rows.bit_length() - 1
    turns = 4 * count + 3 * qubits + 1
    states = np.empty((2, count + 1, *source.shape), complex)
    return Room(
        states[0],
        states[1],
        np.empty((rows, rows), complex),
        np.empty((2 * count + qubits, 2, 2), complex),
        np.empty((2 * source.size, turns + 1)),
        np.empty((turns + 1, turns + 1)),
        np.empty((turns + 1, turns + 1)),
        np.empty(turns),
    )


@njit_view
def _fit(source: Matrix, goal: Matrix, pairs: Numbers, gates: Matrix, room: Room) -> bool:
    """Turn gates until they take source to goal; tell whether they do."""
    damping, slow = 1e-2, 0
    write_played(source, gates, pairs, room.states)
    phase = _best_phase(goal, room.states[-1])
    size = _squared_error(goal, room.states[-1], phase)
    write_slopes(goal, gates, pairs, phase, room)
    for _ in range(STEPS):
        fits = size < FITTED**2
        _write_step(room, damping)
        write_turned(gates, room.step, 2 * len(pairs), room.gates)
        tried_phase = phase - room.step[-1]
        write_played(source, room.gates, pairs, room.tried)
        new_size = _squared_error(goal, room.tried[-1], tried_phase)
        if new_size > HARDLY * size:
            slow += 1
            if slow > PATIENCE:
                break
        if new_size < size:
            phase, size = tried_phase, new_size
            _copy(room.gates, gates)
            _copy(room.tried, room.states)
            write_slopes(goal, gates, pairs, phase, room)
            damping = max(damping * 0.2, 1e-13)
        else:
            damping *= 5.0
        if fits:
            # One step more has left nothing but rounding.
            return True
    return size < FITTED**2


@njit_view
def _copy(values: Reals | Matrix, to: Reals | Matrix) -> None:
    """Write the values of an array into another one, both without gaps."""
    read, written = values.reshape(-1), to.reshape(-1)
    for place in range(len(read)):
        written[place] = read[place]


@njit_view
def _best_phase(goal: Matrix, reached: Matrix) -> float:
    overlap = 0j
    for row in range(goal.shape[0]):
        for column in range(goal.shape[1]):
            overlap += goal[row, column].conjugate() * reached[row, column]
    return float(np.angle(overlap))


@njit_view
def _squared_error(goal: Matrix, reached: Matrix, phase: float) -> float:
    square, factor = 0.0, np.exp(1j * phase)
    for row in range(goal.shape[0]):
        for column in range(goal.shape[1]):
            left = reached[row, column] - factor * goal[row, column]
            square += left.real**2 + left.imag**2
    return square


@njit_view
def _write_step(room: Room, damping: float) -> None:
    """Solve for a step; the matrix is symmetric and positive definite."""
    matrix, step = room.matrix, room.step
    turns = len(step)
    _copy(room.products, matrix)
    for k in range(turns):
        matrix[k, k] += damping
    for k in range(turns):
        for i in range(k + 1, turns):
            factor = matrix[k, i] / matrix[k, k]
            for j in range(i, turns + 1):
                matrix[i, j] -= factor * matrix[k, j]
    for k in range(turns - 1, -1, -1):
        left = matrix[k, turns]
        for j in range(k + 1, turns):
            left -= matrix[k, j] * step[j]
        step[k] = left / matrix[k, k]


@njit_view
def write_turned(gates: Matrix, step: Reals, before_cz: int, turned: Matrix) -> None:
    """Write gates turned by exp(i(xX + yY + zZ)), with x, y, z minus entries of a step.

    A turn by z goes through a CZ gate to the next gate, so only the gates at the end have one.

    Args:
        gates: shape (gates, 2, 2).
        step: two entries for each gate before a CZ, three for each at the end, one for the phase.
        before_cz: number of gates before a CZ.
        turned: the result, shape (gates, 2, 2).
    """
    entry = 0
    for place in range(len(gates)):
        x, y, z = -step[entry], -step[entry + 1], 0.0
        entry += 2
        if place >= before_cz:
            z = -step[entry]
            entry += 1
        angle = np.sqrt(x * x + y * y + z * z) + 1e-300
        sine = np.sin(angle) / angle
        same, other = np.cos(angle) + 1j * sine * z, sine * (y + 1j * x)
        for column in range(2):
            zero, one = gates[place, 0, column], gates[place, 1, column]
            turned[place, 0, column] = same * zero + other * one
            turned[place, 1, column] = same.conjugate() * one - other.conjugate() * zero


@njit_view
def write_played(source: Matrix, gates: Matrix, pairs: Numbers, states: Matrix) -> None:
    """Write the images of columns under a template, before each CZ and at the end."""
    _copy(source, states[0])
    for place in range(len(pairs)):
        state = states[place]
        for side in range(2):
            _turn_left(state, gates[2 * place + side], pairs[place, side])
        _copy(state, states[place + 1])
        _sign(states[place + 1], pairs[place, 0], pairs[place, 1])
    for qubit in range(len(gates) - 2 * len(pairs)):
        _turn_left(states[-1], gates[2 * len(pairs) + qubit], qubit)


@njit_view
def _turn_left(state: Matrix, gate: Matrix, qubit: int) -> None:
    """Apply a one-qubit gate to the rows of a matrix, in place."""
    bit = 1 << qubit
    a, b, c, d = gate[0, 0], gate[0, 1], gate[1, 0], gate[1, 1]
    for row in range(state.shape[0]):
        if not row & bit:
            for column in range(state.shape[1]):
                zero, one = state[row, column], state[row | bit, column]
                state[row, column] = a * zero + b * one
                state[row | bit, column] = c * zero + d * one


@njit_view
def _sign(state: Matrix, first: int, second: int) -> None:
    """Apply a CZ to the rows of a matrix, in place."""
    both = 1 << first | 1 << second
    for row in range(state.shape[0]):
        if row & both == both:
            for column in range(state.shape[1]):
                state[row, column] = -state[row, column]


@njit_view
def write_slopes(goal: Matrix, gates: Matrix, pairs: Numbers, phase: float, room: Room) -> None:
    """Write the error, its derivatives by the turns of `write_turned` and by the phase.

    Their products with each other and with the error are written, too.
    """
    reached, factor, imaginary = room.states[-1], np.exp(1j * phase), goal.size
    columns, before_cz = goal.shape[1], 2 * len(pairs)
    slopes = room.slopes
    for row in range(goal.shape[0]):
        for column in range(columns):
            place = row * columns + column
            aim = factor * goal[row, column]
            left = reached[row, column] - aim
            slopes[place, -1], slopes[imaginary + place, -1] = left.real, left.imag
            slopes[place, -2], slopes[imaginary + place, -2] = aim.imag, -aim.real
    after = room.after
    after[:] = 0.0
    for row in range(len(after)):
        after[row, row] = 1.0
    for qubit in range(len(gates) - before_cz):
        _write_last_slopes(reached, qubit, slopes, 2 * before_cz + 3 * qubit)
        _turn_left(after, gates[before_cz + qubit].T, qubit)
    for place in range(len(pairs) - 1, -1, -1):
        first, second = pairs[place]
        _sign(after, first, second)
        for side in range(2):
            _write_slopes_of_turn(
                after, room.states[place], pairs[place, side], slopes, 4 * place + 2 * side
            )
        for side in range(2):
            _turn_left(after, gates[2 * place + side].T, pairs[place, side])
    _write_products(slopes, room.products)


@njit_view
def _write_last_slopes(reached: Matrix, qubit: int, slopes: Reals, first: int) -> None:
    """Write the derivatives of exp(i(xX + yY + zZ)) @ reached by x, y and z, as columns."""
    rows, columns, bit = reached.shape[0], reached.shape[1], 1 << qubit
    imaginary = rows * columns
    for row in range(rows):
        sign = -1.0 if row & bit else 1.0
        for column in range(columns):
            place = row * columns + column
            same, other = reached[row, column], reached[row ^ bit, column]
            slopes[place, first], slopes[imaginary + place, first] = -other.imag, other.real
            slopes[place, first + 1] = sign * other.real
            slopes[imaginary + place, first + 1] = sign * other.imag
            slopes[place, first + 2] = -sign * same.imag
            slopes[imaginary + place, first + 2] = sign * same.real


@njit_view
def _write_slopes_of_turn(
    after: Matrix, state: Matrix, qubit: int, slopes: Reals, first: int
) -> None:
    """Write the derivatives of after.T @ exp(i(xX + yY)) @ state by x and y, as columns."""
    rows, columns, bit = state.shape[0], state.shape[1], 1 << qubit
    imaginary = rows * columns
    for out in range(rows):
        for column in range(columns):
            # Sums over the rows in which the qubit is 0 after the turn and 1 before, or so.
            zero_one = one_zero = 0j
            for row in range(rows):
                if not row & bit:
                    zero_one += after[row, out] * state[row | bit, column]
                    one_zero += after[row | bit, out] * state[row, column]
            place = out * columns + column
            x, y = one_zero + zero_one, one_zero - zero_one
            slopes[place, first], slopes[imaginary + place, first] = -x.imag, x.real
            slopes[place, first + 1], slopes[imaginary + place, first + 1] = -y.real, -y.imag


@njit_view
def _write_products(slopes: Reals, products: Reals) -> None:
    """Write the products of columns with each other."""
    columns = slopes.shape[1]
    products[:] = 0.0
    # Four rows at once, for the sums are read and written as often as all else. Their
    # number, two for each amplitude of at least two basis states, is a multiple of four.
    for row in range(0, len(slopes), 4):
        for i in range(columns):
            a, b = slopes[row, i], slopes[row + 1, i]
            c, d = slopes[row + 2, i], slopes[row + 3, i]
            for j in range(columns):
                products[i, j] += (
                    a * slopes[row, j]
                    + b * slopes[row + 1, j]
                    + c * slopes[row + 2, j]
                    + d * slopes[row + 3, j]
                )
