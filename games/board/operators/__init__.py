"""The moves of quantum boards as operators."""

from compiler.registry import discover

discover(__name__)
