"""The games that have a name."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
