"""Matches of Quantum 6 Nimmt!."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
