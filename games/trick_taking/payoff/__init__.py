"""What a game counts in the end: its levels, their values, and the operators that find them."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
