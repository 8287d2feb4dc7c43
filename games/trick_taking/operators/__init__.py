"""The operators of card games, each with all its syntheses."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
