"""Card games of tricks, in the papers' rules and in those of Skat."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
