"""Connected parts of a coupling map."""

from collections.abc import Collection, Iterable

from rustworkx import PyGraph, connected_components

Edge = tuple[int, ...]


def unreachable(qubits: int, edges: Iterable[Edge]) -> int | None:
    """Return the first qubit to which no edges lead from qubit 0; None if all are reached."""
    graph = PyGraph()
    graph.add_nodes_from(range(qubits))
    graph.add_edges_from_no_data([(edge[0], edge[1]) for edge in edges])
    parts = connected_components(graph)
    reached = next(part for part in parts if 0 in part)
    return next((qubit for qubit in range(qubits) if qubit not in reached), None)


def connected_most(edges: Iterable[Edge]) -> Collection[Edge]:
    """Return the edges of the largest connected part, of several the one with the first qubit."""
    pairs = list(edges)
    graph = PyGraph()
    graph.add_nodes_from(range(1 + max((max(edge) for edge in pairs), default=-1)))
    graph.add_edges_from_no_data([(edge[0], edge[1]) for edge in pairs])
    largest = max(connected_components(graph), key=lambda p: (len(p), -min(p)), default=set())
    return {edge for edge in pairs if edge[0] in largest}
