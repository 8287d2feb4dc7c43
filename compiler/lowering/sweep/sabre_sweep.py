"""Qiskit's SABRE from many seeds, and quick searches from its best layouts.

All are scored by their gates after merging their swaps.

Qiskit's SABRE on two-qubit unitaries.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import cached_property, lru_cache, partial
from operator import attrgetter
from threading import Lock

import numpy as np
from attrs import evolve, field, frozen
from qiskit import QuantumCircuit
from qiskit.converters import circuit_to_dag
from qiskit.dagcircuit import DAGCircuit
from qiskit.transpiler import CouplingMap, Layout, Target
from qiskit.transpiler.passes import SabreLayout, SabreSwap

from compiler.caches import cached_result
from compiler.circuits.cx_cost import cx_cost
from compiler.circuits.matrices import Integers
from compiler.errors import NothingToGainError
from compiler.lowering.draft import ALL, Draft, Pass, Setting
from compiler.lowering.figures import figures
from compiler.lowering.mirror.collapse import mirrored
from compiler.lowering.mirror.routes import Explorer, cheapest
from compiler.lowering.mirror.source import (
    MANY,
    MAX_TARGETS,
    Routed,
    Source,
    best_of,
    best_written,
    coupled,
    largest_component,
)
from compiler.lowering.mirror.unitaries import SWAP
from compiler.lowering.native import translated
from compiler.lowering.pipeline import best
from compiler.lowering.qiskit_level_3 import after
from compiler.lowering.state_peephole.two_qubit import state_peephole
from compiler.lowering.sweep.annealing import MOVES, annealed
from compiler.lowering.sweep.embeddings import embedded_route
from compiler.lowering.sweep.lines import (
    chain_order,
    is_dense,
    ladder_of,
    long_line,
    swap_network,
    with_sides,
)

TRIALS = 5
"""Layouts that SABRE improves for each seed, and routings that it tries for each."""


@frozen(eq=False)
class Sabre:
    """SABRE on the gates of one source, prepared once for all seeds.

    Args:
        source: to be routed.
        setting: of the attempt.
    """

    source: Source
    setting: Setting

    @cached_property
    def passes(self) -> "_Passes":
        """Passes of Qiskit's for the device."""
        return _passes(self.setting.target, len(self.source.gates.ends))

    @cached_property
    def dag(self) -> DAGCircuit:
        """The gates on their wires."""
        return _in_cz(self.source.gates.wires, len(self.source.gates.ends))

    def routed_from(self, start: Integers, seeds: Iterable[int]) -> Iterator[Routed]:
        """Yield SABRE's result for each seed from a layout."""
        dag = _in_cz(start[self.source.gates.wires], len(self.source.qubits))
        for seed in seeds:
            routed, _ = self.passes.run(self.passes.swap, dag, seed)
            yield Routed(self.source, self._steps(routed, start), start)

    def routed(self, seeds: Iterable[int]) -> Iterator[Routed]:
        """Yield SABRE's results for each seed from the best of a few layouts that it improves.

        These are an annealed one and random ones; the annealed one is also taken as it is, but
        not in a quick attempt, which searches from such layouts instead. From |0…0⟩ the peephole
        of states saves more in small circuits than fewer swaps do, and all layouts are random.

        Args:
            seeds: of layouts and of SABRE.
        """
        wires = self.source.gates.wires
        anneal = self.setting.any_input or len(wires) > MANY
        for seed in seeds:
            starts = [_annealed(self.source, seed, self.setting)] if anneal else []
            # Attempts have many circuits whose gates are on the same wires.
            key = (self.passes, wires.tobytes(), seed, *(each.tobytes() for each in starts))
            steps, start = cached_result(key, partial(self._laid_out, seed, starts))
            yield Routed(self.source, steps, start)
            for each in starts if not self.setting.quick else ():
                yield from self.routed_from(each, [seed])

    def _laid_out(self, seed: int, starts: Sequence[Integers]) -> tuple[Integers, Integers]:
        """Return SABRE's steps and layout, improved from random ones and from some starts."""
        qubits = self.dag.qubits
        layouts = [Layout(dict(zip(qubits, each.tolist(), strict=True))) for each in starts]
        routed, layout = self.passes.run(self.passes.layout, self.dag, seed, layouts)
        start = np.array([layout[qubit] for qubit in qubits], np.int32)
        return self._steps(routed, start), start

    def _steps(self, routed: DAGCircuit, start: Integers) -> Integers:
        """Find out which gate each CZ stands for; those on the same wires keep their order."""
        waiting: dict[tuple[int, int], deque[int]] = defaultdict(deque)
        for gate, (a, b) in enumerate(self.source.gates.wires.tolist()):
            waiting[min(a, b), max(a, b)].append(gate)
        held = {place: wire for wire, place in enumerate(start.tolist())}
        index = {qubit: i for i, qubit in enumerate(routed.qubits)}
        steps = []
        for node in routed.topological_op_nodes():
            a, b = (index[qubit] for qubit in node.qargs)
            gate = SWAP
            if node.name == "swap":
                held[a], held[b] = held.get(b, SWAP), held.get(a, SWAP)
            else:
                pair = held[a], held[b]
                gate = waiting[min(pair), max(pair)].popleft()
            steps.append((gate, a, b))
        return np.array(steps, np.int32).reshape(-1, 3)


