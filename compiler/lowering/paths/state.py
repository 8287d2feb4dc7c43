"""Circuits as arrays, and the state between two stretches of a circuit that is routed."""

from typing import NamedTuple

import numpy as np

from compiler.circuits.matrices import Bits, Integers
from compiler.compiled import cached_njit
from compiler.lowering.mirror.problem import Device


class Gates(NamedTuple):
    """A circuit as arrays.

    Args:
        wires: shape (gates, 2), rising.
        missing: shape (gates,), on how many earlier gates each depends.
        offsets: shape (gates + 1,), where each gate's dependants begin in `dependants`.
        dependants: the gates that depend on each gate, one gate after the other.
        firsts: shape (wires + 1,), where each wire's gates begin in `own`.
        own: the gates of each wire, one wire after the other.
        homes: shape (wires,), the qubit near which each wire is at best; -1 if there is none.
        done_with: shape (wires,), whether a wire's qubit is reset after its last gate, and then
            free for another wire.
    """

    wires: Integers
    missing: Integers
    offsets: Integers
    dependants: Integers
    firsts: Integers
    own: Integers
    homes: Integers
    done_with: Bits


class State(NamedTuple):
    """State between two stretches.

    Args:
        at: shape (wires,), the qubit of each wire; -1 if it has none, or no longer.
        start: shape (wires,), the stretch in which each begins: its qubit, plus the number of
            qubits for each reset of that before.
        end: shape (wires,), the stretch in which each ends that is done with; -1 before.
        held: shape (qubits,), the wire on each qubit; -1 if there is none.
        fresh: shape (qubits,), whether no gate has acted on what is on the qubit.
        origin: shape (qubits,), the stretch in which that has begun.
        stretch: shape (qubits,), the present stretch of each.
        partner: shape (qubits,), the other qubit of the last block on each.
        block: shape (qubits,), the CX of that block.
        missing: as in `Gates`, of gates that are not done.
        done: shape (gates,).
        next: shape (wires,), where each wire's gates that are not done begin in `own`.
        zero: whether fresh qubits are in |0⟩ for sure, so that a swap with one takes two CX.
    """

    at: Integers
    start: Integers
    end: Integers
    held: Integers
    fresh: Bits
    origin: Integers
    stretch: Integers
    partner: Integers
    block: Integers
    missing: Integers
    done: Bits
    next: Integers
    zero: bool


def beginning(gates: Gates, device: Device, *, zero: bool) -> State:
    """Return the state before the first gate."""
    qubits, wires = len(device.distance), len(gates.homes)
    return State(
        np.full(wires, -1, np.int32),
        np.full(wires, -1, np.int32),
        np.full(wires, -1, np.int32),
        np.full(qubits, -1, np.int32),
        np.ones(qubits, np.bool_),
        np.arange(qubits, dtype=np.int32),
        np.arange(qubits, dtype=np.int32),
        np.full(qubits, -1, np.int32),
        np.zeros(qubits, np.int32),
        gates.missing.copy(),
        np.zeros(len(gates.wires), np.bool_),
        gates.firsts[:-1].copy(),
        zero,
    )


@cached_njit()
def copied(s: State) -> State:
    """Return a copy of a state."""
    return State(
        s.at.copy(),
        s.start.copy(),
        s.end.copy(),
        s.held.copy(),
        s.fresh.copy(),
        s.origin.copy(),
        s.stretch.copy(),
        s.partner.copy(),
        s.block.copy(),
        s.missing.copy(),
        s.done.copy(),
        s.next.copy(),
        s.zero,
    )
