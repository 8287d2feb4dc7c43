"""Connected patches of lattices."""

from qiskit.transpiler import CouplingMap


def central_patch(whole: CouplingMap, qubits: int) -> list[tuple[int, int]]:
    """Return the edges of a compact connected part of a lattice, each in one direction.

    The part is what a breadth-first search from the lattice's centre reaches first; qubit 0 is
    the centre.

    Args:
        whole: a lattice with enough qubits; it becomes symmetric.
        qubits: size of the part.
    """
    whole.make_symmetric()
    neighbours = {q: sorted(whole.neighbors(q)) for q in range(whole.size())}
    middle = min(neighbours, key=lambda q: max(whole.distance_matrix[q]))
    order = [middle]
    for qubit in order:
        order += [q for q in neighbours[qubit] if q not in order]
    index = {qubit: i for i, qubit in enumerate(order[:qubits])}
    return [
        (index[a], index[b])
        for a in index
        for b in neighbours[a]
        if b in index and index[a] < index[b]
    ]
