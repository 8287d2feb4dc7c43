"""The moves of quantum boards as operators."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
