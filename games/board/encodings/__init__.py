"""Encodings of quantum boards on qubits."""

from compiler.registry import discover

discover(__name__)
