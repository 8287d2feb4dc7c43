"""What may be played on a quantum board, and what it does to the superposed games."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
