"""Matches of Endless Fun."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
