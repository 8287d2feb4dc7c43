"""Searches of games that Numba compiles to machine code, so that somebody can have it done once."""

from collections.abc import Callable

from compiler.registry import Registry

searches: Registry[Callable[[], None]] = Registry("search", "games")
"""What needs all compiled code of a family, by the family's name. It imports it when called."""
