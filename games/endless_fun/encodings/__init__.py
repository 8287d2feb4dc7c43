"""Encodings of rounds on qubits."""

from compiler.registry import discover

discover(__name__)
