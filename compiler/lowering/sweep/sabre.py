"""Qiskit's SABRE on two-qubit unitaries."""

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.converters import circuit_to_dag
from qiskit.dagcircuit import DAGCircuit
from qiskit.transpiler import CouplingMap
from qiskit.transpiler.passes import SabreLayout, SabreSwap

from compiler.circuits.matrices import Integers
from compiler.errors import LoweringError
from compiler.lowering.draft import Setting
from compiler.lowering.mirror.source import Routed, Source, largest_component
from compiler.lowering.mirror.unitaries import SWAP

TRIALS = 5
"""Layouts that SABRE improves for each seed, and routings that it tries for each."""


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
