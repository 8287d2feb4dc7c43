"""Programs of one kind that grow, for curves of gates and seconds against size."""

from collections.abc import Callable, Sequence

from attrs import frozen
from qiskit.circuit import Gate

from compiler.registry import Registry
from games.game import Game


@frozen
class Series:
    """An operator or a game of growing size.

    Args:
        axis: unit of the size, such as `cards`.
        sizes: sizes in ascending order.
        grown: returns the operator or the game of a size.
        encoding: name of a game's encoding.
        literal: two-qubit gates by the formula of the papers' construction, where an operator
            has no such method itself.
    """

    axis: str
    sizes: Sequence[int]
    grown: Callable[[int], Gate | Game]
    encoding: str = ""
    literal: Callable[[int], int] | None = None


series: Registry[Series] = Registry("series", "games", ordered=True)
"""Series by the names of their curves."""
