"""Encodings: how a game's state lies on qubits."""

import sys

from compiler.registry import discover

discover(sys.modules[__name__])
