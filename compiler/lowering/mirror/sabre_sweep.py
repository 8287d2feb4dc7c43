"""Qiskit's SABRE from many seeds, and quick searches from its best layouts.

All are scored by what is left after merging their swaps.
"""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.converters import circuit_to_dag
from qiskit.dagcircuit import DAGCircuit
from qiskit.transpiler import CouplingMap
from qiskit.transpiler.passes import SabreLayout, SabreSwap

from compiler.errors import LoweringError
from compiler.lowering.arrays import Integers
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.embeddings.routing import embedded_route
from compiler.lowering.figures import figures
from compiler.lowering.line.long_lines import long_line
from compiler.lowering.line.network import chain_order, is_dense, swap_network
from compiler.lowering.mirror.explorer import Explorer, cheapest
from compiler.lowering.mirror.kak import cx_cost, mirrored
from compiler.lowering.mirror.realise import SWAP
from compiler.lowering.mirror.routes import RoutingInstance
from compiler.lowering.mirror.source import (
    MANY,
    Routed,
    Source,
    best_written,
    coupled,
    largest_component,
)
from compiler.lowering.passes import ALL, Pass
from compiler.lowering.portfolio import best
from compiler.lowering.state_peephole.two_qubit import state_peephole

TRIALS = 5
"""Layouts that SABRE improves for each seed, and routings that it tries for each."""
KEPT = 6
"""Routed circuits of each kind that are compared by the objective."""
TIES = 4 * KEPT
"""Routed circuits that are written in native gates; those with as few CX may differ otherwise."""
POLISHED = 12
"""Routed circuits that are compared by what the peephole of states leaves of them."""
SMALL = 64
"""Gates up to which there are as many searches of a kind as the budget says."""
FEWEST = 6
"""Searches of a kind that there are in any case."""
STARTS, FEW = 3, 2
"""Results of SABRE from which searches begin, the latter beyond so many blocks."""
BEAM = 2
WINDOWS = (40, 80, 160)
"""States that these searches keep, and gates that they look ahead to."""


@frozen(eq=False)
class Sabre:
    """SABRE on the gates of one source, prepared once for all seeds.

    Args:
        source: what is routed.
        dag: its gates, all as CZ, for only where they act matters.
        qubits: the device's qubits in use.
        coupling: between these, by index.
    """

    source: Source
    dag: DAGCircuit
    qubits: Integers
    coupling: CouplingMap

    @classmethod
    def of(cls, source: Source, setting: Setting) -> "Sabre":
        """Prepare for a source and a target."""
        width = len(source.gates.ends)
        qubits, edges = largest_component(setting.target, width)
        coupling = CouplingMap(edges.tolist())
        coupling.make_symmetric()
        circuit = QuantumCircuit(width)
        for a, b in source.gates.wires.tolist():
            circuit.cz(a, b)
        return cls(source, circuit_to_dag(circuit), qubits, coupling)

    def routed_from(self, start: Integers, seeds: Iterable[int]) -> Iterator[Routed]:
        """Yield what SABRE finds with each seed from a layout, on the target's qubits."""
        places = np.searchsorted(self.qubits, start).astype(np.int32)
        if not np.array_equal(self.qubits[np.minimum(places, len(self.qubits) - 1)], start):
            raise LoweringError("a qubit is not connected to the others")
        placed = QuantumCircuit(len(self.qubits))
        for a, b in places[self.source.gates.wires].tolist():
            placed.cz(a, b)
        dag = circuit_to_dag(placed)
        sabre = SabreSwap(self.coupling, heuristic="decay", trials=TRIALS)
        for seed in seeds:
            yield Routed(self.source, self._steps(_run(sabre, dag, seed), places), start)

    def routed(self, seeds: Iterable[int]) -> Iterator[Routed]:
        """Yield what SABRE finds with each seed from a few random layouts."""
        sabre = SabreLayout(self.coupling, layout_trials=TRIALS, swap_trials=TRIALS)
        for seed in seeds:
            routed = _run(sabre, self.dag, seed)
            layout = sabre.property_set["layout"]
            start = np.array([layout[qubit] for qubit in self.dag.qubits], np.int32)
            yield Routed(self.source, self._steps(routed, start), self.qubits[start])

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
            steps.append((gate, self.qubits[a], self.qubits[b]))
        return np.array(steps, np.int32).reshape(-1, 3)


def _run(sabre: SabreSwap | SabreLayout, dag: DAGCircuit, seed: int) -> DAGCircuit:
    """Run SABRE with another seed; to prepare one for each takes longer than all it does."""
    sabre.seed = seed
    sabre.property_set.clear()
    return sabre.run(dag)


