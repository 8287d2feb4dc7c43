"""QUBIKOS: circuits whose fewest swaps on a coupling graph are known."""

from collections.abc import Mapping, Sequence
from itertools import pairwise

import numpy as np
from attrs import frozen
from qiskit import QuantumCircuit
from qiskit.transpiler import CouplingMap

from compiler.errors import InputError
from compiler.public_circuits.public_circuit import append_random_cx, described_circuit
from compiler.targets import target_from_spec

Edge = tuple[int, int]
Graph = Mapping[int, Sequence[int]]

MAX_SWAPS = 100


@frozen
class KnownRouting:
    """A circuit with a routing that has the fewest swaps.

    Args:
        circuit: on as many qubits as the largest connected part of the coupling graph has.
        layout: for each program qubit, the physical qubit that holds it at the start.
        swaps: pairs of coupled physical qubits whose contents change places, each with the
            number of CX that come before.
    """

    circuit: QuantumCircuit
    layout: tuple[int, ...]
    swaps: tuple[tuple[int, Edge], ...]


@described_circuit("qubikos", "qubikos:star:5:1:0")
def qubikos(description: str, seed: int) -> QuantumCircuit:
    """Circuit whose fewest swaps on a target are known; `qubikos:TARGET:SWAPS:SEED` says all.

    An example is `qubikos:heavy-hex:boston:5:0`. See `known_routing`.

    Args:
        description: `TARGET:SWAPS:SEED`, with a complete spec of a target.
        seed: ignored, for the description has its own, with which tables name the circuit.
    """
    target, *numbers = description.rsplit(":", 2)
    if len(numbers) != 2 or not all(n.isascii() and n.isdigit() and len(n) < 10 for n in numbers):
        raise InputError(
            f"benchmark 'qubikos:{description}': write qubikos:TARGET:SWAPS:SEED, "
            f"such as qubikos:heavy-hex:boston:5:0"
        )
    coupling = target_from_spec(target).build_coupling_map()
    if coupling is None:
        raise InputError(f"benchmark 'qubikos:{description}': '{target}' needs no swaps at all")
    return known_routing(coupling, int(numbers[0]), int(numbers[1])).circuit


def known_routing(coupling: CouplingMap, swaps: int, seed: int) -> KnownRouting:
    """Return a circuit that cannot be routed with fewer swaps than `swaps`, and can with these.

    A section of the circuit belongs to every swap. Before it stand gates that fit the layout, and
    behind it one gate of two qubits, p and q, that are coupled only after it. Let p, the *focus*,
    sit where d qubits are coupled to it. The section has a gate for every coupling of the focus
    and of all qubits with more than d couplings; so it joins more qubits to at least d + 1 others
    than the graph does, and no layout fits all of it: it has a swap within. It is connected, and
    its gates are in order of decreasing distance from the focus, so that all of them come before
    its last one; and a tree of gates from the last one of the section before, in order of
    increasing distance, comes first, so that all of them come after that. Hence sections follow
    each other in every order that respects the qubits, their swaps are different ones, and
    `swaps` are needed.

    Before each CX stands a random gate u(θ, φ, λ) on either qubit, angles uniform in [0, 2π), so
    that no two CX commute. The optimum takes gates as they are, and swaps for indivisible; who
    resynthesises may need fewer CX than gates + 3·swaps.

    Args:
        coupling: its largest connected part is routed on; directions do not matter.
        swaps: from 1 to `MAX_SWAPS`.
        seed: of all choices.

    Raises:
        InputError: if there is no such circuit.

    References:
        Construction and proof after QUBIKOS, arXiv:2502.08839.
    """
    if not 1 <= swaps <= MAX_SWAPS:
        raise InputError(f"QUBIKOS with {swaps} swaps: write from 1 to {MAX_SWAPS}")
    random = np.random.default_rng(seed)
    part = max(coupling.connected_components(), key=lambda part: part.size())
    graph: dict[int, list[int]] = {qubit: [] for qubit in sorted(part.graph.nodes())}
    for a, b in sorted({(min(edge), max(edge)) for edge in coupling.get_edges()}):
        if a in graph:
            graph[a].append(b)
            graph[b].append(a)
    options = [
        (a, b, c, focus)
        for a in graph
        for b in graph[a]
        for c in graph[b]
        if c != a and c not in graph[a]
        for focus in (a, c)
    ]
    if not options:
        raise InputError("QUBIKOS: all qubits of the target are coupled, so nothing needs a swap")
    layout = tuple(random.permutation(list(graph)).tolist())
    held = {place: qubit for qubit, place in enumerate(layout)}
    circuit = QuantumCircuit(len(graph))
    sections: list[tuple[int, Edge]] = []
    last = None
    gates = 0
    for _ in range(swaps):
        a, b, c, focus = options[random.integers(len(options))]
        section = _section(graph, focus, last)
        lead = () if last is None else _outwards(section, last)[1]
        pairs = [*lead, *reversed(_outwards(section, focus)[0])]
        for p, q in pairs:
            append_random_cx(circuit, (held[p], held[q]), random)
        gates += len(pairs)
        sections.append((gates, (a, b)))
        held[a], held[b] = held[b], held[a]
        append_random_cx(circuit, (held[b], held[c]), random)
        gates += 1
        last = b
    return KnownRouting(circuit, layout, tuple(sections))


def _section(graph: Graph, focus: int, last: int | None) -> Graph:
    """Return a connected part of a graph that fits no layout with one more gate on the focus.

    It has the qubit `last`.
    """
    degree = len(graph[focus])
    full = [q for q in graph if q == focus or len(graph[q]) > degree]
    edges = {(p, q) for p in full for q in graph[p]}
    towards = {q: p for p, q in _outwards(graph, focus)[1]}
    for qubit in {q for edge in edges for q in edge} | ({last} if last is not None else set()):
        path = [qubit]
        while path[-1] != focus:
            path.append(towards[path[-1]])
        edges.update(pairwise(path))
    both = edges | {(q, p) for p, q in edges}
    return {q: [p for p in graph[q] if (q, p) in both] for q in graph}


def _outwards(graph: Graph, start: int) -> tuple[list[Edge], list[Edge]]:
    """Return all edges that are connected to a qubit, nearest first, and those of a tree."""
    edges, tree = [], []
    reached, queue, done = {start}, [start], set()
    for qubit in queue:
        for other in graph[qubit]:
            if other not in done:
                edges.append((qubit, other))
            if other not in reached:
                tree.append((qubit, other))
                reached.add(other)
                queue.append(other)
        done.add(qubit)
    return edges, tree
