"""Legal moves on a quantum board, and their effect on the superposed games."""

from compiler.registry import discover

discover(__name__)
