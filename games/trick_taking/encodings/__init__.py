"""Encodings of a game's state on qubits."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
