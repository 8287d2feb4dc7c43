"""Games of tricks whose cards have weights, on circuits."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
