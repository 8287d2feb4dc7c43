"""Matches of Five in a Row and Weiqi on quantum boards."""

from compiler.registry import discover

discover(__name__)
