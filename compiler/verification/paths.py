"""States path by path: the state after every sequence of measured bits.

Distance of the states of two circuits on their paths.

A fidelity tells two states apart only where the square of their difference is more than rounding,
so that amplitudes are subtracted instead. Reset qubits may differ by any unitary: that is
a phase where states are pure, and for mixtures, which rows of amplitudes span, the unitary factor
U of A B†. ‖A − U B‖ is no less than the trace distance (Uhlmann). Where many values were thrown
away, density matrices are subtracted: ½ ‖ρ − σ‖₁ ≤ ½ √(rank) ‖ρ − σ‖₂.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen

from compiler.circuits.matrices import Bits, Matrix, Numbers, Reals
from compiler.circuits.table_rows import numbered
from compiler.circuits.tolerances import SAME
from compiler.dynamic.deferred import Deferred
from compiler.errors import StateTooLargeError
from compiler.verification.simulation.exact import SparseState

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MAX_PRODUCTS = 1 << 24
"""Products of two amplitudes that are formed for all mixtures together: some 0.5 GB."""

PER_CUBE = 64
"""Rows cubed that take as long to be decomposed as one sparse product does."""


@frozen(eq=False)
class Mixtures:
    """The unnormalised mixtures that a circuit leaves on its paths.

    Args:
        rows: amplitudes, a row for each path and value of reset qubits, a column for
            each path and basis state.
        path_of: the path of each row.
    """

    rows: "csr_array"
    path_of: Numbers


def deviations(a: Mixtures, b: Mixtures, path_of: Numbers, paths: int) -> Reals:
    """Return how far apart the unnormalised states of every path are.

    Args:
        a: spans every ρ.
        b: spans every σ, with the same columns.
        path_of: the path of each column.
        paths: how many there are.

    Returns:
        min ‖a − e^{iφ} b‖ over φ where the states are pure, else no less than their trace
        distance over the root of the path's probability.

    Raises:
        StateTooLargeError: if that takes more than `MAX_PRODUCTS` products.
    """
    heights = np.maximum(*(np.bincount(x.path_of, minlength=paths) for x in (a, b)))
    in_columns = np.bincount(b.rows.indices, minlength=len(path_of))
    by_rows = heights * np.bincount(path_of, in_columns, paths) + heights**3.0 / PER_CUBE
    by_columns = sum(
        np.bincount(x.path_of, np.diff(x.rows.indptr).astype(float) ** 2, paths) for x in (a, b)
    )
    mixed = heights > 1
    work = np.minimum(by_rows, by_columns)[mixed].sum()
    if work > MAX_PRODUCTS:
        raise StateTooLargeError(
            "resets leave mixtures too large to be compared: it takes "
            f"{work:,.0f} products, more than {MAX_PRODUCTS:,}"
        )
    of_columns = mixed & (by_columns < by_rows)
    squares = _by_unitaries(a, b, np.where(of_columns, 0, heights))
    if of_columns.any():
        squares += _by_densities(a, b, path_of, of_columns)
    return np.asarray(np.sqrt(squares))


def _by_unitaries(a: Mixtures, b: Mixtures, heights: Numbers) -> Reals:
    """Return ‖A − U B‖² of every path that has a height; the smaller mixture gets rows of 0."""
    from scipy.sparse import csr_array

    first = np.concatenate([[0], np.cumsum(heights)])
    path_of = np.repeat(np.arange(len(heights)), heights)
    left, two = (_aligned(x, heights, first) for x in (a, b))
    overlaps = (left @ two.conj().T).tocoo()
    nowhere = np.empty(0, np.intp)
    rows, columns, values = [nowhere], [nowhere], [np.empty(0, complex)]
    for height in np.unique(heights[heights > 0]).tolist():
        paths = np.flatnonzero(heights == height)
        number = np.full(len(heights), -1)
        number[paths] = np.arange(len(paths))
        mine = number[path_of[overlaps.row]] >= 0
        row, column = overlaps.row[mine], overlaps.col[mine]
        path = path_of[row]
        blocks: Matrix = np.zeros((len(paths), height, height), complex)
        blocks[number[path], row - first[path], column - first[path]] = overlaps.data[mine]
        places = first[paths][:, None, None]
        rows.append(np.broadcast_to(places + np.arange(height)[:, None], blocks.shape).ravel())
        columns.append(np.broadcast_to(places + np.arange(height), blocks.shape).ravel())
        values.append(_unitary_factors(blocks).ravel())
    at = np.concatenate(rows), np.concatenate(columns)
    size = len(path_of)
    apart = (left - csr_array((np.concatenate(values), at), shape=(size, size)) @ two).tocoo()
    # Of no weights at all the sums are integers.
    return np.bincount(path_of[apart.row], np.abs(apart.data) ** 2, len(heights)).astype(float)


def _unitary_factors(blocks: Matrix) -> Matrix:
    """Return the unitary factors of the polar decompositions of square matrices."""
    if blocks.shape[-1] == 1:
        sizes = np.abs(blocks)
        return np.asarray(np.where(sizes > 0, blocks / np.where(sizes > 0, sizes, 1), 1))
    left, _, right = np.linalg.svd(blocks)
    return np.asarray(left @ right)


def _aligned(mixtures: Mixtures, heights: Numbers, first: Numbers) -> "csr_array":
    """Return the rows of every path that has a height, from the place on where it begins."""
    from scipy.sparse import csr_array

    order = np.argsort(mixtures.path_of, kind="stable")
    ordered = mixtures.path_of[order]
    place = np.empty(len(order), np.intp)
    place[order] = first[ordered] + np.arange(len(order)) - np.searchsorted(ordered, ordered)
    entries = mixtures.rows.tocoo()
    mine = heights[mixtures.path_of[entries.row]] > 0
    at = place[entries.row[mine]], entries.col[mine]
    return csr_array((entries.data[mine], at), shape=(int(first[-1]), mixtures.rows.shape[1]))


def _by_densities(a: Mixtures, b: Mixtures, path_of: Numbers, chosen: Bits) -> Reals:
    """Return the squares of bounds of the trace distance, over the probabilities."""
    inside = chosen[path_of]
    left, right = a.rows[:, inside], b.rows[:, inside]
    apart = (left.T @ left.conj() - right.T @ right.conj()).tocoo()
    squares = np.bincount(path_of[inside][apart.row], np.abs(apart.data) ** 2, len(chosen))
    rows = sum(np.bincount(x.path_of, minlength=len(chosen)) for x in (a, b))
    ranks = np.minimum(rows, np.bincount(path_of, minlength=len(chosen)))
    weights = np.maximum(*(_weights(x, len(chosen)) for x in (a, b)))
    return np.asarray(np.where(chosen, ranks * squares / 4 / np.where(chosen, weights, 1), 0))


def _weights(mixtures: Mixtures, paths: int) -> Reals:
    entries = mixtures.rows.tocoo()
    weights = np.abs(entries.data) ** 2
    return np.bincount(mixtures.path_of[entries.row], weights, paths).astype(float)


MAX_PATHS = 1 << 16
"""Paths of measured bits up to which every one is compared."""


@frozen
class Path:
    """Comparison of two circuits on one path.

    Args:
        bits: values written to each classical bit, in the order of the writes.
        wanted: the path's probability in the first circuit.
        found: the same in the second.
        deviation: how far apart the unnormalised states are; see
            `deviations`.
    """

    bits: Mapping[int, tuple[int, ...]]
    wanted: float
    found: float
    deviation: float

    @property
    def weight(self) -> float:
        """The path's probability in the circuit that takes it more often."""
        return max(self.wanted, self.found)

    @property
    def off(self) -> str:
        """The fault of the state, in words: its fidelity, which is |⟨a|b⟩|² if it is pure."""
        fidelity = max(0.0, 1 - self.deviation**2 / (2 * self.weight)) ** 2
        if fidelity > 1 - SAME:
            return f"the state is off by {self.deviation / sqrt(self.weight):.2g}"
        return f"the state's fidelity to the program's is {fidelity:.9f}, not 1"

    def __str__(self) -> str:
        """Return the path in words for messages."""
        written = (f"bit {bit} = {', '.join(map(str, was))}" for bit, was in self.bits.items())
        return "; ".join(written)


