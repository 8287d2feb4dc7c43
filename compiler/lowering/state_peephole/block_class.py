"""Two-qubit unitaries of the lowest entangling class among those that agree on a subspace.

A two-qubit unitary U is `locals · exp(iπ/4 (n·σ)⊗(m·σ)) · ... · locals` with as many entangling
factors as it takes CX gates: 0, 1, 2 or 3. Where only its action on the columns of S
matters, any unitary V with V S = U S will do.

- 0 CX: in the magic basis local unitaries are real rotations, so that S' is taken to U S' iff both
  have the same complex Gram matrix S'ᵀS' up to a phase; the rotation is a Procrustes problem.
- 1 CX: unit vectors n and m must give Σ nᵢ mⱼ Sᵀ(Y⊗Y)(σᵢ⊗σⱼ)S the Gram matrix of U S, up to a
  phase; the remainder is local. A fitted template of a CZ between locals took
  more gates on the gate suite.
- 2 CX: the trace of γ(V) = V (Y⊗Y) Vᵀ (Y⊗Y), V scaled to determinant 1, must be real (Shende,
  Bullock, Markov, quant-ph/0308045). One free phase on a vector outside the subspace changes the
  sign of its imaginary part, so it always has a zero.

Pairs of directions that solve a bilinear equation up to a phase.

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

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations

import numpy as np

from compiler.caches import cached_by_arrays
from compiler.circuits.matrices import PAULIS, Matrix, Reals
from compiler.circuits.tolerances import FITTED, MULTIPLE_ROOT, NEAR_CIRCLE, SAME
from compiler.circuits.weyl import weyl_decomposition
from compiler.compiled import cached_njit, njit_view
from compiler.lowering.state_peephole.lower_bounds import ruled_out_on

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
    """Write the residual of the equations, and return its square."""
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
    """Take from three derivatives their parts along the vector, where its point does not move."""
    for i in range(3):
        for entry in range(len(radial)):
            slopes[first + i, entry] -= vector[i] * radial[entry]


PRODUCTS: Matrix = np.array([[np.kron(b, a) for b in PAULIS] for a in PAULIS])
"""σᵢ on the first qubit, the lower bit, times σⱼ on the second, at [i, j]."""
FLIP: Matrix = np.kron(PAULIS[1], PAULIS[1])
MAGIC: Matrix = np.array([[1, 1j, 0, 0], [0, 0, 1j, 1], [0, 0, 1j, -1], [1, -1j, 0, 0]]) / np.sqrt(
    2
)


@cached_by_arrays
def cheapest_on_support(unitary: Matrix, support: Matrix, limit: int = 3) -> Matrix | None:
    """Return a unitary of the lowest class with the same action on a subspace, up to a phase.

    Args:
        unitary: shape (4, 4), the first qubit is the lower bit of an index.
        support: orthonormal columns, shape (4, r) with r from 1 to 4.
        limit: only fewer CX gates than this are of interest, at most 3.

    Returns:
        None if `limit` gates or more are needed; for 0 and 1 CX, that is known for r of 1, 2 up
        to the accuracy of a bounded number of starts of a Newton iteration.
    """
    goal, result = unitary @ support, None
    if limit > 0:
        result = _local(support, goal)
    if limit > 1 and result is None:
        result = _one_entangler(support, goal)
    if limit > 2 and result is None:
        result = _two_entanglers(unitary, support)
    return result


def _local(source: Matrix, goal: Matrix) -> Matrix | None:
    """Return a product of one-qubit unitaries, times a phase, that takes source to goal."""
    start, end = MAGIC.conj().T @ source, MAGIC.conj().T @ goal
    start_gram, end_gram = start.T @ start, end.T @ end
    overlap = np.vdot(start_gram, end_gram)
    phase = np.sqrt(overlap / abs(overlap)) if abs(overlap) > SAME else 1.0
    if np.linalg.norm(end_gram - phase**2 * start_gram) > SAME:
        return None
    rotated = end / phase
    before = np.hstack([start.real, start.imag])
    after = np.hstack([rotated.real, rotated.imag])
    left, stretch, right = np.linalg.svd(after @ before.T)
    if np.linalg.det(left) * np.linalg.det(right) < 0:
        if stretch[-1] > SAME:
            return None
        left[:, -1] *= -1
    unitary: Matrix = phase * (MAGIC @ (left @ right) @ MAGIC.conj().T)
    return unitary if np.linalg.norm(unitary @ source - goal) < SAME else None


def _one_entangler(source: Matrix, goal: Matrix) -> Matrix | None:
    if 1 in ruled_out_on(0, source, goal):
        return None
    forms = np.einsum("ka,ijkl,lb->ijab", source, FLIP @ PRODUCTS, source)
    wanted = goal.T @ FLIP @ goal
    upper = np.triu_indices(source.shape[1])
    # Entries off the diagonal stand for two.
    weights = np.where(upper[0] == upper[1], 1.0, np.sqrt(2.0))
    terms = np.ascontiguousarray(forms[:, :, *upper] * weights)
    for n, m in directions(terms, wanted[upper] * weights, _starts()):
        entangler = (np.eye(4) + 1j * np.einsum("i,j,ijkl->kl", n, m, PRODUCTS)) / np.sqrt(2)
        remaining = _local(entangler @ source, goal)
        if remaining is not None:
            return remaining @ entangler
    return None


def _two_entanglers(unitary: Matrix, support: Matrix) -> Matrix | None:
    kernel = np.linalg.svd(support.conj().T)[2][support.shape[1] :].conj()
    if not len(kernel):
        return unitary if abs(_invariant(unitary).imag) < SAME else None
    projector = np.outer(kernel[0], kernel[0].conj())
    turns = _turns(unitary, projector)
    mean_turns = [mean / abs(mean) for mean in _means(turns)]
    candidates = [unitary @ (np.eye(4) + (turn - 1) * projector) for turn in (*turns, *mean_turns)]
    if not mean_turns:
        return min(candidates, key=lambda matrix: abs(_invariant(matrix).imag))
    # Near a multiple root the trace tells nothing, but the angle that it stands for does.
    return min(candidates, key=lambda matrix: abs(weyl_decomposition(matrix).c))


def _turns(unitary: Matrix, projector: Matrix) -> list[complex]:
    """Return the phases z on the projector for which the trace of γ is real.

    The trace is a polynomial in z of degree 2; the scaled determinant divides it by z.
    """
    nodes = np.exp(2j * np.pi * np.arange(3) / 3)
    values = [_trace(unitary @ (np.eye(4) + (z - 1) * projector)) for z in nodes]
    a, b, c = np.fft.fft(values) / 3
    k = 1 / np.sqrt(complex(np.linalg.det(unitary)))
    cubic = [k * c, k * b - np.conj(k * a), k * a - np.conj(k * b), -np.conj(k * c)]
    return [z / abs(z) for z in np.roots(np.array(cubic)) if abs(abs(z) - 1) < NEAR_CIRCLE] or [1.0]


def _means(roots: Sequence[complex]) -> list[complex]:
    """Return the means of roots close to each other.

    Rounding splits a multiple root by a power of itself, and moves the mean by no more than itself.
    """
    groups = [group for size in (2, 3) for group in combinations(roots, size)]
    return [
        sum(group) / len(group)
        for group in groups
        if max(abs(a - b) for a, b in combinations(group, 2)) < MULTIPLE_ROOT
    ]


def _trace(unitary: Matrix) -> complex:
    return complex(np.trace(unitary @ FLIP @ unitary.T @ FLIP))


def _invariant(unitary: Matrix) -> complex:
    return _trace(unitary) / np.sqrt(complex(np.linalg.det(unitary)))


@cache
def _starts() -> Reals:
    """Return pairs of unit vectors to start from, shape (starts, 2, 3)."""
    axes = [(a, b) for a in np.eye(3) for b in np.eye(3)]
    others = np.random.default_rng(0).normal(size=(15, 2, 3))
    starts = np.concatenate([np.array(axes), others])
    return np.asarray(starts / np.linalg.norm(starts, axis=2, keepdims=True), dtype=float)
