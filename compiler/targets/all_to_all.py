"""Targets in which every pair of qubits is coupled."""

from qiskit.transpiler import Target

from compiler.targets.gate_sets import uniform_target
from compiler.targets.target import parse_size, target_family


@target_family("all", "all:N  every pair of N qubits is coupled")
def all_to_all(size: str, gates: str) -> Target:
    """Return a fully coupled target, native CX unless said otherwise."""
    return uniform_target(parse_size("all", size), None, gates, default="cx")
