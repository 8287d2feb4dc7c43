"""Public benchmark circuits, generated and not stored."""

from compiler.public_circuits.public_circuit import (
    PublicCircuit,
    circuit_from_spec,
    public_circuit,
    public_circuits,
)

__all__ = ["PublicCircuit", "circuit_from_spec", "public_circuit", "public_circuits"]
