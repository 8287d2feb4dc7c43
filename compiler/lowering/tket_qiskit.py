"""tket's peephole optimisation, then Qiskit's layout, routing and optimisation."""

from qiskit import QuantumCircuit
from qiskit.transpiler import Target

from compiler.lowering.pipeline import Lowered, pipeline
from compiler.lowering.qiskit_level_3 import level_3
from compiler.lowering.tket import peephole_optimised


@pipeline("tket-qiskit", seeded=True)
def tket_qiskit(circuit: QuantumCircuit, target: Target, method: str, seed: int) -> Lowered:
    """tket without an architecture, then Qiskit at level 3."""
    optimised, at_end = peephole_optimised(circuit, method)
    lowered = level_3(optimised, target, seed)
    return Lowered(lowered.circuit, tuple(lowered.final_layout[q] for q in at_end))
