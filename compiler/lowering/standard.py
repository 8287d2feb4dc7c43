"""The pipelines that every compilation tries."""

from compiler.lowering.hub import hub_scheduling
from compiler.lowering.lazy_copies import idle_copies
from compiler.lowering.methods import synthesis
from compiler.lowering.mirror_router import mirror
from compiler.lowering.native import translation
from compiler.lowering.pipeline import pipeline
from compiler.lowering.placement import placement
from compiler.lowering.qiskit_level_3 import qiskit_level_3, qiskit_logical
from compiler.lowering.sabre_sweep import sabre_sweep
from compiler.lowering.state_peephole import state_peephole
from compiler.lowering.state_peephole_three import state_window
from compiler.lowering.tket import tket_peephole, tket_routing

SYNTHESISED = (synthesis, idle_copies)
SIMPLE = (*SYNTHESISED, qiskit_logical, state_peephole, state_window)
POLISH = (state_peephole, state_window, placement)

pipeline("qiskit", [*SYNTHESISED, qiskit_level_3, *POLISH], seeded=True)
pipeline("tket", [*SYNTHESISED, tket_peephole, tket_routing, translation, *POLISH], seeded=False)
pipeline("tket-qiskit", [*SYNTHESISED, tket_peephole, qiskit_level_3, *POLISH], seeded=True)
pipeline("hub", [*SIMPLE, hub_scheduling, translation, *POLISH], seeded=True)
pipeline("sweep", [*SIMPLE, sabre_sweep, *POLISH], seeded=True)
pipeline("mirror", [*SIMPLE, mirror, *POLISH], seeded=True)
