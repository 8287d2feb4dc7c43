"""Games of tricks whose cards have weights, on circuits."""

from compiler.registry import discover

discover(__name__)
