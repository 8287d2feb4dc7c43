"""Games of tricks as users write them in TOML."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
