"""Circuits as maximal blocks of gates on two qubits, and the items between them."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

import numpy as np
from attrs import field, frozen
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, ControlledGate, Instruction
from qiskit.transpiler import Target

from compiler.circuits.gate_steps import matrix_of, zero_controls
from compiler.circuits.matrices import IDENTITY, PAULIS, Matrix, kronecker, with_qubits_swapped
from compiler.lowering.draft import Draft
from compiler.lowering.native import translated
from compiler.lowering.reachable.clusters import Reached

MAX_WIDENED = 4096
"""Gates on one qubit whose matrices on two are cached, of 256 bytes each."""

Item = tuple[Instruction, tuple[int, ...]]
"""A gate and the circuit's qubits that it acts on."""


@frozen(eq=False)
class Block:
    """Gates that follow each other on one or two qubits, or a single wider gate or barrier.

    Args:
        qubits: that it acts on.
        items: its gates in their order.
        factors: the matrices of these; none if there are none, or nothing applies the block.
        matrix: of all of them, the first qubit being the lower bit of an index; None if it is a
            barrier, or too wide or too strange for a matrix.
    """

    qubits: tuple[int, ...]
    items: tuple[Item, ...]
    factors: tuple[Matrix, ...] = ()
    matrix: Matrix | None = None

    @property
    def two_qubit_gates(self) -> int:
        """Number of gates on two qubits; swaps count once."""
        return sum(len(qubits) == 2 for _, qubits in self.items)

    def moved(self, places: Sequence[int]) -> "Block":
        """Return the same on other qubits, q taken to `places[q]`."""
        items = tuple((gate, tuple(places[q] for q in qubits)) for gate, qubits in self.items)
        return Block(tuple(places[q] for q in self.qubits), items, self.factors, self.matrix)


@frozen(eq=False)
class _Open:
    """A block that may still grow."""

    qubits: tuple[int, ...]
    items: list[tuple[Item, Matrix]] = field(factory=list)

    def closed(self) -> Block:
        matrix = np.eye(1 << len(self.qubits), dtype=complex)
        for (_, qubits), factor in self.items:
            matrix = widened(factor, qubits, self.qubits) @ matrix
        items, factors = zip(*self.items, strict=True)
        return Block(self.qubits, items, factors, matrix)


def widened(matrix: Matrix, qubits: tuple[int, ...], pair: tuple[int, ...]) -> Matrix:
    """Return the matrix on `pair` of a gate on one or both of its qubits."""
    if qubits == pair:
        return matrix
    if len(qubits) == 2:
        return with_qubits_swapped(matrix)
    return _on_two(matrix.tobytes(), low=qubits[0] == pair[0])


@lru_cache(MAX_WIDENED)
def _on_two(matrix: bytes, *, low: bool) -> Matrix:
    """Return the matrix on two qubits of a gate on one of them; circuits repeat few gates."""
    alone = np.frombuffer(matrix, np.complex128).reshape(2, 2)
    return kronecker(IDENTITY, alone) if low else kronecker(alone, IDENTITY)


def blocks_of(circuit: QuantumCircuit) -> list[Block]:
    """Return a circuit as blocks, in an order in which they can be applied.

    Two-qubit blocks are maximal; one-qubit gates belong to the block before them, or else to the
    one that follows. Barriers and wider gates end blocks.
    """
    done: list[_Open | Block] = []
    last: dict[int, _Open] = {}
    index = {qubit: i for i, qubit in enumerate(circuit.qubits)}
    for operation in circuit.data:
        qubits = tuple(index[qubit] for qubit in operation.qubits)
        item = operation.operation, qubits
        matrix = matrix_of(operation.operation) if len(qubits) <= 2 else None
        if matrix is None:
            for qubit in qubits:
                last.pop(qubit, None)
            done.append(Block(qubits, (item,)))
        elif len(qubits) == 1 and qubits[0] in last:
            last[qubits[0]].items.append((item, matrix))
        else:
            block = _block_for(qubits, last, done)
            block.items.append((item, matrix))
    return [block.closed() if isinstance(block, _Open) else block for block in done]


def _block_for(qubits: tuple[int, ...], last: dict[int, _Open], done: list[_Open | Block]) -> _Open:
    """Return the open block that a gate belongs to, a new one if there is none."""
    before = [last.get(qubit) for qubit in qubits]
    if len(qubits) == 2 and before[0] is before[1] and before[0] is not None:
        return before[0]
    block = _Open(qubits)
    for earlier in before:
        if earlier is not None and len(earlier.qubits) == 1:
            block.items.extend(earlier.items)
            done.remove(earlier)
    done.append(block)
    last.update(dict.fromkeys(qubits, block))
    return block


def circuit_of(blocks: Iterable[Block], like: QuantumCircuit) -> QuantumCircuit:
    """Return the circuit of blocks on the registers of another one."""
    circuit = like.copy_empty_like()
    for block in blocks:
        for operation, qubits in block.items:
            at = [circuit.qubits[qubit] for qubit in qubits]
            circuit._append(CircuitInstruction(operation, at))
    return circuit


def items_of(circuit: QuantumCircuit, places: Sequence[int]) -> tuple[Item, ...]:
    """Return a circuit's gates, its qubit q taken to `places[q]`."""
    index = {qubit: places[i] for i, qubit in enumerate(circuit.qubits)}
    return tuple(
        (item.operation, tuple(index[qubit] for qubit in item.qubits)) for item in circuit.data
    )


NOTHING = frozenset({"barrier", "delay", "id"})


def apply_block(state: Reached, block: Block) -> None:
    """Apply a block, or a gate of any width; forget all facts about unknown ones.

    Raises:
        StateTooLargeError: if a state becomes too large, and cannot forget.
    """
    gate, qubits = block.items[0]
    if block.matrix is not None:
        # Gate by gate: the last one-qubit gates of a block would hide the effect of the others.
        for (_, acted_on), factor in zip(block.items, block.factors, strict=True):
            state.apply(factor, acted_on)
    elif gate.name in NOTHING:
        return
    elif isinstance(gate, ControlledGate) and gate.base_gate.num_qubits == 1:
        _apply_controlled(state, gate, qubits)
    elif gate.definition is None:
        state.forget(qubits)
    else:
        for part in blocks_of(gate.definition):
            apply_block(state, part.moved(qubits))


def _apply_controlled(state: Reached, gate: ControlledGate, qubits: tuple[int, ...]) -> None:
    controls = qubits[: gate.num_ctrl_qubits]
    flipped = zero_controls(gate, qubits)
    for qubit in flipped:
        state.apply(PAULIS[0], (qubit,))
    state.apply(np.asarray(gate.base_gate.to_matrix()), qubits[-1:], controls)
    for qubit in flipped:
        state.apply(PAULIS[0], (qubit,))


def with_rewritten(draft: Draft, circuit: QuantumCircuit, target: Target) -> Draft:
    """Return a draft with a circuit that a pass has rewritten, native again if it was."""
    if circuit is not draft.circuit and is_native(draft.circuit, target):
        circuit = translated(circuit, target)
    return draft.with_circuit(circuit)


def is_native(circuit: QuantumCircuit, target: Target) -> bool:
    """Return whether all gates are the target's, on qubits that it has them for."""
    index = {qubit: i for i, qubit in enumerate(circuit.qubits)}
    return circuit.num_qubits <= target.num_qubits and all(
        item.name == "barrier"
        or target.instruction_supported(item.name, tuple(index[qubit] for qubit in item.qubits))
        for item in circuit.data
    )
