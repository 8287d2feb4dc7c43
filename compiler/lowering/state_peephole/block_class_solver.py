"""Pairs of directions that solve a bilinear equation up to a phase."""

from collections.abc import Iterator

import numpy as np
from numba import njit
from numpy.typing import NDArray

Real = NDArray[np.float64]
Matrix = NDArray[np.complex128]

STEPS = 60
SOLVED = 1e-11
HARDLY, PATIENCE = 0.9, 6
"""A start is given up after so many steps that left more than this share of the error."""


def directions(terms: Matrix, wanted: Matrix, starts: Real) -> Iterator[tuple[Real, Real]]:
    """Yield unit vectors n, m with Σ nᵢ mⱼ termsᵢⱼ = e^{iψ} wanted for some ψ.

    Args:
        terms: shape (3, 3, equations).
        wanted: shape (equations,).
        starts: pairs of unit vectors to start Levenberg-Marquardt from, shape (starts, 2, 3).
    """
    for start in starts:
        solution, solved = _solve(terms, wanted, start)
        if solved:
            yield solution[0], solution[1]


@njit(cache=True)
def _solve(terms: Matrix, wanted: Matrix, start: Real) -> tuple[Real, bool]:
    point, angle = start.copy(), _best_angle(terms, wanted, start)
    damping, error = 1e-2, _residual(terms, wanted, point, angle)
    size = (np.abs(error) ** 2).sum()
    slow = 0
    for _ in range(STEPS):
        if size < SOLVED**2:
            return point, True
        slopes = _slopes(terms, wanted, point, angle)
        hessian = slopes @ slopes.T
        gradient = slopes @ error
        for i in range(7):
            hessian[i, i] += damping
        step = np.linalg.solve(hessian, gradient)
        tried = point - step[:6].copy().reshape(2, 3)
        for i in range(2):
            tried[i] /= np.sqrt((tried[i] ** 2).sum())
        new = _residual(terms, wanted, tried, angle - step[6])
        new_size = (np.abs(new) ** 2).sum()
        if new_size > HARDLY * size:
            slow += 1
            if slow > PATIENCE:
                break
        if new_size < size:
            point, angle, error, size = tried, angle - step[6], new, new_size
            damping = max(damping * 0.2, 1e-12)
        else:
            damping *= 6.0
    return point, size < SOLVED**2


@njit(cache=True)
def _bilinear(terms: Matrix, n: Real, m: Real) -> Matrix:
    total = np.zeros(terms.shape[2], dtype=np.complex128)
    for i in range(3):
        for j in range(3):
            total += n[i] * m[j] * terms[i, j]
    return total


@njit(cache=True)
def _best_angle(terms: Matrix, wanted: Matrix, point: Real) -> float:
    overlap = (wanted.conj() * _bilinear(terms, point[0], point[1])).sum()
    return float(np.angle(overlap))


@njit(cache=True)
def _stacked(values: Matrix) -> Real:
    return np.concatenate((values.real.copy(), values.imag.copy()))


@njit(cache=True)
def _residual(terms: Matrix, wanted: Matrix, point: Real, angle: float) -> Real:
    return _stacked(_bilinear(terms, point[0], point[1]) - np.exp(1j * angle) * wanted)


@njit(cache=True)
def _slopes(terms: Matrix, wanted: Matrix, point: Real, angle: float) -> Real:
    """Return the derivatives by n, m and the angle, shape (7, 2·equations)."""
    slopes = np.zeros((7, 2 * terms.shape[2]))
    for i in range(3):
        by_n = np.zeros(terms.shape[2], dtype=np.complex128)
        by_m = np.zeros(terms.shape[2], dtype=np.complex128)
        for j in range(3):
            by_n += point[1, j] * terms[i, j]
            by_m += point[0, j] * terms[j, i]
        # Along the vectors themselves the normalised point does not move.
        slopes[i], slopes[3 + i] = _stacked(by_n), _stacked(by_m)
    for k in range(2):
        radial = point[k] @ slopes[3 * k : 3 * k + 3]
        for i in range(3):
            slopes[3 * k + i] -= point[k, i] * radial
    slopes[6] = _stacked(-1j * np.exp(1j * angle) * wanted)
    return slopes
