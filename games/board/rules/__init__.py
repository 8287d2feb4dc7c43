"""Legal moves on a quantum board, and their effect on the superposed games."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
