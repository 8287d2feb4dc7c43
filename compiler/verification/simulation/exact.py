"""Exact states by whichever engine copes."""

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from qiskit import QuantumCircuit

from compiler.circuits.amplitude_table import MAX_AMPLITUDES
from compiler.circuits.branches import Branches
from compiler.circuits.gate_order import SmallestFirst
from compiler.circuits.gate_steps import Step, steps_of
from compiler.errors import StateTooLargeError
from compiler.verification.simulation.blocks import merged
from compiler.verification.simulation.rotations import rotations_of, runs_of
from compiler.verification.simulation.sparse import SparseState, simulate
from compiler.verification.simulation.wide_gates import is_wide


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


TRIED_BRANCHES = 1 << 21
"""Amplitudes up to which native circuits are simulated by branches.

Branches cope with optimised and routed circuits, whose states are small only in rotated bases;
qblaze is faster where states are large or gates have many controls. On native circuits of 1,000
to 2,700 two-qubit gates branches took a quarter to a twentieth of its time. The nine cards with an
iterate on a star need more than half as many amplitudes on the way.
"""

SMALL_BRANCHES = 1 << 17
"""Amplitudes up to which they are tried first, in either order: most that end in time stay below.
"""


def exact_state(circuit: QuantumCircuit, max_amplitudes: int = MAX_AMPLITUDES) -> SparseState:
    """Return the state that `circuit` prepares from |0…0⟩.

    Args:
        circuit: gates and barriers; no measurements.
        max_amplitudes: the most amplitudes the state may have on the way.

    Raises:
        StateTooLargeError: if the state could outgrow `max_amplitudes` in every engine.
    """
    tried = min(TRIED_BRANCHES, max_amplitudes)
    # The second engine is not asked while an error is handled: its traceback holds the first's
    # state, and qblaze aborts where memory is short.
    if is_wide(circuit):
        with suppress(StateTooLargeError):
            return simulate(circuit, max_amplitudes=max_amplitudes)
        return branched_state(circuit, max_amplitudes=tried)
    for most in sorted({min(SMALL_BRANCHES, tried), tried}):
        for engine in (branched_state, commuted_state):
            with suppress(StateTooLargeError):
                return engine(circuit, max_amplitudes=most)
    return simulate(circuit, max_amplitudes=max_amplitudes)
