"""Two-qubit blocks, rewritten with regard to the state that reaches them.

A circuit starts in |0…0⟩, so each block meets one state. Off the support of its pair's reduced
state the block may do anything; it becomes the block of the lowest entangling class that does
the same on the support. The state after every block stays the same, up to a global phase.
"""

from collections.abc import Sequence
from contextlib import suppress

from qiskit import QuantumCircuit

from compiler.caches import cached_rewriting
from compiler.circuits.branches import Branches
from compiler.circuits.cx_cost import cx_cost
from compiler.circuits.gate_order import SmallestFirst
from compiler.circuits.matrices import Matrix
from compiler.errors import LoweringError, StateTooLargeError
from compiler.lowering.draft import ALL, Draft, Pass, Setting
from compiler.lowering.interactions.in_cx import circuit_in_cx
from compiler.lowering.reachable.clusters import Reachable, Reached
from compiler.lowering.state_peephole.block_class import cheapest_on_support
from compiler.lowering.state_peephole.blocks import (
    Block,
    apply_block,
    blocks_of,
    circuit_of,
    items_of,
    with_rewritten,
)


def in_small_states(circuit: QuantumCircuit, amplitudes: int) -> QuantumCircuit:
    """Return a circuit with its gates in an order in which its state stays small.

    Args:
        circuit: gates and barriers; no measurements.
        amplitudes: limit up to which the state is followed; later gates keep their order.
    """
    state = Branches.zero(circuit.num_qubits, amplitudes)
    return circuit_of(smallest_first(blocks_of(circuit), state), circuit)


def smallest_first(blocks: Sequence[Block], state: Branches) -> list[Block]:
    """Return blocks in an order in which a state stays small, as long as it does."""

    def play(place: int) -> None:
        apply_block(state, blocks[place])

    ordering = SmallestFirst(
        [block.qubits for block in blocks],
        play,
        lambda place: state.unless_larger(lambda: play(place)),
    )
    with suppress(StateTooLargeError):
        ordering.run()
    done = dict.fromkeys(ordering.order)
    left = (place for place in range(len(blocks)) if place not in done)
    return [blocks[place] for place in (*done, *left)]


MAX_GATES = 8_000
"""Two-qubit gates beyond which a sweep takes minutes and finds next to nothing."""

AMPLITUDES_PER_CANDIDATE = 1 << 11
"""Amplitudes up to which a state is followed, for each candidate of the budget.

Beyond, small clusters of it are followed. A million amplitudes take half a minute a sweep.
"""

SWEEPS = 60

COSTS = {"cx": 1, "cy": 1, "cz": 1, "ch": 1, "ecr": 1, "swap": 3}
"""CX gates that two-qubit gates take; others take two as a rule."""


@cached_rewriting
def rewritten(circuit: QuantumCircuit, amplitudes: int) -> QuantumCircuit:
    """Return a circuit that prepares the same state from |0…0⟩ with no more two-qubit gates.

    Args:
        circuit: gates and barriers, on any qubits; no measurements.
        amplitudes: the state is followed exactly as long as it has no more than these.

    Returns:
        The circuit itself if nothing is gained. Changed parts are written in CX and `u`.
    """
    blocks = blocks_of(circuit)
    ordered = smallest_first(blocks, Branches.zero(circuit.num_qubits, amplitudes))
    tried = [circuit] if ordered == blocks else [circuit, circuit_of(ordered, circuit)]
    circuits = [(order, _swept(order, amplitudes)) for order in tried]
    order, fewest = min(circuits, key=lambda pair: pair[1].num_nonlocal_gates())
    return circuit if fewest is order else fewest


def _swept(circuit: QuantumCircuit, amplitudes: int) -> QuantumCircuit:
    """Return a circuit with its blocks made cheaper, again and again; itself if none can be."""
    for _ in range(SWEEPS):
        before, reached = circuit, Reachable(circuit.num_qubits, amplitudes)
        circuit = cheaper_blocks(before, reached)
        if circuit is before:
            break
    return circuit


def cheaper_blocks(circuit: QuantumCircuit, reached: Reached) -> QuantumCircuit:
    """Return a circuit with each two-qubit block as cheap as its support allows.

    Args:
        circuit: gates and barriers; no measurements.
        reached: facts before the circuit, changed to those after it.

    Returns:
        The circuit itself if nothing is gained.
    """
    blocks = blocks_of(circuit)
    cheaper = [_passed(block, reached) for block in blocks]
    same = all(a is b for a, b in zip(blocks, cheaper, strict=True))
    return circuit if same else circuit_of(cheaper, circuit)


def _passed(block: Block, reached: Reached) -> Block:
    """Apply a block to the reached state, and return it as cheap as that allows."""
    cheaper = None
    if block.matrix is not None and block.two_qubit_gates:
        cheaper = cheaper_block(block, block.matrix, reached.support(block.qubits))
    apply_block(reached, block)
    return cheaper or block


def cheaper_block(block: Block, matrix: Matrix, support: Matrix) -> Block | None:
    """Return a block of CX and `u` with fewer two-qubit gates that does the same on a support.

    Args:
        block: gates on two qubits.
        matrix: of the block, shape (4, 4).
        support: orthonormal columns, shape (4, r).
    """
    limit = min(_cost(block), block.two_qubit_gates + 1, 3)
    # On a full support the unitary is all that counts.
    if support.shape[1] == len(matrix) and cx_cost(matrix) >= limit:
        return None
    cheapest = cheapest_on_support(matrix, support, limit)
    if cheapest is None:
        return None
    try:
        gates = circuit_in_cx(cheapest)
    except LoweringError:
        # Its class was told too roughly.
        return None
    return Block(block.qubits, items_of(gates, block.qubits), matrix=cheapest)


def _cost(block: Block) -> int:
    """Return the CX gates of a block's gates."""
    return sum(COSTS.get(gate.name, 2) for gate, qubits in block.items if len(qubits) == 2)


def _run(draft: Draft, setting: Setting) -> Draft:
    if draft.circuit.num_nonlocal_gates() > MAX_GATES:
        return draft
    circuit = rewritten(draft.circuit, AMPLITUDES_PER_CANDIDATE * setting.budget)
    return with_rewritten(draft, circuit, setting.target)


state_peephole = Pass("state-peephole", _run, preserves=ALL, from_zero=True)
