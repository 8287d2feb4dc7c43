"""CHSH move by move: rounds without entanglement, then rounds with it."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
