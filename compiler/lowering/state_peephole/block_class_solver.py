"""Pairs of directions that solve a bilinear equation up to a phase.

Minimise ‖r‖² with r_e = Σ nᵢ mⱼ T_ije − e^{iψ} w_e over unit vectors n, m and ψ, for terms T of
shape (3, 3, equations) and wanted values w. A step δ of shape (7,) solves (J·Jᵀ + λ)δ = J·r, where
J of shape (7, 2·equations) has the derivatives of r, real parts before imaginary ones, those by n
and m within the tangent planes of their spheres. λ falls after a step that makes ‖r‖ smaller, and
rises after another, which is taken back.

Invariants: ‖n‖ = ‖m‖ = 1 after each step, and the error r, its square, J·Jᵀ and J·r are those of
the point that is kept.

References:
    Levenberg, Quart. Appl. Math. 2 (1944) 164; Marquardt, SIAM J. Appl. Math. 11 (1963) 431.
"""

from collections.abc import Iterator

import numpy as np

from compiler.circuits.matrices import Matrix, Reals
from compiler.circuits.tolerances import FITTED
from compiler.compiled import cached_njit, njit_view

STEPS = 60
HARDLY, PATIENCE = 0.9, 6
"""A start is given up after so many steps that left more than this share of the error."""


def directions(terms: Matrix, wanted: Matrix, starts: Reals) -> Iterator[tuple[Reals, Reals]]:
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


@cached_njit()
def _solve(terms: Matrix, wanted: Matrix, start: Reals) -> tuple[Reals, bool]:
    equations = len(wanted)
    point, tried = start.copy(), np.empty_like(start)
    error, new = np.empty(2 * equations), np.empty(2 * equations)
    angle, damping, slow = _best_angle(terms, wanted, point), 1e-2, 0
    size = _write_residual(terms, wanted, point, angle, error)
    products, gradient = _linear(terms, wanted, point, angle, error)
    for _ in range(STEPS):
        solved = size < FITTED**2
        hessian = products.copy()
        for i in range(7):
            hessian[i, i] += damping
        step = np.linalg.solve(hessian, gradient).astype(np.float64)
        _write_moved(point, step, tried)
        new_size = _write_residual(terms, wanted, tried, angle - step[6], new)
        if new_size > HARDLY * size:
            slow += 1
            if slow > PATIENCE:
                break
        if new_size < size:
            point, tried, error, new = tried, point, new, error
            angle, size = angle - step[6], new_size
            products, gradient = _linear(terms, wanted, point, angle, error)
            damping = max(damping * 0.2, 1e-12)
        else:
            damping *= 6.0
        if solved:
            # One step more has left nothing but rounding.
            return point, True
    return point, size < FITTED**2


@njit_view
def _bilinear(terms: Matrix, point: Reals, equation: int) -> complex:
    total = 0j
    for i in range(3):
        for j in range(3):
            total += point[0, i] * point[1, j] * terms[i, j, equation]
    return total


@njit_view
def _best_angle(terms: Matrix, wanted: Matrix, point: Reals) -> float:
    overlap = 0j
    for equation in range(len(wanted)):
        overlap += wanted[equation].conjugate() * _bilinear(terms, point, equation)
    return float(np.angle(overlap))


@njit_view
def _write_moved(point: Reals, step: Reals, moved: Reals) -> None:
    """Write a pair of unit vectors after a step."""
    for i in range(2):
        square = 0.0
        for j in range(3):
            moved[i, j] = point[i, j] - step[3 * i + j]
            square += moved[i, j] ** 2
        for j in range(3):
            moved[i, j] /= np.sqrt(square)


@njit_view
def _write_stacked(value: complex, stack: Reals, place: int) -> None:
    """Write a real part into the first half of a vector, and the imaginary one into the second."""
    stack[place], stack[len(stack) // 2 + place] = value.real, value.imag


@njit_view
def _write_residual(
    terms: Matrix, wanted: Matrix, point: Reals, angle: float, error: Reals
) -> float:
    """Write what is left of the equations, and return its square."""
    phase, square = np.exp(1j * angle), 0.0
    for equation in range(len(wanted)):
        value = _bilinear(terms, point, equation) - phase * wanted[equation]
        _write_stacked(value, error, equation)
    for entry in range(len(error)):
        square += error[entry] ** 2
    return square


@cached_njit()
def _linear(
    terms: Matrix, wanted: Matrix, point: Reals, angle: float, error: Reals
) -> tuple[Reals, Reals]:
    """Return the products of the derivatives with each other and with an error."""
    slopes = np.empty((7, len(error)))
    _write_slopes(terms, wanted, point, angle, slopes)
    for k in range(2):
        _subtract_radial(slopes, 3 * k, point[k], point[k] @ slopes[3 * k : 3 * k + 3])
    return slopes @ slopes.T, slopes @ error


@njit_view
def _write_slopes(terms: Matrix, wanted: Matrix, point: Reals, angle: float, slopes: Reals) -> None:
    """Write the derivatives by n, m and the angle, shape (7, 2·equations)."""
    turned = -1j * np.exp(1j * angle)
    for equation in range(len(wanted)):
        for i in range(3):
            by_n = by_m = 0j
            for j in range(3):
                by_n += point[1, j] * terms[i, j, equation]
                by_m += point[0, j] * terms[j, i, equation]
            _write_stacked(by_n, slopes[i], equation)
            _write_stacked(by_m, slopes[3 + i], equation)
        _write_stacked(turned * wanted[equation], slopes[6], equation)


@njit_view
def _subtract_radial(slopes: Reals, first: int, vector: Reals, radial: Reals) -> None:
    """Take from three derivatives what lies along the vector, where its point does not move."""
    for i in range(3):
        for entry in range(len(radial)):
            slopes[first + i, entry] -= vector[i] * radial[entry]