def _annealed(source: Source, seed: int, setting: Setting) -> Integers:
    count = len(source.gates.ends)
    moves = min(QUICK_MOVES * count, MOVES) if setting.quick else MOVES
    return annealed(source.gates.wires, count, source.device, seed, moves)


def _in_cz(wires: Integers, width: int) -> DAGCircuit:
    """Return gates as CZ, for only where they act matters."""
    circuit = QuantumCircuit(width)
    for a, b in wires.tolist():
        circuit.cz(a, b)
    return circuit_to_dag(circuit)


@frozen(eq=False)
class _Passes:
    """SABRE for one device: to prepare it takes longer than to run it, by one thread at a time."""

    layout: SabreLayout
    swap: SabreSwap
    lock: AbstractContextManager[bool] = field(factory=Lock)

    def run(
        self,
        sabre: SabreSwap | SabreLayout,
        dag: DAGCircuit,
        seed: int,
        layouts: Sequence[Layout] = (),
    ) -> tuple[DAGCircuit, Layout]:
        """Return the result for a seed; layouts are those to begin from beside random ones."""
        with self.lock:
            sabre.seed = seed
            sabre.property_set.clear()
            sabre.property_set["sabre_starting_layouts"] = layouts
            return sabre.run(dag), sabre.property_set["layout"]


@lru_cache(MAX_TARGETS)
def _passes(target: Target, wires: int) -> _Passes:
    coupling = CouplingMap(largest_component(target, wires)[1].tolist())
    coupling.make_symmetric()
    return _Passes(
        SabreLayout(coupling, layout_trials=TRIALS, swap_trials=TRIALS),
        SabreSwap(coupling, heuristic="decay", trials=TRIALS),
    )


def laddered(source: Source, setting: Setting) -> Draft | None:
    """Return a circuit of phases between many wires along a line, without a swap.

    Args:
        source: to be lowered.
        setting: the target.

    Returns:
        None where it is no such circuit, or no line is long enough.
    """
    gates = source.gates
    if source.start is not None or not len(gates.wires):
        return None
    ladder = ladder_of(gates)
    if ladder is None:
        return None
    count = len(gates.ends)
    line = source.qubits[long_line(source.device.neighbours)[:count]]
    if len(line) < count:
        return None
    places = np.empty(count, np.int32)
    places[ladder.order] = line
    circuit = translated(ladder.circuit(line, setting.target.num_qubits), setting.target)
    layout = tuple(places.tolist())
    return after(source.draft, Draft(circuit, layout, layout))


