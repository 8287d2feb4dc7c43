"""Blocks in an order in which the state on the way stays small, so that it can be followed."""

from collections.abc import Sequence
from contextlib import suppress

from qiskit import QuantumCircuit

from compiler.circuits.branches import Branches
from compiler.circuits.gate_order import SmallestFirst
from compiler.errors import StateTooLargeError
from compiler.lowering.state_peephole.blocks import Block, blocks_of, circuit_of
from compiler.lowering.state_peephole.gates import apply_block


def in_small_states(circuit: QuantumCircuit, amplitudes: int) -> QuantumCircuit:
    """Return a circuit with its gates in an order in which its state stays small.

    Args:
        circuit: gates and barriers; no measurements.
        amplitudes: up to which the state is followed; what comes after keeps its order.
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
