"""States path by path: what a circuit leaves for every sequence of measured bits."""

from collections.abc import Iterator, Mapping, Sequence
from math import sqrt

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from compiler.dynamic.deferred import Deferred
from compiler.errors import StateTooLargeError
from compiler.verification.mixtures import Mixtures, deviations
from compiler.verification.simulation.sparse import SparseState

MOST_PATHS = 1 << 16
"""Paths of measured bits up to which every one is compared."""

Rows = NDArray[np.bool_]


@frozen
class Path:
    """What two circuits do on one path.

    Args:
        bits: what was written to each classical bit, in the order of the writes.
        wanted: the path's probability in the first circuit.
        found: the same in the second.
        deviation: how far apart the unnormalised states are; see
            `compiler.verification.mixtures`.
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
        """What is wrong with the state, in words: its fidelity, which is |⟨a|b⟩|² if it is pure."""
        fidelity = max(0.0, 1 - self.deviation**2 / (2 * self.weight)) ** 2
        if fidelity > 1 - 1e-9:
            return f"the state is off by {self.deviation / sqrt(self.weight):.2g}"
        return f"the state's fidelity to the program's is {fidelity:.9f}, not 1"

    def __str__(self) -> str:
        """Return the path in words for messages."""
        written = (f"bit {bit} = {', '.join(map(str, was))}" for bit, was in self.bits.items())
        return "; ".join(written)


def compared_paths(
    wanted: tuple[Deferred, SparseState],
    found: tuple[Deferred, SparseState],
    layout: Sequence[int],
) -> list[Path]:
    """Compare two circuits that write their classical bits equally often, on every path.

    Args:
        wanted: a circuit with its measurements deferred, and its exact state.
        found: the same of another one; its own qubits that hold nothing of the first must end
            in |0⟩.
        layout: for each qubit of the first, that of the second which holds it.

    Raises:
        StateTooLargeError: if there are more than `MOST_PATHS` paths, or mixtures on them are too
            large.
    """
    (first, state), (second, other) = wanted, found
    one = PathTable.of(state, first.records, first.hidden, range(len(layout)))
    fresh = {*second.records, *second.hidden}
    own = [q for q in range(second.circuit.num_qubits) if q not in fresh]
    idle = [q for q in own if q not in set(layout)]
    two = PathTable.of(other, second.records, second.hidden, layout, idle)
    return [Path(_written(key, first.writes), *figures) for key, *figures in apart(one, two)]


def apart(
    one: "PathTable", two: "PathTable"
) -> Iterator[tuple[NDArray[np.bool_], float, float, float]]:
    """Yield each path, its probability in both states, and how far apart these are; see `Path`.

    Raises:
        StateTooLargeError: if there are more than `MOST_PATHS` paths, or mixtures on them are too
            large.
    """
    keys, path_of = np.unique(np.vstack([one.paths, two.paths]), axis=0, return_inverse=True)
    if len(keys) > MOST_PATHS:
        raise StateTooLargeError(
            f"{len(keys):,} paths of measured bits are more than the {MOST_PATHS:,} that are "
            "compared"
        )
    split = len(one.paths)
    a_path, b_path = path_of.ravel()[:split], path_of.ravel()[split:]
    columns = _numbered(np.vstack([one.basis, two.basis]), path_of.ravel())
    of_columns = np.zeros(columns.max(initial=-1) + 1, np.intp)
    of_columns[columns] = path_of.ravel()
    a = one.mixtures(a_path, columns[:split], len(of_columns))
    b = two.mixtures(b_path, columns[split:], len(of_columns))
    soiled = np.where(two.amplitudes == 0, two.weights, 0)
    squares = deviations(a, b, of_columns, len(keys)) ** 2 + np.bincount(b_path, soiled, len(keys))
    off = np.sqrt(squares)
    p = np.bincount(a_path, np.abs(one.amplitudes) ** 2, len(keys))
    q = np.bincount(b_path, two.weights, len(keys))
    for i, key in enumerate(keys):
        yield key, float(p[i]), float(q[i]), float(off[i])


@frozen(eq=False)
class PathTable:
    """A state's basis states, cut into the path, what was thrown away, and the rest.

    Args:
        paths: shape (n, writes).
        hidden: shape (n, hidden qubits).
        basis: shape (n, qubits).
        amplitudes: shape (n,).
        weights: shape (n,), probabilities, those that are not clean too.
    """

    paths: Rows
    hidden: Rows
    basis: Rows
    amplitudes: NDArray[np.complex128]
    weights: NDArray[np.float64]

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
            paths: those that tell the path.
            hidden: those that hold what was thrown away.
            qubits: the rest.
            idle: qubits that must be 0.
        """
        clean = ~state.bits[:, list(idle)].any(axis=1)
        return cls(
            state.bits[:, list(paths)],
            state.bits[:, list(hidden)],
            state.bits[:, list(qubits)],
            np.where(clean, state.amplitudes, 0),
            np.abs(state.amplitudes) ** 2,
        )

    def mixtures(self, path: NDArray[np.intp], columns: NDArray[np.intp], width: int) -> Mixtures:
        """Return the amplitudes, a row for each path and hidden state."""
        from scipy.sparse import csr_array

        rows = _numbered(self.hidden, path)
        size = int(rows.max(initial=-1)) + 1
        of = np.zeros(size, np.intp)
        of[rows] = path
        return Mixtures(csr_array((self.amplitudes, (rows, columns)), shape=(size, width)), of)


def _numbered(bits: Rows, path: NDArray[np.intp]) -> NDArray[np.intp]:
    """Number the different pairs of bits and a path."""
    packed = np.packbits(bits, axis=1)
    _, numbers = np.unique(np.column_stack([path, packed]), axis=0, return_inverse=True)
    return numbers.ravel()


def _written(
    key: NDArray[np.bool_], writes: Mapping[int, Sequence[int]]
) -> dict[int, tuple[int, ...]]:
    values = iter(key.tolist())
    return {clbit: tuple(int(next(values)) for _ in writes[clbit]) for clbit in sorted(writes)}
