"""Matches of Quantum 6 Nimmt!."""

from compiler.registry import discover

discover(__name__)