def compared_paths(
    wanted: tuple[Deferred, SparseState],
    other_state: tuple[Deferred, SparseState],
    layout: Sequence[int],
) -> list[Path]:
    """Compare two circuits that write their classical bits equally often, on every path.

    Args:
        wanted: a circuit with its measurements deferred, and its exact state.
        other_state: the same of another one; its own qubits that hold nothing of the first must end
            in |0⟩.
        layout: for each qubit of the first, that of the second which holds it.

    Raises:
        StateTooLargeError: if there are more than `MAX_PATHS` paths, or mixtures on them are too
            large.
    """
    (first, state), (second, other) = wanted, other_state
    table = PathTable.of(state, first.records, first.hidden, range(len(layout)))
    fresh = {*second.records, *second.hidden}
    own = [q for q in range(second.circuit.num_qubits) if q not in fresh]
    idle = [q for q in own if q not in set(layout)]
    two = PathTable.of(other, second.records, second.hidden, layout, idle)
    return [Path(_written(key, first.writes), *figures) for key, *figures in apart(table, two)]


def apart(left: "PathTable", two: "PathTable") -> Iterator[tuple[Bits, float, float, float]]:
    """Yield each path, its probability in both states, and how far apart these are; see `Path`.

    Raises:
        StateTooLargeError: if there are more than `MAX_PATHS` paths, or mixtures on them are too
            large.
    """
    paths = np.vstack([left.paths, two.paths])
    path_of = numbered(paths)
    _, first = np.unique(path_of, return_index=True)
    keys = paths[first]
    if len(keys) > MAX_PATHS:
        raise StateTooLargeError(
            f"{len(keys):,} paths of measured bits are more than the {MAX_PATHS:,} that are "
            "compared"
        )
    split = len(left.paths)
    a_path, b_path = path_of[:split], path_of[split:]
    columns = numbered(np.vstack([left.basis, two.basis]), path_of)
    of_columns = np.zeros(columns.max(initial=-1) + 1, np.intp)
    of_columns[columns] = path_of
    a = left.mixtures(a_path, columns[:split], len(of_columns))
    b = two.mixtures(b_path, columns[split:], len(of_columns))
    soiled = np.where(two.amplitudes == 0, two.weights, 0)
    squares = deviations(a, b, of_columns, len(keys)) ** 2 + np.bincount(b_path, soiled, len(keys))
    off = np.sqrt(squares)
    p = np.bincount(a_path, np.abs(left.amplitudes) ** 2, len(keys))
    q = np.bincount(b_path, two.weights, len(keys))
    for i, key in enumerate(keys):
        yield key, float(p[i]), float(q[i]), float(off[i])


