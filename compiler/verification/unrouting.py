"""Native circuits without the target's qubits that routing only crosses."""

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit.library import UnitaryGate

from compiler.circuits.matrices import Matrix, kronecker
from compiler.circuits.tolerances import SAME_BLOCK
from compiler.circuits.weyl import tensor_factors
from compiler.lowering.draft import Draft
from compiler.verification.two_qubit_blocks import Blocks


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
        split = _split(unitary, *(frames[at][:, : 1 + (at in held)] for at in (high, low)))
        if split is None:
            return None
        on_high, on_low, apart, swapped = split
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


def _split(
    unitary: Matrix, on_high: Matrix, on_low: Matrix
) -> tuple[Matrix, Matrix, float, bool] | None:
    """Split a block on two states into gates on the high and on the low qubit.

    Returns:
        Also by how much it differs from them, and whether a swap comes before them; None if it is
        something else.
    """
    now = unitary @ kronecker(on_high, on_low)
    parts = now.reshape(2, 2, on_high.shape[1], on_low.shape[1])
    for swapped in (False, True):
        split = tensor_factors(parts.transpose(0, 1, 3, 2) if swapped else parts, SAME_BLOCK)
        if split is not None:
            return (*split, swapped)
    return None
