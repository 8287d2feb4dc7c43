"""The operators of card games, each with all its syntheses."""

from compiler.registry import discover

discover(__name__)
