"""The pipelines that every compilation tries, and what is done to their best results."""

from compiler.lowering.clifford_t import clifford_t
from compiler.lowering.dont_care.dont_care import dont_care
from compiler.lowering.dont_care.shared_controls import shared_controls
from compiler.lowering.hub.scheduling import hub_scheduling
from compiler.lowering.methods import synthesis
from compiler.lowering.mirror.router import mirror
from compiler.lowering.native import translation
from compiler.lowering.operators.lazy_copies import idle_copies
from compiler.lowering.pipeline import pipeline, refinements
from compiler.lowering.placement.placement import placement
from compiler.lowering.portfolio import T_COUNT
from compiler.lowering.qiskit_level_3 import (
    qiskit_before_routing,
    qiskit_level_3,
    qiskit_logical,
)
from compiler.lowering.resonator.scheduling import resonator_scheduling
from compiler.lowering.state_peephole.three_qubit import logical_window, state_window
from compiler.lowering.state_peephole.two_qubit import state_peephole
from compiler.lowering.sweep.sabre_sweep import sabre_sweep
from compiler.lowering.tket.passes import tket_peephole, tket_routing

SYNTHESISED = (synthesis, idle_copies)
SIMPLE = (*SYNTHESISED, dont_care, qiskit_logical, state_peephole)
BEFORE_ROUTING = (*SYNTHESISED, dont_care, qiskit_before_routing, state_peephole)
SHORT = (*SYNTHESISED, dont_care, state_peephole)
"""Other people's passes interleave gates, so that pairs of qubits are in more states."""

POLISH = (state_peephole, placement)

STOCK = ("qiskit", "tket", "tket-qiskit")
"""The pipelines that lay out and route with other people's passes."""

pipeline("qiskit", [*SYNTHESISED, qiskit_level_3, *POLISH], seeded=True)
pipeline("tket", [*SYNTHESISED, tket_peephole, tket_routing, translation, *POLISH], seeded=False)
pipeline("tket-qiskit", [*SYNTHESISED, tket_peephole, qiskit_level_3, *POLISH], seeded=True)
pipeline("hub", [*SIMPLE, hub_scheduling, translation, *POLISH], seeded=True)
pipeline(
    "tket-hub",
    [
        *SYNTHESISED,
        tket_peephole,
        qiskit_logical,
        state_peephole,
        hub_scheduling,
        translation,
        *POLISH,
    ],
    seeded=True,
)
pipeline(
    "tket-mirror",
    [
        *SYNTHESISED,
        tket_peephole,
        qiskit_before_routing,
        state_peephole,
        mirror,
        *POLISH,
    ],
    seeded=True,
)
pipeline("resonator", [*SIMPLE, resonator_scheduling, translation], seeded=True)
pipeline(
    "shared-resonator",
    [
        *SYNTHESISED,
        dont_care,
        shared_controls,
        qiskit_logical,
        state_peephole,
        resonator_scheduling,
        translation,
    ],
    seeded=True,
)
pipeline("sweep", [*BEFORE_ROUTING, sabre_sweep, *POLISH], seeded=True)
pipeline("mirror", [*BEFORE_ROUTING, mirror, *POLISH], seeded=True)
pipeline(
    "window-qiskit",
    [*SHORT, logical_window, qiskit_level_3, *POLISH],
    seeded=True,
)
pipeline(
    "window-hub",
    [*SHORT, qiskit_logical, state_peephole, logical_window, hub_scheduling, translation, *POLISH],
    seeded=True,
)
pipeline(
    "window-resonator",
    [*SHORT, qiskit_logical, state_peephole, logical_window, resonator_scheduling, translation],
    seeded=True,
)
for router in (sabre_sweep, mirror):
    pipeline(
        f"window-{router.name.removeprefix('sabre-')}",
        [*SHORT, qiskit_before_routing, state_peephole, logical_window, router, *POLISH],
        seeded=True,
    )
pipeline("clifford-t", [synthesis, clifford_t], seeded=False, objective=T_COUNT)

for step in (state_window, placement):
    refinements.register(step.name)(step)
