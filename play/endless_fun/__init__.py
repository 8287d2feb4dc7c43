"""Matches of Endless Fun."""

from compiler.registry import discover

discover(__name__)
