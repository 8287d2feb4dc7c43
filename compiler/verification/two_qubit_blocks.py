"""Circuits as two-qubit blocks with nothing in between, before one gate on each qubit."""

from collections.abc import Iterator
from typing import TypeAlias

import numpy as np
from attrs import define
from qiskit import QuantumCircuit
from qiskit.circuit import Operation

from compiler.circuits.gate_basis import in_basis
from compiler.circuits.matrices import Matrix, kronecker, with_qubits_swapped
from compiler.circuits.tolerances import LOCAL_BLOCK
from compiler.circuits.weyl import tensor_factors
from compiler.formats.plain_gates import plain

BASIS = ["cx", "cz", "u"]
"""Gates to which gates on more than two qubits are decomposed."""


_NarrowGate: TypeAlias = tuple[str, tuple[int, ...], Matrix]


@define(eq=False)
class Blocks:
    """A product of unitaries on two qubits, followed by one gate on each qubit.

    One-qubit gates are pulled through to the end, so that a block is written in the frame that
    its qubits had at the start. Blocks that follow each other on the same qubits are one.

    Args:
        pairs: the wires of each block, rising, in the order of time.
        unitaries: shape (4, 4) each; the lower wire is the low bit.
        ends: for each wire, shape (wires, 2, 2).
        wires: for each qubit the wire on which it ends, which is not its own where swaps were
            taken for new names.
        error: by how much, in operator norm, the circuit may differ.
    """

    pairs: list[tuple[int, int]]
    unitaries: list[Matrix]
    ends: Matrix
    wires: list[int]
    error: float = 0.0

    @classmethod
    def of(cls, circuit: QuantumCircuit, *, rename: bool = False) -> "Blocks":
        """Return a circuit's blocks.

        Args:
            circuit: unitary gates and barriers.
            rename: whether swaps are no blocks, but new names of wires, and gates that turn by
                next to nothing are none.

        Raises:
            CircuitFileError: if a gate has no unitary.
        """
        qubits = circuit.num_qubits
        ends = np.tile(np.eye(2, dtype=np.complex128), (qubits, 1, 1))
        blocks = cls([], [], ends, list(range(qubits)))
        last: dict[int, int] = {}
        for name, at, matrix in _narrow(plain(circuit)):
            if rename and name == "swap":
                a, b = at
                blocks.wires[a], blocks.wires[b] = blocks.wires[b], blocks.wires[a]
                continue
            wires = tuple(blocks.wires[qubit] for qubit in at)
            local = (
                tensor_factors(matrix.reshape(2, 2, 2, 2), LOCAL_BLOCK)
                if rename and len(at) == 2
                else None
            )
            if local is None:
                blocks._append(wires, matrix, last)
                continue
            blocks._append(wires[1:], local[0], last)
            blocks._append(wires[:1], local[1], last)
            blocks.error += local[2]
        return blocks

    def _append(self, at: tuple[int, ...], matrix: Matrix, last: dict[int, int]) -> None:
        if len(at) < 2:
            for wire in at:
                self.ends[wire] = matrix @ self.ends[wire]
            return
        low, high = at
        if low > high:
            low, high, matrix = high, low, with_qubits_swapped(matrix)
        frame = kronecker(self.ends[high], self.ends[low])
        unitary = frame.conj().T @ matrix @ frame
        block = last.get(low, -1)
        if block >= 0 and block == last.get(high):
            self.unitaries[block] = unitary @ self.unitaries[block]
            return
        last[low] = last[high] = len(self.pairs)
        self.pairs.append((low, high))
        self.unitaries.append(unitary)


def split_block(parts: Matrix, room: float) -> tuple[Matrix, Matrix, float, bool] | None:
    """Split a block on two qubits' states into gates on the high and on the low one.

    Args:
        parts: shape (2, 2, states of the high qubit, states of the low one).
        room: by how much it may differ.

    Returns:
        Also by how much it does, and whether a swap comes before them; None if it is something
        else.
    """
    for swapped in (False, True):
        factors = tensor_factors(parts.transpose(0, 1, 3, 2) if swapped else parts, room)
        if factors is not None:
            return (*factors, swapped)
    return None


def _narrow(circuit: QuantumCircuit) -> Iterator[_NarrowGate]:
    """Yield names, qubits and matrices of gates on two qubits at most; the first is the low bit."""
    index = {qubit: place for place, qubit in enumerate(circuit.qubits)}
    narrow: dict[type[Operation], list[_NarrowGate]] = {}
    for item in circuit.data:
        if item.name == "barrier":
            continue
        qubits = tuple(index[qubit] for qubit in item.qubits)
        if len(qubits) <= 2 and (matrix := item.matrix) is not None:
            yield item.name, qubits, matrix
            continue
        gate = item.operation
        inside = narrow.get(gate.base_class)
        if inside is None:
            inside = list(_narrow(_in_narrow_gates(gate)))
            if not gate.mutable:
                narrow[gate.base_class] = inside
        for name, within, matrix in inside:
            yield name, tuple(qubits[place] for place in within), matrix


def _in_narrow_gates(operation: Operation) -> QuantumCircuit:
    alone = QuantumCircuit(operation.num_qubits)
    alone.append(operation, range(operation.num_qubits))
    return in_basis(alone, BASIS)
