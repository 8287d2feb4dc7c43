"""Encodings: how a game's state lies on qubits."""

import sys

from compiler.encodings.encoding import encoding, encodings
from compiler.registry import discover

__all__ = ["encoding", "encodings"]

discover(sys.modules[__name__])