KEPT = 6
"""Routed circuits of each kind that are compared by the objective."""
TIES = 4 * KEPT
"""Routed circuits that are written in native gates; those with as few CX may differ otherwise."""
POLISHED = 12
"""Number of routed circuits that are compared after the peephole of states."""
SMALL = 64
"""Gates up to which there are as many searches of a kind as the budget says."""
HASTE = 16
"""Factor by which one quick attempt has fewer candidates."""
SHORT = 1.25
"""CX in all, for each CX of the unitaries alone, up to which a quick attempt looks for no swaps."""
HOPELESS = 1.2
"""SABRE's first gates over those of another result beyond which a quick search ends."""
FEWEST, ROUTED = 6, 50_000
"""Searches of a kind that there are at least, unless they route more gates than this in all."""
STARTS, FEW = 3, 2
"""Results of SABRE from which searches begin, the latter beyond so many blocks."""
QUICK_MOVES = 50
"""Moves that a quick attempt tries for each pair of wires; wide circuits need more to settle."""
ANNEALED = 4
"""Annealed layouts from which a quick attempt searches."""
BEAM = 2
WINDOWS = (40, 80, 160)
"""States that these searches keep, and gates that they look ahead to."""


def searches_for(gates: int, budget: int) -> int:
    """Return how many searches of a kind there are for so many gates, which all take longer."""
    most = max(1, ROUTED // max(gates, 1))
    return max(min(FEWEST, budget, most), min(budget, budget * SMALL // max(gates, 1)))


def swept(source: Source, setting: Setting, seeds: int) -> list[Routed]:
    """Return SABRE's results, the cheapest first; the `KEPT` first are the best of all seeds.

    Args:
        source: to be routed.
        setting: the target, and the first seed.
        seeds: their number at most.

    Raises:
        NothingToGainError: if the first result of a quick attempt is far above another one.
    """
    sabre = Sabre(source, setting)
    random = np.random.default_rng(setting.seed)
    drawn = random.integers(2**31, size=seeds).tolist()
    start, routes, lowest = source.start, [], _lower_bound(source)
    for routed in sabre.routed(drawn) if start is None else sabre.routed_from(start, drawn):
        routes.append(routed)
        if _needs_nothing_else(routed, setting):
            return [routed]
        if sum(each.cost <= lowest for each in routes) == KEPT:
            break
        limit = HOPELESS * setting.least
        if len(routes) == 1 and setting.quick and setting.only_gains and routed.cost > limit:
            raise NothingToGainError(f"{routed.cost} gates are far above {setting.least}")
    return [routes[index] for index in np.argsort([each.cost for each in routes], kind="stable")]


def _needs_nothing_else(routed: Routed, setting: Setting) -> bool:
    """Return whether nothing is better by the objective: swaps take no CX, and none would save one.

    From |0…0⟩ the peephole of states finds differences where there are none in CX.
    """
    if not setting.any_input or setting.objective != "two_qubit_gates":
        return False
    return routed.cost <= _lower_bound(routed.source)


def _lower_bound(source: Source) -> int:
    """Return the CX of all unitaries if no swap beside one saves any, else 0."""
    costs = [(cx_cost(each), cx_cost(mirrored(each))) for each in source.gates.unitaries]
    return sum(alone for alone, _ in costs) if all(a <= b for a, b in costs) else 0


def _sweep(draft: Draft, setting: Setting) -> Draft:
    if setting.quick:
        setting = evolve(setting, budget=-(-setting.budget // HASTE))
    blocks = Source.in_blocks(draft, setting)
    numbers = blocks.parametrised is None
    ladder = laddered(blocks, setting) if setting.any_input and numbers else None
    drafts = [ladder] if ladder is not None else []
    if ladder is None or not _is_enough(ladder, blocks, setting):
        routes = searched(blocks, setting)
        many = len(blocks.gates.wires) > MANY
        if not many and not setting.quick and numbers:
            routes += searched(Source.of(draft, setting), setting)
        drafts.append(_best_of(routes, many, setting))
    return best_of(drafts, setting)


def _is_enough(draft: Draft, source: Source, setting: Setting) -> bool:
    """Return whether a circuit takes so few CX that a quick attempt need not look for swaps."""
    alone = sum(map(cx_cost, source.gates.unitaries))
    short = draft.circuit.num_nonlocal_gates() <= SHORT * alone
    return short and setting.quick and _counts_gates(setting)


def _counts_gates(setting: Setting) -> bool:
    return setting.objective == "two_qubit_gates"


def _best_of(routes: Sequence[Routed], many: bool, setting: Setting) -> Draft:
    """Return the best routed circuit, written in native gates."""
    from_zero = not setting.any_input and routes[0].source.parametrised is None
    if not many and from_zero and (best_polished := _best_polished(routes, setting)):
        return best_polished
    if setting.objective == "two_qubit_depth":
        routes = sorted(routes, key=lambda routed: (routed.depth, routed.cost))
    elif many or _counts_gates(setting):
        least = min(routed.cost for routed in routes)
        routes = [routed for routed in routes if routed.cost == least]
    else:
        routes = sorted(routes, key=attrgetter("cost"))
    few = KEPT if setting.objective == "expected_fidelity" else 1
    compared = 1 if many else few if setting.quick else TIES
    return best_written(routes[:compared], setting)


def _best_polished(routes: Iterable[Routed], setting: Setting) -> Draft | None:
    """Return the draft that is best by the objective after the peephole, if that helps."""
    cheapest_first = sorted(routes, key=lambda routed: routed.cost)
    written = (routed.written(setting.target) for routed in cheapest_first[:POLISHED])
    drafts = [*dict.fromkeys(written)]
    polished = [state_peephole.run(draft, setting) for draft in drafts]
    left = [figures(draft.circuit, setting.target) for draft in polished]
    if min(each.two_qubit_gates for each in left) >= cheapest_first[0].cost:
        return None
    return best(zip(drafts, left, strict=True), setting.objective)


def searched(source: Source, setting: Setting) -> list[Routed]:
    """Return SABRE's best results, and the best results of quick searches from them.

    Where windows of a large circuit embed and few swaps lead from one to the next, that is all.

    Args:
        source: to be routed.
        setting: the target, the first seed, and the number of seeds.
    """
    gates = len(source.gates.wires)
    quick = setting.quick and source.start is None
    if not gates:
        return swept(source, setting, 1)
    # A quick attempt that is far behind ends before windows are embedded.
    routes = swept(source, setting, 1) if quick else []
    embedding = embedded_route(source) if gates > MANY else None
    embedded, is_short = embedding or (None, False)
    if embedded is not None and is_short:
        return [embedded]
    routes = routes or swept(source, setting, searches_for(gates, setting.budget))
    if _needs_nothing_else(routes[0], setting):
        return routes[:1]
    explorer = Explorer(source, np.random.default_rng(setting.seed), WINDOWS)
    lines = [*_on_a_line(source, setting)]
    first = lines[:1] if setting.any_input and lines and lines[0].cost < routes[0].cost else []
    count = 1 if setting.quick else STARTS if gates <= MANY else FEW
    searches = [*explorer.to_and_fro([*first, *routes][:count], BEAM)]
    for seed in explorer.rng.integers(2**31, size=ANNEALED if quick else 0).tolist():
        layout = _annealed(source, seed, setting)
        searches += explorer.searches_from(layout, BEAM)
    better = cheapest(searches, KEPT)
    others = [*lines, *([embedded] if embedded else [])]
    return [*routes[:KEPT], *better, *others]


def _on_a_line(source: Source, setting: Setting) -> Iterator[Routed]:
    """Yield routes along a line of qubits, and beside it where that is too short."""
    wires, neighbours = len(source.gates.ends), source.device.neighbours
    if source.start is not None:
        return
    longest = long_line(neighbours)
    row = with_sides(longest, neighbours, wires) if setting.any_input else longest[:wires]
    if len(row) < wires:
        return
    start = np.empty(wires, np.int32)
    start[chain_order(source.gates)] = row
    yield from Sabre(source, setting).routed_from(start, [setting.seed])
    line = longest[:wires]
    if (
        len(line) == wires
        and is_dense(source.gates)
        and (steps := swap_network(source.ways[0], line)) is not None
    ):
        yield Routed(source, steps, line)


sabre_sweep = Pass(
    "sabre-sweep", _sweep, establishes=ALL, takes_start=True, suits=coupled, takes_parameters=True
)
