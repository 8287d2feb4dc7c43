"""Nonlocal games: players who cannot talk answer questions, and win more with entanglement."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
