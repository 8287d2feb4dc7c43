"""CHSH move by move: rounds without entanglement, then rounds with it."""

from compiler.registry import discover

discover(__name__)
