"""Stretches of a circuit whose interaction graph is part of the coupling graph."""

from collections.abc import Iterable, Mapping, Sequence

import rustworkx as rx
from attrs import frozen

from compiler.lowering.arrays import Integers

CALLS = 200_000
"""Pairs of vertices that one search for an embedding looks at."""
SEARCHES = 400
"""Embeddings that are looked for in one circuit."""

Pair = tuple[int, int]


@frozen
class Window:
    """Gates that follow each other and need no swap in some layout.

    Args:
        begin: its first gate.
        end: the gate behind its last.
        pairs: of wires that they act on, rising.
    """

    begin: int
    end: int
    pairs: frozenset[Pair]


class Embedder:
    """Looks for layouts in which pairs of wires are coupled, and counts how often.

    Args:
        qubits: how many there are.
        edges: shape (n, 2), couplings, each in one direction.

    References:
        Subgraph monomorphisms by VF2++, as rustworkx has it.
    """

    def __init__(self, qubits: int, edges: Integers) -> None:
        self.left = SEARCHES
        self._graph = rx.PyGraph(multigraph=False)
        self._graph.add_nodes_from(range(qubits))
        self._graph.add_edges_from_no_data([(a, b) for a, b in edges.tolist()])
        degrees = (self._graph.degree(qubit) for qubit in range(qubits))
        self._degrees = sorted(degrees, reverse=True)

    def embedding(self, pairs: Iterable[Pair]) -> dict[int, int] | None:
        """Return a qubit for each wire of some pairs, None if none was found."""
        distinct = sorted({(min(pair), max(pair)) for pair in pairs})
        wires = sorted({wire for pair in distinct for wire in pair})
        index = {wire: place for place, wire in enumerate(wires)}
        pattern = rx.PyGraph(multigraph=False)
        pattern.add_nodes_from(range(len(wires)))
        pattern.add_edges_from_no_data([(index[a], index[b]) for a, b in distinct])
        if len(wires) > len(self._degrees) or not self._has_degrees(pattern):
            return None
        self.left -= 1
        found = rx.vf2_mapping(
            self._graph, pattern, subgraph=True, induced=False, id_order=False, call_limit=CALLS
        )
        for mapping in found:
            return {wires[vertex]: qubit for qubit, vertex in mapping.items()}
        return None

    def _has_degrees(self, pattern: rx.PyGraph) -> bool:
        """Tell whether as many qubits have as many couplings as each vertex needs."""
        needed = sorted(map(pattern.degree, pattern.node_indices()), reverse=True)
        return all(own <= there for own, there in zip(needed, self._degrees, strict=False))


def windows(embedder: Embedder, wires: Sequence[Pair]) -> list[Window]:
    """Return the windows of a circuit, each as long as it can be found to be.

    Args:
        embedder: looks for layouts.
        wires: of each gate, in the order of time.

    Returns:
        None at all if there are too many of them for so many searches.
    """
    found, begin = [], 0
    while begin < len(wires):
        longest, reach = begin + 1, 2
        shortest_failed = len(wires) + 1
        while longest + 1 < shortest_failed:
            if embedder.left <= 0:
                return []
            # Reaching out further and further leaves few searches for windows that are short.
            middle = (longest + shortest_failed) // 2
            end = min(begin + reach, middle) if shortest_failed > len(wires) else middle
            end = max(end, longest + 1)
            reach *= 2
            if embedder.embedding(wires[begin:end]) is None:
                shortest_failed = end
            else:
                longest = end
        pairs = frozenset((min(pair), max(pair)) for pair in wires[begin:longest])
        found.append(Window(begin, longest, pairs))
        begin = longest
    return found


def layout_around(
    embedder: Embedder, found: Sequence[Window], anchor: int, wires: int
) -> Mapping[int, int] | None:
    """Return a layout of all wires in which one window needs no swap.

    Wires on which it does not act are placed as the windows before and after it would have them,
    the nearest first, as far as that fits.

    Args:
        embedder: looks for layouts.
        found: all windows.
        anchor: the one.
        wires: how many there are.
    """
    pairs = set(found[anchor].pairs)
    placed = embedder.embedding(pairs)
    order = sorted(range(len(found)), key=lambda place: abs(place - anchor))
    for place in order[1:]:
        if placed is None or len(placed) == wires:
            break
        new = [pair for pair in sorted(found[place].pairs) if not set(pair) <= placed.keys()]
        for more in [new, *([pair] for pair in new)]:
            if embedder.left <= 0 or not any(wire not in placed for pair in more for wire in pair):
                continue
            if (wider := embedder.embedding(pairs | set(more))) is not None:
                placed = wider
                pairs |= set(more)
    return placed
