"""Circuits played in an order in which their states stay small."""

from collections.abc import Sequence

import numpy as np
from qiskit import QuantumCircuit

from compiler.circuits.amplitude_table import MAX_AMPLITUDES
from compiler.circuits.branches import Branches
from compiler.circuits.gate_order import SmallestFirst
from compiler.circuits.gate_steps import Step, steps_of
from compiler.verification.simulation.blocks import merged
from compiler.verification.simulation.commuting.rotations import rotations_of, runs_of
from compiler.verification.simulation.sparse import SparseState


def branched_state(
    circuit: QuantumCircuit, initial: int = 0, max_amplitudes: int = MAX_AMPLITUDES
) -> SparseState:
    """Return the state that `circuit` prepares from a basis state.

    Raises:
        StateTooLargeError: if the state outgrows `max_amplitudes`.
    """
    start = np.array([[initial >> q & 1 for q in range(circuit.num_qubits)]], dtype=bool)
    branches = Branches(start, max_amplitudes)
    gates = [step for step in steps_of(circuit) if step.kind != "barrier"]
    steps, place = merged(gates, circuit.num_qubits)
    played_in_order(branches, steps)
    return _renamed(branches, place)


def commuted_state(circuit: QuantumCircuit, max_amplitudes: int = MAX_AMPLITUDES) -> SparseState:
    """Return the state that `circuit` prepares from |0…0⟩; gates that commute may change places.

    That takes longer than `branched_state`, and copes with circuits whose scheduler has made use
    of it.

    Raises:
        StateTooLargeError: if the state outgrows `max_amplitudes`.
    """
    width = circuit.num_qubits
    branches = Branches.zero(width, max_amplitudes)
    gates = [step for step in steps_of(circuit) if step.kind != "barrier"]
    steps, place = merged(gates, width, from_zero=True)
    rotations, last = rotations_of(steps, width)
    played = [rotation.steps() for rotation in rotations]
    SmallestFirst(
        [rotation.qubits for rotation in rotations],
        lambda place: branches.play(played[place]),
        lambda place: branches.unless_larger(lambda: branches.play(played[place])),
        runs=runs_of(rotations, width),
    ).run()
    branches.play(last)
    return _renamed(branches, place)


def _renamed(branches: Branches, place: Sequence[int]) -> SparseState:
    """Return the state of a single run, each qubit being where `place` says."""
    branches.settle()
    return SparseState(branches.table.bits(place), branches.table.amplitudes.copy())


def played_in_order(
    branches: Branches, steps: Sequence[Step], random: np.random.Generator | None = None
) -> list[Step]:
    """Apply gates in an order that keeps the state small, and return that order.

    Args:
        branches: the state; it is changed.
        steps: gates on one and two qubits, no barriers.
        random: if given, every qubit is measured after its last gate.
    """

    def finish(qubit: int) -> None:
        if random is not None:
            branches.measure([qubit], random)

    order = SmallestFirst(
        [step.qubits for step in steps],
        lambda place: branches.play([steps[place]]),
        lambda place: branches.unless_larger(lambda: branches.play([steps[place]])),
        finish,
    ).run()
    return [steps[place] for place in order]
