"""A circuit as two-qubit interactions alone, with all one-qubit gates at the end.

Commutation of interactions, and their partial order.

Fewer interactions: those on one pair of wires that can meet become one product.
"""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from attrs import evolve, frozen
from qiskit import QuantumCircuit
from qiskit.quantum_info import Operator

from compiler.circuits.matrices import Bits, Matrix, Numbers, Reals, pauli_vector, turned_back
from compiler.circuits.tolerances import SAME, SAME_AXIS
from compiler.circuits.weyl import weyl_decomposition
from compiler.compiled import cached_njit


@frozen(eq=False)
class Interactions:
    """A product of exp(i θ (a·σ)⊗(b·σ)) in time order, followed by one gate on each wire.

    One-qubit gates are pulled through to the end, so the axes are in the frame that each wire
    has at the start.

    Args:
        pairs: int64[n, 2], the wires of each interaction.
        axes: float64[n, 2, 3], unit vectors; `axes[i, k]` belongs to wire `pairs[i, k]`.
        angles: float64[n], θ in radians, 0 < θ ≤ π/4; π/4 is the class of CX.
        ends: complex128[wires, 2, 2], the unitary that follows on each wire; the global phase
            is in that of wire 0.
    """

    pairs: Numbers
    axes: Reals
    angles: Reals
    ends: Matrix

    def __len__(self) -> int:
        return len(self.angles)

    def matrix(self, members: Iterable[int], wire: int) -> Matrix:
        """Return the product of interactions on one pair of wires.

        Args:
            members: indices in time order.
            wire: the one of the two that is the low bit of the matrix, as Qiskit counts.
        """
        product = np.eye(4, dtype=np.complex128)
        for i in members:
            low = int(self.pairs[i, 1] == wire)
            axes = self.axes[i, low], self.axes[i, 1 - low]
            product = exponential(*axes, float(self.angles[i])) @ product
        return product


def exponential(low: Reals, high: Reals, angle: float) -> Matrix:
    """Return exp(i angle (high·σ)⊗(low·σ))."""
    generator = np.kron(pauli_vector(high), pauli_vector(low))
    return np.cos(angle) * np.eye(4) + 1j * np.sin(angle) * generator


def canonical(unitary: Matrix) -> tuple[list[tuple[int, float]], list[Matrix], list[Matrix]]:
    """Split U into (K₁⊗L₁)·exp(i Σₖ θₖ σₖ⊗σₖ)·(K₂⊗L₂), the least angles there are.

    Args:
        unitary: complex128[4, 4].

    Returns:
        The pairs (k, θₖ) with θₖ ≠ 0, [L₂, K₂], and [L₁, K₁] with the global phase in L₁; the
        second factor of the tensor product is the low bit.
    """
    weyl = weyl_decomposition(unitary)
    phase = np.exp(1j * weyl.global_phase)
    angles = [(k, theta) for k, theta in enumerate((weyl.a, weyl.b, weyl.c)) if abs(theta) > SAME]
    return angles, [weyl.K2r, weyl.K2l], [phase * weyl.K1r, weyl.K1l]


@frozen(eq=False)
class _Item:
    pair: Numbers
    axes: Reals
    angle: float

    @classmethod
    def of(cls, pair: Numbers, k: int, theta: float, before: Sequence[Matrix]) -> "_Item":
        """Return exp(i θ σₖ⊗σₖ) after one-qubit gates, which stay at the end."""
        axes = np.array([turned_back(np.eye(3)[k], gate) for gate in before])
        axes[0] *= np.sign(theta)
        return cls(pair, axes, abs(theta))

    def commutes(self, other: "_Item") -> bool:
        return bool(commute(self.pair, self.axes, other.pair, other.axes))

    def axis(self, wire: int) -> Reals:
        return self.axes[int(self.pair[1] == wire)]

    def turned_back(self, wire: int, unitary: Matrix) -> "_Item":
        if wire not in self.pair:
            return self
        axes = self.axes.copy()
        k = int(self.pair[1] == wire)
        axes[k] = turned_back(axes[k], unitary)
        return evolve(self, axes=axes)


def _interactions(items: Sequence[_Item], ends: Matrix) -> Interactions:
    return Interactions(
        np.array([item.pair for item in items], dtype=np.int64).reshape(-1, 2),
        np.array([item.axes for item in items], dtype=np.float64).reshape(-1, 2, 3),
        np.array([item.angle for item in items], dtype=np.float64),
        ends,
    )


def interactions_of(circuit: QuantumCircuit) -> Interactions:
    """Return a circuit's interactions, one to three for each of its two-qubit gates."""
    ends = np.tile(np.eye(2, dtype=np.complex128), (circuit.num_qubits, 1, 1))
    items: list[_Item] = []
    for gate in circuit.data:
        wires = np.array([circuit.find_bit(qubit).index for qubit in gate.qubits])
        if gate.operation.name == "barrier":
            continue
        unitary = Operator(gate.operation).data
        if len(wires) == 1:
            ends[wires] = unitary @ ends[wires]
            continue
        angles, before, after = canonical(unitary)
        ends[wires] = before @ ends[wires]
        items += [_Item.of(wires, k, theta, ends[wires]) for k, theta in angles]
        ends[wires] = after @ ends[wires]
    ends[:1] *= np.exp(1j * float(circuit.global_phase))
    return _interactions(items, ends)


