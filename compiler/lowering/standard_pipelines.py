"""Declarations of the pipelines, and the passes that refine their best results.

Native gates in which T gates stay unchanged.
"""

from math import inf

from attrs import evolve
from qiskit import transpile

from compiler.lowering.dont_care import dont_care, shared_controls
from compiler.lowering.draft import ALL, Draft, Pass, Setting, uncoupled
from compiler.lowering.fractional import fractional
from compiler.lowering.hub.scheduling import hub_scheduling
from compiler.lowering.methods import synthesis, wide_gates
from compiler.lowering.mirror.router import merged_writing, merging, mirror
from compiler.lowering.mirror.source import without_swaps
from compiler.lowering.native import in_place, translation
from compiler.lowering.operators.clean_ancillas import clean_ancillas
from compiler.lowering.operators.lazy_copies import idle_copies
from compiler.lowering.paths.router import paths, reusing_paths
from compiler.lowering.pipeline import LARGE, MEDIUM, T_COUNT, Pipeline, pipeline, refinements
from compiler.lowering.placement import placement
from compiler.lowering.qiskit_level_3 import (
    after,
    qiskit_before_routing,
    qiskit_level_3,
    qiskit_logical,
    qiskit_plain,
)
from compiler.lowering.resonator.scheduling import resonator_scheduling
from compiler.lowering.rotation_windows import tket_windows
from compiler.lowering.state_peephole.two_qubit import state_peephole
from compiler.lowering.state_peephole.window_search import logical_window, state_window
from compiler.lowering.sweep.sabre_sweep import sabre_sweep
from compiler.lowering.tket import tket_peephole, tket_rotations

LEVEL = 1
"""Qiskit's optimisation level: from the second on it writes blocks anew with any angles."""


def _to_clifford_t(draft: Draft, setting: Setting) -> Draft:
    """Return native gates, a rotation of the draft's for each of theirs that is no Clifford gate.

    Toffoli gates are seven T gates each. Swaps are none: the final layout says where qubits are.
    """
    swapless = after(draft, without_swaps(draft.circuit))
    native = transpile(
        swapless.circuit,
        target=setting.target,
        optimization_level=LEVEL,
        seed_transpiler=setting.seed,
        qubits_initially_zero=not setting.any_input,
    )
    return evolve(swapless, circuit=native)


clifford_t = Pass("clifford-t", _to_clifford_t, establishes=ALL, suits=uncoupled)


SYNTHESISED = (synthesis, wide_gates, idle_copies)
SHORT = (*SYNTHESISED, dont_care, state_peephole)
"""Other people's passes interleave gates, so that pairs of qubits are in more states."""
LOGICAL = (qiskit_logical, state_peephole)
BEFORE_ROUTING = (qiskit_before_routing, state_peephole)
POLISH = (state_peephole, merging, placement)
RESYNTHESES = {"rotations": tket_rotations, "rotation-windows": tket_windows}
HUB = (hub_scheduling, translation, *POLISH)
RESONATOR = (resonator_scheduling, translation)
ROUTES = {
    "merge": (merged_writing, *POLISH),
    "hub": (*LOGICAL, *HUB),
    "sweep": (*BEFORE_ROUTING, sabre_sweep, *POLISH),
}
"""Passes after the simplification of qubits and gates, by router."""

