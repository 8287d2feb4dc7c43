"""Public benchmark circuits: what other compilers are measured with, generated and not stored."""

import sys

from compiler.public_circuits.public_circuit import (
    PublicCircuit,
    circuit_from_spec,
    public_circuit,
    public_circuits,
)
from compiler.registry import discover

__all__ = ["PublicCircuit", "circuit_from_spec", "public_circuit", "public_circuits"]

discover(sys.modules[__name__])
