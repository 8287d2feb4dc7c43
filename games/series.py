"""Programs of one kind that grow, for curves of gates and seconds against size."""

from collections.abc import Callable, Sequence

from attrs import frozen
from qiskit.circuit import Gate

from compiler.registry import Registry
from games.game import Game


@frozen
class OperatorSeries:
    """An operator of growing size.

    Args:
        axis: unit of the size, such as `cards`.
        sizes: sizes in ascending order.
        operator: returns the operator of a size.
        literal: two-qubit gates by the formula of the papers' construction, where the operator
            has no such method itself.
    """

    axis: str
    sizes: Sequence[int]
    operator: Callable[[int], Gate]
    literal: Callable[[int], int] | None = None


@frozen
class GameSeries:
    """A game of growing size.

    Args:
        axis: unit of the size, such as `cards`.
        sizes: sizes in ascending order.
        game: returns the game of a size.
        encoding: name of the encoding.
    """

    axis: str
    sizes: Sequence[int]
    game: Callable[[int], Game]
    encoding: str


series: Registry[OperatorSeries | GameSeries] = Registry("series", "games", ordered=True)
"""Series by the names of their curves."""