PIPELINES = (
    Pipeline(
        name="qiskit",
        # On circuits as they are, so that no result is worse than Qiskit's own.
        passes=[synthesis, qiskit_level_3, *POLISH],
        fast=8,
        always=True,
        max_gates=inf,
        max_gates_on_any_input=inf,
        stock=True,
    ),
    Pipeline(
        name="copies-qiskit",
        passes=[synthesis, idle_copies, qiskit_level_3, *POLISH],
        from_zero_only=True,
        fast=8,
        always=True,
        max_gates=inf,
        stock=True,
        needs=idle_copies,
    ),
    Pipeline(
        name="plain-qiskit",
        passes=[synthesis, qiskit_plain, fractional, merging, placement],
        seeded=False,
        fast=8,
        always=True,
        stock=True,
        needs=qiskit_plain,
        approximates=True,
    ),
    Pipeline(
        name="paths",
        passes=[*SYNTHESISED, paths, *POLISH],
        min_gates=LARGE,
        max_gates=inf,
        max_gates_on_any_input=inf,
    ),
    Pipeline(
        name="reusing-paths",
        passes=[*SYNTHESISED, reusing_paths],
        max_gates=inf,
        reuses=True,
    ),
    # tket's peephole saves most on random circuits of Clifford and T gates, and takes long.
    Pipeline(
        name="tket-qiskit",
        passes=[*SYNTHESISED, tket_peephole, qiskit_level_3, *POLISH],
        max_gates_on_any_input=MEDIUM,
        stock=True,
    ),
    Pipeline(name="hub", passes=[*SYNTHESISED, dont_care, *LOGICAL, *HUB], fast=1),
    Pipeline(name="tket-hub", passes=[*SYNTHESISED, tket_peephole, *LOGICAL, *HUB]),
    Pipeline(
        name="tket-mirror",
        passes=[*SYNTHESISED, tket_peephole, *BEFORE_ROUTING, mirror, *POLISH],
        late=True,
        max_gates_on_any_input=MEDIUM,
        after=tket_peephole,
    ),
    Pipeline(name="resonator", passes=[*SYNTHESISED, dont_care, *LOGICAL, *RESONATOR], fast=3),
    Pipeline(
        name="shared-resonator",
        passes=[*SYNTHESISED, dont_care, shared_controls, *LOGICAL, *RESONATOR],
        fast=4,
    ),
    Pipeline(
        name="sweep",
        passes=[*SYNTHESISED, dont_care, *BEFORE_ROUTING, sabre_sweep, *POLISH],
        fast=6,
        max_gates_on_any_input=inf,
    ),
    Pipeline(
        name="mirror",
        passes=[*SYNTHESISED, dont_care, *BEFORE_ROUTING, mirror, *POLISH],
        late=True,
    ),
    # Windows find more in gates that are not merged further.
    Pipeline(
        name="window-qiskit",
        passes=[*SHORT, logical_window, qiskit_level_3, state_peephole, placement],
        from_zero_only=True,
        fast=7,
    ),
    Pipeline(name="window-hub", passes=[*SHORT, *LOGICAL, logical_window, *HUB], fast=0),
    Pipeline(
        name="window-resonator", passes=[*SHORT, *LOGICAL, logical_window, *RESONATOR], fast=2
    ),
    Pipeline(
        name="window-sweep",
        passes=[*SHORT, *BEFORE_ROUTING, logical_window, sabre_sweep, *POLISH],
        fast=5,
    ),
    Pipeline(
        name="window-mirror",
        passes=[*SHORT, *BEFORE_ROUTING, logical_window, mirror, *POLISH],
        late=True,
    ),
    *(
        Pipeline(
            name=f"{name}-{router}",
            passes=[*SYNTHESISED, resynthesis, *route],
            seeded=router != "merge",
            # From |0…0⟩ on coupled qubits states are worth more, and few results are refined.
            max_gates=0 if router != "merge" and resynthesis is tket_windows else LARGE,
            # Searches from annealed layouts leave windows nothing that pays for their time.
            fast=None if router == "sweep" and resynthesis is tket_windows else 9,
            always=True,
            needs=resynthesis,
        )
        for name, resynthesis in RESYNTHESES.items()
        for router, route in ROUTES.items()
    ),
    # Level 3 of Qiskit writes blocks anew that commute as they are.
    Pipeline(
        name="merge",
        passes=[*SYNTHESISED, dont_care, *ROUTES["merge"]],
        seeded=False,
        fast=9,
        always=True,
    ),
    Pipeline(
        name="rotations-windows-merge",
        passes=[*SYNTHESISED, tket_rotations, tket_windows, *ROUTES["merge"]],
        seeded=False,
        needs=tket_rotations,
    ),
    # Windows merge rotations, so that fewer are left for the whole circuit.
    Pipeline(
        name="windows-rotations-merge",
        passes=[*SYNTHESISED, tket_windows, tket_rotations, *ROUTES["merge"]],
        seeded=False,
        fast=9,
        always=True,
        max_gates=MEDIUM,
        needs=tket_rotations,
    ),
    Pipeline(
        name="rotations-mirror",
        passes=[*SYNTHESISED, tket_rotations, *BEFORE_ROUTING, mirror, *POLISH],
        late=True,
        after=tket_rotations,
        needs=tket_rotations,
    ),
    Pipeline(
        name="ancilla-sweep",
        passes=[synthesis, clean_ancillas, wide_gates, *BEFORE_ROUTING, sabre_sweep, *POLISH],
        fast=9,
        always=True,
        needs=clean_ancillas,
    ),
    # For circuits that are written on the target's own qubits; only where it is named.
    Pipeline(
        name="in-place",
        passes=[synthesis, wide_gates, in_place, translation],
        seeded=False,
        objective="in-place",
    ),
    Pipeline(
        name="clifford-t",
        passes=[synthesis, wide_gates, clifford_t],
        seeded=False,
        objective=T_COUNT,
    ),
)

for declared in PIPELINES:
    pipeline(declared)
for step in (state_window, placement, fractional):
    refinements.register(step.name)(step)
