"""Qiskit's preset pass manager at its highest level."""

from qiskit import QuantumCircuit, transpile
from qiskit.transpiler import Target

from compiler.lowering.methods import lower_operators
from compiler.lowering.pipeline import Lowered, pipeline


@pipeline("qiskit", seeded=True)
def qiskit_level_3(circuit: QuantumCircuit, target: Target, method: str, seed: int) -> Lowered:
    """Synthesis, SABRE layout and routing, and optimisation, all Qiskit's."""
    return level_3(lower_operators(circuit, method), target, seed)


def level_3(circuit: QuantumCircuit, target: Target, seed: int) -> Lowered:
    """Return what `qiskit.transpile` makes of a circuit at optimisation level 3."""
    native = transpile(circuit, target=target, optimization_level=3, seed_transpiler=seed)
    layout = native.layout.final_index_layout() if native.layout else range(circuit.num_qubits)
    return Lowered(native, tuple(layout))