@cached_njit()
def commute(first: Numbers, first_axes: Reals, second: Numbers, second_axes: Reals) -> bool:
    """Return whether two interactions commute.

    They do on one shared wire if their axes there are parallel, and on two if they are both
    parallel or both perpendicular.

    Args:
        first: int64[2], the wires of one interaction.
        first_axes: float64[2, 3], its axes.
        second: int64[2], the wires of the other one.
        second_axes: float64[2, 3], its axes.
    """
    shared = parallel = perpendicular = 0
    for k in range(2):
        for m in range(2):
            if first[k] != second[m]:
                continue
            a, b = first_axes[k], second_axes[m]
            x = a[1] * b[2] - a[2] * b[1]
            y = a[2] * b[0] - a[0] * b[2]
            z = a[0] * b[1] - a[1] * b[0]
            shared += 1
            parallel += x * x + y * y + z * z < SAME_AXIS**2
            perpendicular += abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) < SAME_AXIS
    return parallel == shared or (shared == 2 and perpendicular == 2)


@cached_njit()
def _direct_predecessors(pairs: Numbers, axes: Reals) -> Bits:
    n = len(pairs)
    before = np.zeros((n, n), dtype=np.bool_)
    direct = np.zeros((n, n), dtype=np.bool_)
    for j in range(n):
        for i in range(j - 1, -1, -1):
            if not before[j, i] and not commute(pairs[i], axes[i], pairs[j], axes[j]):
                direct[j, i] = before[j, i] = True
                before[j, :i] |= before[i, :i]
    return direct


def direct_predecessors(interactions: Interactions) -> Bits:
    """Return the interactions that come right before each one.

    Returns:
        bool[n, n]; `[j, i]` says that i comes before j and that nothing has to come between:
        the transitive reduction of the order given by pairs that do not commute.
    """
    return _direct_predecessors(interactions.pairs, interactions.axes)


MAX_TOGETHER = 4
"""Interactions that are merged at once; any product needs no more than three."""


def merged(interactions: Interactions) -> Interactions:
    """Return the same unitary in fewer interactions if there are any that can be merged.

    Interactions on one pair of wires that can be brought together, past all that they commute
    with, are replaced by their product's canonical form if that has fewer interactions; it
    never needs more CX. Of two CX that share an axis one interaction with another angle is
    left, of two equal ones nothing.
    """
    while len(fewer := _merged_once(interactions)) < len(interactions):
        interactions = fewer
    return interactions


def _merged_once(interactions: Interactions) -> Interactions:
    items: list[_Item] = []
    ends = np.tile(np.eye(2, dtype=np.complex128), (len(interactions.ends), 1, 1))
    for i, pair in enumerate(interactions.pairs):
        axes = [turned_back(interactions.axes[i, k], ends[pair[k]]) for k in range(2)]
        items.append(_Item(pair, np.array(axes), float(interactions.angles[i])))
        for group in _meetings(items):
            if _replace(items, group, ends):
                break
    return _interactions(items, interactions.ends @ ends)


def _meetings(items: Sequence[_Item]) -> Iterator[list[int]]:
    """Yield groups on the last item's pair that can be moved to where their first one is."""
    last = len(items) - 1
    wires = set(items[last].pair.tolist())
    for i in range(last - 1, -1, -1):
        if wires == set(items[i].pair.tolist()):
            yield [i, last]
        if not items[last].commutes(items[i]):
            break
    group = [last]
    for i in range(last - 1, -1, -1):
        if wires == set(items[i].pair.tolist()):
            group.insert(0, i)
            if len(group) > 2:
                yield group
            if len(group) == MAX_TOGETHER:
                break
        elif not all(items[j].commutes(items[i]) for j in group):
            break


def _replace(items: list[_Item], group: Sequence[int], ends: Matrix) -> bool:
    """Merge a group if that leaves fewer, and pull the one-qubit gates this gives through."""
    pair = items[group[0]].pair
    product = np.eye(4, dtype=np.complex128)
    for j in group:
        low, high = (items[j].axis(wire) for wire in pair)
        product = exponential(low, high, items[j].angle) @ product
    angles, before, after = canonical(product)
    if len(angles) >= len(group):
        return False
    place = group[0]
    for j in reversed(group):
        del items[j]
    for k, wire in enumerate(pair):
        turn = after[k] @ before[k]
        ends[wire] = ends[wire] @ turn
        items[place:] = [item.turned_back(wire, turn) for item in items[place:]]
    for k, theta in angles:
        items.insert(place, _Item.of(pair, k, theta, before))
    return True
