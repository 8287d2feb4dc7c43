"""Matches of Five in a Row and Weiqi on quantum boards."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
