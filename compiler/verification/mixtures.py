"""Mixed states, one for each path of measured bits, compared by the smaller of two matrices.

A mixture ρ is spanned by rows of amplitudes, one for each value of what was thrown away. Tr ρσ is
the norm of the inner products of their rows, or a sum over their density matrices. The first have
as many entries as there are pairs of rows, the second as pairs of basis states.
"""

from typing import TYPE_CHECKING

import numpy as np
from attrs import frozen
from numpy.typing import NDArray

from compiler.errors import StateTooLargeError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

MOST_PRODUCTS = 1 << 24
"""Products of two amplitudes that are formed for all paths together: some 0.5 GB."""

Sums = NDArray[np.float64]
Paths = NDArray[np.intp]


@frozen(eq=False)
class Mixtures:
    """The unnormalised mixtures that a circuit leaves on its paths.

    Args:
        rows: amplitudes, a row for each path and value of what was thrown away, a column for
            each path and basis state.
        path_of: the path of each row.
    """

    rows: "csr_array"
    path_of: Paths


def traces(a: Mixtures, b: Mixtures, path_of: Paths, paths: int) -> tuple[Sums, Sums, Sums]:
    """Return Tr ρσ, Tr ρ² and Tr σ² of every path.

    Args:
        a: spans every ρ.
        b: spans every σ, with the same columns.
        path_of: the path of each column.
        paths: how many there are.

    Raises:
        StateTooLargeError: if that takes more than `MOST_PRODUCTS` products.
    """
    in_columns = np.stack([np.bincount(x.rows.indices, minlength=len(path_of)) for x in (a, b)])
    one, two = in_columns.astype(float)
    by_rows = np.bincount(path_of, one * one + two * two + one * two, paths)
    by_columns = sum(
        np.bincount(x.path_of, np.diff(x.rows.indptr).astype(float) ** 2, paths) for x in (a, b)
    )
    work = np.minimum(by_rows, by_columns).sum()
    if work > MOST_PRODUCTS:
        raise StateTooLargeError(
            "what resets throw away leaves mixtures too large to be compared: it takes "
            f"{work:,.0f} products, more than {MOST_PRODUCTS:,}"
        )
    of_columns = by_columns < by_rows
    return (
        _traces(a, b, path_of, of_columns),
        _traces(a, a, path_of, of_columns),
        _traces(b, b, path_of, of_columns),
    )


def _traces(a: Mixtures, b: Mixtures, path_of: Paths, of_columns: NDArray[np.bool_]) -> Sums:
    """Return Tr ρσ of every path, of some by their columns."""
    sums = np.zeros(len(of_columns))
    chosen = of_columns[path_of]
    if not chosen.all():
        left, right = a.rows[:, ~chosen], b.rows[:, ~chosen]
        products = (left.conj() @ right.T).tocoo()
        np.add.at(sums, a.path_of[products.row], np.abs(products.data) ** 2)
    if chosen.any():
        left, right = a.rows[:, chosen], b.rows[:, chosen]
        densities = (left.T @ left.conj()).multiply(right.conj().T @ right).tocoo()
        np.add.at(sums, path_of[chosen][densities.row], densities.data.real)
    return sums
