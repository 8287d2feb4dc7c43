"""Native circuits without the target's qubits that routing only crosses."""

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit.library import UnitaryGate

from compiler.circuits.matrices import kronecker
from compiler.circuits.tolerances import SAME_BLOCK
from compiler.lowering.draft import Draft
from compiler.verification.two_qubit_blocks import Blocks, split_block


def unrouted(lowered: Draft) -> tuple[QuantumCircuit, float] | None:
    """Return a native circuit without qubits that start in |0⟩ and only take part in swaps.

    A two-qubit block on such a qubit has to be one-qubit gates on the states that it meets,
    perhaps after a swap, which then is a new place of a program qubit. Blocks on two program
    qubits stay as they are, swaps too.

    Args:
        lowered: the result on the target's qubits, with its layouts.

    Returns:
        None if a block is something else, so that a qubit is not in |0⟩ for a time.
    """
    blocks = Blocks.of(lowered.circuit)
    held = {place: qubit for qubit, place in enumerate(lowered.initial_layout)}
    frames = [np.eye(2, dtype=np.complex128) for _ in blocks.ends]
    circuit, error = QuantumCircuit(len(held)), blocks.error
    for (low, high), unitary in zip(blocks.pairs, blocks.unitaries, strict=True):
        if low in held and high in held:
            circuit.append(UnitaryGate(unitary, check_input=False), [held[low], held[high]])
            continue
        # Of a qubit that holds none of the program's only one column matters: its state is |0⟩.
        columns = [1 + (at in held) for at in (high, low)]
        states = [frames[at][:, :count] for at, count in zip((high, low), columns, strict=True)]
        parts = split_block((unitary @ kronecker(*states)).reshape(2, 2, *columns), SAME_BLOCK)
        if parts is None:
            return None
        on_high, on_low, apart, swapped = parts
        error += apart
        if swapped:
            moved = {at: held.pop(at) for at in (low, high) if at in held}
            held |= {low + high - at: qubit for at, qubit in moved.items()}
        for at, gate in ((low, on_low), (high, on_high)):
            if at in held:
                circuit.append(UnitaryGate(gate, check_input=False), [held[at]])
                frames[at] = np.eye(2, dtype=np.complex128)
            else:
                frames[at][:, :1] = gate
    if not {*lowered.final_layout} <= {*held}:
        return None
    for at, end in enumerate(blocks.ends):
        if at in held:
            circuit.append(UnitaryGate(end, check_input=False), [held[at]])
        else:
            error += float(abs((end @ frames[at])[1, 0]))
    _bring_home(circuit, [held[at] for at in lowered.final_layout])
    return circuit, error


def _bring_home(circuit: QuantumCircuit, places: list[int]) -> None:
    """Append swaps that bring each qubit from where it is to its own place."""
    for qubit in range(len(places)):
        place = places[qubit]
        if place != qubit:
            circuit.swap(qubit, place)
            places[places.index(qubit)] = place
            places[qubit] = qubit
