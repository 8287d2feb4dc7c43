"""Qiskit's SABRE from many seeds, each scored by what is left after merging its swaps."""

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
from compiler.lowering.mirror.realise import SWAP
from compiler.lowering.mirror.source import (
    Routed,
    Source,
    best_written,
    coupled,
    largest_component,
)
from compiler.lowering.passes import ALL, Pass

TRIALS = 5
"""Layouts that SABRE improves for each seed, and routings that it tries for each."""
KEPT = 4
"""Routed circuits that are written in native gates and compared by the objective."""


@frozen(eq=False)
class Sabre:
    """SABRE on the gates of one source, prepared once for all seeds.

    Args:
        wires: shape (gates, 2), the logical wires of each gate.
        dag: the same gates, all as CZ, for only where they act matters.
        qubits: the device's qubits in use.
        coupling: between these, by index.
    """

    wires: Integers
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
        return cls(source.gates.wires, circuit_to_dag(circuit), qubits, coupling)

    def routed_from(self, start: Integers, seeds: Iterable[int]) -> Iterator[Routed]:
        """Yield what SABRE finds with each seed from a layout, on the target's qubits."""
        places = np.searchsorted(self.qubits, start).astype(np.int32)
        if not np.array_equal(self.qubits[np.minimum(places, len(self.qubits) - 1)], start):
            raise LoweringError("a qubit is not connected to the others")
        placed = QuantumCircuit(len(self.qubits))
        for a, b in places[self.wires].tolist():
            placed.cz(a, b)
        dag = circuit_to_dag(placed)
        sabre = SabreSwap(self.coupling, heuristic="decay", trials=TRIALS)
        for seed in seeds:
            yield Routed(self._steps(_run(sabre, dag, seed), places), start)

    def routed(self, seeds: Iterable[int]) -> Iterator[Routed]:
        """Yield what SABRE finds with each seed from a few random layouts."""
        sabre = SabreLayout(self.coupling, layout_trials=TRIALS, swap_trials=TRIALS)
        for seed in seeds:
            routed = _run(sabre, self.dag, seed)
            layout = sabre.property_set["layout"]
            start = np.array([layout[qubit] for qubit in self.dag.qubits], np.int32)
            yield Routed(self._steps(routed, start), self.qubits[start])

    def _steps(self, routed: DAGCircuit, start: Integers) -> Integers:
        """Find out which gate each CZ stands for; those on the same wires keep their order."""
        waiting: dict[tuple[int, int], deque[int]] = defaultdict(deque)
        for gate, (a, b) in enumerate(self.wires.tolist()):
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


def _sweep(draft: Draft, setting: Setting) -> Draft:
    source = Source.of(draft, setting)
    return best_written(source, sweep(source, setting, KEPT), setting)


def sweep(source: Source, setting: Setting, kept: int) -> list[Routed]:
    """Return the cheapest of `setting.budget` results of SABRE, the cheapest first.

    Args:
        source: what to route.
        setting: the target, the first seed, and the number of seeds.
        kept: how many results are wanted.
    """
    sabre = Sabre.of(source, setting)
    random = np.random.default_rng(setting.seed)
    seeds = random.integers(2**31, size=max(setting.budget, kept)).tolist()
    start = source.start
    found = list(sabre.routed(seeds) if start is None else sabre.routed_from(start, seeds))
    costs = [source.cost(routed) for routed in found]
    return [found[index] for index in np.argsort(costs, kind="stable")[:kept]]


sabre_sweep = Pass("sabre-sweep", _sweep, establishes=ALL, takes_start=True, suits=coupled)
