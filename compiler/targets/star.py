"""Targets in which one hub is coupled to all other qubits."""

from qiskit.transpiler import Target

from compiler.targets.gate_sets import uniform_target
from compiler.targets.target import parse_size, target_family


@target_family("star", "star:N  qubit 0 is coupled to each of the N-1 others; star:N:iqm in CZ/PRX")
def star(size: str, gates: str) -> Target:
    """Return a star with its hub at qubit 0, native CX unless said otherwise."""
    qubits = parse_size("star", size)
    return uniform_target(qubits, [(0, leaf) for leaf in range(1, qubits)], gates, default="cx")