@frozen(eq=False)
class PathTable:
    """A state's basis states, cut into the path, reset qubits, and all others.

    Args:
        paths: shape (n, writes).
        hidden: shape (n, hidden qubits).
        basis: shape (n, qubits).
        amplitudes: shape (n,).
        weights: shape (n,), probabilities, those that are not clean too.
    """

    paths: Bits
    hidden: Bits
    basis: Bits
    amplitudes: Matrix
    weights: Reals

    @classmethod
    def of(
        cls,
        state: SparseState,
        paths: Sequence[int],
        hidden: Sequence[int],
        qubits: Sequence[int],
        idle: Sequence[int] = (),
    ) -> "PathTable":
        """Return the table of an exact state.

        Args:
            state: whose columns are cut.
            paths: those of the path.
            hidden: those that hold values before resets.
            qubits: all others.
            idle: qubits that must be 0.
        """
        clean = ~state.bits.T[list(idle)].any(axis=0)
        return cls(
            state.bits.T[list(paths)].T,
            state.bits.T[list(hidden)].T,
            state.bits.T[list(qubits)].T,
            np.where(clean, state.amplitudes, 0),
            np.abs(state.amplitudes) ** 2,
        )

    def mixtures(self, path: Numbers, columns: Numbers, width: int) -> Mixtures:
        """Return the amplitudes, a row for each path and hidden state."""
        from scipy.sparse import csr_array

        rows = numbered(self.hidden, path)
        size = int(rows.max(initial=-1)) + 1
        of = np.zeros(size, np.intp)
        of[rows] = path
        return Mixtures(csr_array((self.amplitudes, (rows, columns)), shape=(size, width)), of)


def _written(key: Bits, writes: Mapping[int, Sequence[int]]) -> dict[int, tuple[int, ...]]:
    values = iter(key.tolist())
    return {clbit: tuple(int(next(values)) for _ in writes[clbit]) for clbit in sorted(writes)}
