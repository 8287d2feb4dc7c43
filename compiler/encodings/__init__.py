"""Encodings: how a game's state lies on qubits."""

import sys

from compiler.encodings.encoding import Encoding, encoding, encodings
from compiler.registry import discover

__all__ = ["Encoding", "encoding", "encodings"]

discover(sys.modules[__name__])
