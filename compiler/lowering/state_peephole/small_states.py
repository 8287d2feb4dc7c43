"""Blocks in an order in which the state on the way stays small, so that it can be followed."""

from collections.abc import Sequence
from contextlib import suppress

from qiskit import QuantumCircuit

from compiler.errors import StateTooLargeError
from compiler.gate_order import SmallestFirst
from compiler.lowering.reachable.state import ReachableState
from compiler.lowering.state_peephole.blocks import Block, blocks_of, circuit_of
from compiler.lowering.state_peephole.gates import apply_block


def in_small_states(circuit: QuantumCircuit, amplitudes: int) -> QuantumCircuit:
    """Return a circuit with its gates in an order in which its state stays small.

    Args:
        circuit: gates and barriers; no measurements.
        amplitudes: up to which the state is followed; what comes after keeps its order.
    """
    return circuit_of(smallest_first(blocks_of(circuit), amplitudes), circuit)


def smallest_first(blocks: Sequence[Block], amplitudes: int) -> list[Block]:
    """Return blocks in an order in which their state stays small, as long as it does."""
    state = ReachableState(amplitudes)

    def play(place: int) -> None:
        apply_block(state, blocks[place])

    def play_unless_larger(place: int) -> bool:
        nonlocal state
        before = state.copy()
        try:
            play(place)
        except StateTooLargeError:
            larger = True
        else:
            larger = len(state.amplitudes) > len(before.amplitudes)
        if larger:
            state = before
        return not larger

    ordering = SmallestFirst([block.qubits for block in blocks], play, play_unless_larger)
    with suppress(StateTooLargeError):
        ordering.run()
    done = dict.fromkeys(ordering.order)
    left = (place for place in range(len(blocks)) if place not in done)
    return [blocks[place] for place in (*done, *left)]