def searches_for(gates: int, budget: int) -> int:
    """Return how many searches of a kind there are for so many gates, which all take longer."""
    return max(FEWEST, min(budget, budget * SMALL // max(gates, 1)))


def swept(source: Source, setting: Setting, seeds: int) -> list[Routed]:
    """Return SABRE's results, the cheapest first.

    Args:
        source: what to route.
        setting: the target, and the first seed.
        seeds: how many there are.
    """
    sabre = Sabre.of(source, setting)
    random = np.random.default_rng(setting.seed)
    drawn = random.integers(2**31, size=seeds).tolist()
    start, found = source.start, []
    for routed in sabre.routed(drawn) if start is None else sabre.routed_from(start, drawn):
        found.append(routed)
        if _needs_nothing_else(routed, setting):
            return [routed]
    return [found[index] for index in np.argsort([each.cost for each in found], kind="stable")]


def _needs_nothing_else(routed: Routed, setting: Setting) -> bool:
    """Tell whether nothing is better by the objective: swaps take no CX, and none would save one.

    From |0…0⟩ the peephole of states finds differences where there are none in CX.
    """
    if not setting.any_input or setting.objective != "two_qubit_gates":
        return False
    unitaries = routed.source.gates.unitaries
    if routed.cost > sum(map(cx_cost, unitaries)):
        return False
    return all(cx_cost(mirrored(each)) >= cx_cost(each) for each in unitaries)


def _sweep(draft: Draft, setting: Setting) -> Draft:
    blocks = Source.in_blocks(draft, setting)
    found = searched(blocks, setting)
    many = len(blocks.gates.wires) > MANY
    if not many:
        found += searched(Source.of(draft, setting), setting)
    if not many and not setting.any_input and (best_polished := _best_polished(found, setting)):
        return best_polished
    if many or setting.objective == "two_qubit_gates":
        least = min(routed.cost for routed in found)
        found = [routed for routed in found if routed.cost == least]
    return best_written(found[: 1 if many else TIES], setting)


def _best_polished(found: Iterable[Routed], setting: Setting) -> Draft | None:
    """Return the draft of which the peephole leaves what is best by the objective, if it helps."""
    cheapest_first = sorted(found, key=lambda routed: routed.cost)
    drafts = [routed.written(setting.target) for routed in cheapest_first[:POLISHED]]
    polished = [state_peephole.run(draft, setting) for draft in drafts]
    left = [figures(draft.circuit, setting.target) for draft in polished]
    if min(each.two_qubit_gates for each in left) >= cheapest_first[0].cost:
        return None
    return best(zip(drafts, left, strict=True), setting.objective)


def searched(source: Source, setting: Setting) -> list[Routed]:
    """Return SABRE's best results, and the best of what quick searches make of them.

    Where windows of a large circuit embed and few swaps lead from one to the next, that is all.

    Args:
        source: what to route.
        setting: the target, the first seed, and how many there are.
    """
    gates = len(source.gates.wires)
    embedded = embedded_route(source, setting) if gates > MANY else None
    if embedded is not None and embedded.is_short:
        return [embedded.routed]
    found = swept(source, setting, searches_for(gates, setting.budget))
    if not gates or _needs_nothing_else(found[0], setting):
        return found[:1]
    instance = RoutingInstance.of(source, setting)
    explorer = Explorer(instance, np.random.default_rng(setting.seed), WINDOWS)
    starts = map(instance.route_of, found[: STARTS if gates <= MANY else FEW])
    better = cheapest(explorer.to_and_fro(starts, BEAM), KEPT)
    others = [*_on_a_line(instance, setting), *([embedded.routed] if embedded else [])]
    return [*found[:KEPT], *map(instance.routed, better), *others]


def _on_a_line(instance: RoutingInstance, setting: Setting) -> Iterator[Routed]:
    """Yield what can be done along a line of qubits, if the device has one that is long enough."""
    source, wires = instance.source, len(instance.source.gates.ends)
    if source.start is not None:
        return
    line = instance.qubits[long_line(instance.device.neighbours)[:wires]]
    if len(line) < wires:
        return
    start = np.empty(wires, np.int32)
    start[chain_order(source.gates)] = line
    yield from Sabre.of(source, setting).routed_from(start, [setting.seed])
    if is_dense(source.gates) and (steps := swap_network(instance.ways[0], line)) is not None:
        yield Routed(source, steps, line)


sabre_sweep = Pass("sabre-sweep", _sweep, establishes=ALL, takes_start=True, suits=coupled)
