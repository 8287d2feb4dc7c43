"""Lowering to a star by choosing which qubit is in the hub when."""

from collections.abc import Sequence
from functools import lru_cache

from qiskit import QuantumCircuit, transpile
from qiskit.transpiler import Target

from compiler.lowering.draft import Draft, Pass, Property, Setting
from compiler.lowering.hub.blocks import Blocks, blocks_of, schedule
from compiler.lowering.hub.problem import hub_problem
from compiler.lowering.interactions.in_cx import circuit_in_cx
from compiler.lowering.interactions.interactions import Interactions, interactions_of, merged
from compiler.lowering.qiskit_level_3 import after, has_slight_gates, level_3
from compiler.targets.gate_sets import uniform_target
from compiler.targets.resonator import has_resonator

LOGICAL_GATES = ["cz", "u"]
FULL_WIDTH = 5000
"""Units times wires up to which the whole budget is spent on every step of the search."""
MIN_WIDTH = 4
MAX_TARGETS = 8
"""Size of the cache of targets."""


@lru_cache(MAX_TARGETS)
def hub_of(target: Target) -> int | None:
    """Return the qubit that is coupled to all others, which are coupled to it alone, if any."""
    coupling = target.build_coupling_map()
    if coupling is None or has_resonator(target):
        return None
    edges = {frozenset(edge) for edge in coupling.get_edges()}
    if len(edges) != target.num_qubits - 1:
        return None
    shared = frozenset.intersection(*edges) if edges else frozenset({0})
    return min(shared, default=None)


def is_star(target: Target) -> bool:
    """Return whether one qubit is coupled to all others, which are coupled to it alone."""
    return hub_of(target) is not None


def star_circuit(
    blocks: Blocks,
    interactions: Interactions,
    hub: int,
    size: int,
    start: Sequence[int] | None = None,
) -> Draft:
    """Return a schedule's blocks in CX and one-qubit gates on a star.

    Args:
        blocks: unitaries on the hub and a leaf each.
        interactions: whose one-qubit gates follow at the end.
        hub: the star's hub.
        size: qubits of the star.
        start: the star's qubit that each wire starts on; None if that is free.
    """
    unitaries, first, last = blocks
    if start is None:
        leaves = iter(qubit for qubit in range(size) if qubit != hub)
        place = {leaf: next(leaves) for leaf in sorted({*first, *last} - {-1})}
        entering = hub
    else:
        entering = start[first.index(-1)]
        at_start = zip(first, start, strict=True)
        place = {leaf: entering if at == hub else at for leaf, at in at_start}
    place[-1] = hub
    circuit = QuantumCircuit(size)
    if entering != hub:
        # Another wire is in the hub than the schedule wants there.
        circuit.swap(hub, entering)
    for leaf, unitary in unitaries:
        circuit.compose(circuit_in_cx(unitary), [hub, place[leaf]], inplace=True)
    final = tuple(place[leaf] for leaf in last)
    for wire, end in enumerate(interactions.ends):
        circuit.unitary(end, [final[wire]])
    begin = [place[leaf] for leaf in first] if start is None else start
    return Draft(circuit, tuple(begin), final)


def scheduled(
    circuit: QuantumCircuit, target: Target, budget: int, start: Sequence[int] | None = None
) -> Draft:
    """Return a circuit of one- and two-qubit gates on a star, routed through its hub.

    Args:
        circuit: the gates.
        target: a star that is large enough.
        budget: states that the search keeps among those with as many interactions executed;
            of a large circuit fewer, so that its time grows with the square of the size only.
        start: the star's qubit that each wire starts on; None if that is free.
    """
    hub = hub_of(target)
    assert hub is not None
    interactions = merged(interactions_of(circuit))
    problem = hub_problem(interactions)
    size = len(problem.pairs) * circuit.num_qubits
    width = budget if size <= FULL_WIDTH else max(MIN_WIDTH, budget * FULL_WIDTH // size)
    blocks = blocks_of(problem, schedule(problem, width))
    return star_circuit(blocks, interactions, hub, target.num_qubits, start)


def narrowed(circuit: QuantumCircuit, *, any_input: bool = False) -> Draft:
    """Return a circuit in CZ and one-qubit gates, its swaps as a change of places.

    Args:
        circuit: gates.
        any_input: whether qubits may start in other states than |0⟩.
    """
    if has_slight_gates(circuit):
        everywhere = uniform_target(circuit.num_qubits, None, "cz", default="cz")
        return level_3(circuit, everywhere, 0, any_input=any_input)
    narrow = transpile(
        circuit,
        basis_gates=LOGICAL_GATES,
        optimization_level=3,
        seed_transpiler=0,
        qubits_initially_zero=not any_input,
    )
    places = tuple(range(circuit.num_qubits))
    ends = places if narrow.layout is None else tuple(narrow.layout.final_index_layout())
    return Draft(narrow, places, ends)


def _run(draft: Draft, setting: Setting) -> Draft:
    narrow = narrowed(draft.circuit, any_input=setting.any_input)
    start = setting.start_of(after(draft, narrow))
    return after(
        draft, after(narrow, scheduled(narrow.circuit, setting.target, setting.budget, start))
    )


hub_scheduling = Pass(
    "hub",
    _run,
    establishes={Property.LAYOUT, Property.ROUTING},
    preserves={Property.GATES},
    takes_start=True,
    suits=is_star,
)
