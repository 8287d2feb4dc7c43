"""Nonlocal games: players who cannot talk answer questions, and win more with entanglement."""

from compiler.registry import discover

discover(__name__)
