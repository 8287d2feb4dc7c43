"""Encodings of a game's state on qubits."""

from compiler.registry import discover

discover(__name__)
