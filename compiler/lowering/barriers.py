"""Passes that rewrite whole circuits, run on the pieces between barriers."""

from functools import wraps

from attrs import evolve
from qiskit import QuantumCircuit

from compiler.lowering.draft import Draft, Run, Setting
from compiler.lowering.qiskit_level_3 import after


def between_barriers(run: Run) -> Run:
    """Return a pass that rewrites each piece between barriers, and keeps the barriers.

    Args:
        run: a pass that takes circuits without barriers, holds on any input, and may let qubits
            change places.
    """

    @wraps(run)
    def in_pieces(draft: Draft, setting: Setting) -> Draft:
        if "barrier" not in draft.circuit.count_ops():
            return run(draft, setting)
        pieces, barriers = _split(draft.circuit)
        # No qubit starts in |0⟩ after a barrier.
        setting = evolve(setting, any_input=True)
        rewritten = [run(Draft.of(piece), setting) for piece in pieces]
        if all(new.circuit is old for new, old in zip(rewritten, pieces, strict=True)):
            return draft
        joined = draft.circuit.copy_empty_like()
        start = places = tuple(range(joined.num_qubits))
        for new, barrier in zip(rewritten, [*barriers, ()], strict=True):
            # Qubit i, at the piece's `initial_layout[i]`, is at `places[i]` of the joined circuit.
            wires = dict(zip(new.initial_layout, places, strict=True))
            joined.compose(new.circuit, [wires[wire] for wire in start], inplace=True)
            places = tuple(wires[wire] for wire in new.final_layout)
            if barrier:
                joined.barrier([places[qubit] for qubit in barrier])
        return after(draft, Draft(joined, start, places))

    return in_pieces


def _split(circuit: QuantumCircuit) -> tuple[list[QuantumCircuit], list[tuple[int, ...]]]:
    """Return the pieces between barriers, without global phase, and the qubits of each barrier."""
    empty = circuit.copy_empty_like()
    empty.global_phase = 0.0
    pieces, barriers = [empty.copy()], list[tuple[int, ...]]()
    for item in circuit.data:
        if item.name == "barrier":
            barriers.append(tuple(circuit.find_bit(qubit).index for qubit in item.qubits))
            pieces.append(empty.copy())
        else:
            pieces[-1].append(item)
    return pieces, barriers
