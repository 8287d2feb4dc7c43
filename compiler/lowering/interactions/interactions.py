"""A circuit as two-qubit interactions alone, with all one-qubit gates at the end."""

from collections.abc import Iterable, Sequence

import numpy as np
from attrs import frozen
from numpy.typing import NDArray
from qiskit import QuantumCircuit
from qiskit.circuit.library import UnitaryGate
from qiskit.quantum_info import Operator

from compiler.circuits.matrices import Matrix
from compiler.circuits.tolerances import SAME
from compiler.circuits.weyl import weyl_decomposition
from compiler.errors import LoweringError

Vectors = NDArray[np.float64]

PAULIS: Matrix = np.array(
    [[[0, 1], [1, 0]], [[0, -1j], [1j, 0]], [[1, 0], [0, -1]]], dtype=np.complex128
)


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

    pairs: NDArray[np.int64]
    axes: Vectors
    angles: Vectors
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

    def circuit(self, blocks: Iterable[Sequence[int]] | None = None) -> QuantumCircuit:
        """Return the circuit, one unitary for each block and one for each wire's end.

        Args:
            blocks: indices in an order that keeps what does not commute in place, each block
                on one pair of wires; left out, each interaction is a block.
        """
        rebuilt = QuantumCircuit(len(self.ends))
        for block in [[i] for i in range(len(self))] if blocks is None else blocks:
            first, second = (int(wire) for wire in self.pairs[block[0]])
            rebuilt.append(UnitaryGate(self.matrix(block, first)), [first, second])
        for wire, end in enumerate(self.ends):
            rebuilt.append(UnitaryGate(end), [wire])
        return rebuilt


def exponential(low: Vectors, high: Vectors, angle: float) -> Matrix:
    """Return exp(i angle (high·σ)⊗(low·σ))."""
    generator = np.kron(pauli_vector(high), pauli_vector(low))
    turned: Matrix = np.cos(angle) * np.eye(4) + 1j * np.sin(angle) * generator
    return turned


def pauli_vector(axis: Vectors) -> Matrix:
    """Return axis·σ."""
    return np.tensordot(axis, PAULIS, 1)


def turned_back(axes: Vectors, unitary: Matrix) -> Vectors:
    """Return the axes a′ with a′·σ = U†(a·σ)U, for axes of the shape [..., 3]."""
    inner = unitary.conj().T @ PAULIS @ unitary
    rotation = np.einsum("jab,kba->kj", PAULIS, inner).real / 2
    return axes @ rotation


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


def interactions_of(circuit: QuantumCircuit) -> Interactions:
    """Return a circuit's interactions, one to three for each of its two-qubit gates.

    Raises:
        LoweringError: if there is a gate on more than two qubits, or something without a unitary.
    """
    ends = [np.eye(2, dtype=np.complex128) for _ in circuit.qubits]
    found: list[tuple[list[int], Vectors, float]] = []
    for item in circuit.data:
        wires = [circuit.find_bit(qubit).index for qubit in item.qubits]
        if item.operation.name == "barrier":
            continue
        if len(wires) > 2 or item.clbits:
            raise LoweringError(
                f"'{item.operation.name}' on {len(wires)} qubits is no interaction; "
                "synthesise wider gates and take measurements away first"
            )
        unitary = Operator(item.operation).data
        if len(wires) == 1:
            ends[wires[0]] = unitary @ ends[wires[0]]
            continue
        angles, before, after = canonical(unitary)
        _append(ends, wires, before)
        found += [(wires, _frame(ends, wires, k, theta), abs(theta)) for k, theta in angles]
        _append(ends, wires, after)
    if ends:
        ends[0] = ends[0] * np.exp(1j * float(circuit.global_phase))
    return Interactions(
        np.array([wires for wires, _, _ in found], dtype=np.int64).reshape(-1, 2),
        np.array([axes for _, axes, _ in found], dtype=np.float64).reshape(-1, 2, 3),
        np.array([theta for _, _, theta in found], dtype=np.float64),
        np.array(ends, dtype=np.complex128).reshape(-1, 2, 2),
    )


def _append(ends: list[Matrix], wires: Sequence[int], gates: Sequence[Matrix]) -> None:
    for wire, gate in zip(wires, gates, strict=True):
        ends[wire] = gate @ ends[wire]


def _frame(ends: list[Matrix], wires: Sequence[int], k: int, theta: float) -> Vectors:
    """Return the axes, at the start, of exp(i θ σₖ⊗σₖ) after `ends`, with the sign of θ."""
    axes = np.array([turned_back(np.eye(3)[k], ends[wire]) for wire in wires])
    axes[0] *= np.sign(theta)
    return axes
