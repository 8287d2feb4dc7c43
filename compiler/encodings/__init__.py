"""Encodings: how a game's state lies on qubits."""

import sys

from compiler.encodings.encoding import (
    Encoding,
    HistoryEncoding,
    Played,
    encoding,
    encodings,
    encodings_of,
)
from compiler.registry import discover

__all__ = [
    "Encoding",
    "HistoryEncoding",
    "Played",
    "encoding",
    "encodings",
    "encodings_of",
]

discover(sys.modules[__name__])
