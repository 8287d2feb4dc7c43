"""The pipelines that every compilation tries."""

from compiler.lowering.lazy_copies import idle_copies
from compiler.lowering.methods import synthesis
from compiler.lowering.native import translation
from compiler.lowering.pipeline import pipeline
from compiler.lowering.qiskit_level_3 import qiskit_level_3
from compiler.lowering.tket import tket_peephole, tket_routing

LOGICAL = (synthesis, idle_copies)

pipeline("qiskit", [*LOGICAL, qiskit_level_3], seeded=True)
pipeline("tket", [*LOGICAL, tket_peephole, tket_routing, translation], seeded=False)
pipeline("tket-qiskit", [*LOGICAL, tket_peephole, qiskit_level_3], seeded=True)
