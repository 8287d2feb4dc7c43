"""Adam: a gradient that is told from its noise by what it was before."""

import numpy as np

from games.trick_taking.training.tree import Floats

MEMORY, SQUARES_MEMORY = 0.9, 0.999


class Adam:
    """Turns gradients, one after the other, into directions of about the same length.

    Args:
        size: number of parameters.

    References:
        Kingma and Ba, Adam, ICLR 2015, algorithm 1.
    """

    def __init__(self, size: int) -> None:
        self._mean, self._square, self._steps = np.zeros(size), np.zeros(size), 0

    def direction(self, gradient: Floats) -> Floats:
        """Return where to go: at most about 1 for each parameter, uphill."""
        self._steps += 1
        self._mean = MEMORY * self._mean + (1 - MEMORY) * gradient
        self._square = SQUARES_MEMORY * self._square + (1 - SQUARES_MEMORY) * gradient**2
        size = np.sqrt(self._square / (1 - SQUARES_MEMORY**self._steps))
        # Where nothing was ever to gain, nothing moves.
        moved: Floats = self._mean / (1 - MEMORY**self._steps) / np.where(size > 0, size, 1.0)
        return moved
