"""Lowered circuits against their originals on all inputs, not only from |0…0⟩."""

from collections.abc import Collection
from math import acos, pi, sqrt

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit import Gate
from qiskit.circuit.library import UGate
from qiskit.transpiler import Target

from compiler.circuits.tolerances import SAME_BY_ROTATIONS, SAME_STATE
from compiler.errors import StateTooLargeError
from compiler.lowering.draft import Draft
from compiler.targets.resonator import has_resonator
from compiler.verification.block_matching import verdict_by_blocks
from compiler.verification.layouts import require_places, undo_layout
from compiler.verification.program import Verdict, require_moves, require_native
from compiler.verification.rotation_matching import Pauli, Rotations, matched
from compiler.verification.state_distance import (
    MAX_QUBITS,
    dense_distance,
    distance_verdict,
    state_distance,
)
from compiler.verification.unrouting import unrouted

MAX_ROTATIONS = 100_000
"""Of both circuits together: some minutes at most."""


def verdict_by_rotations(original: QuantumCircuit, lowered: Draft) -> Verdict:
    """Prove that a native circuit equals the original on any input.

    Qubits of the target that hold no qubit of the original start in |0⟩ and must end there.

    Args:
        original: unitary gates and operators.
        lowered: the result on the target's qubits, with its layouts.

    Returns:
        `exact`, or `unverified` where the rotations of the two cannot be matched. Nothing is
        refuted: the match is complete in the cases that occur, not in all.

    Raises:
        VerificationError: if an angle is no finite number.
    """
    narrow = undo_layout(lowered)
    own, wires = original.num_qubits, narrow.num_qubits
    ancillas = (1 << wires) - (1 << own)
    wanted, actual = Rotations.of(original), Rotations.of(narrow, ancillas)
    if len(wanted.axes) + len(actual.axes) > MAX_ROTATIONS:
        return Verdict(
            "unverified",
            f"{len(wanted.axes) + len(actual.axes):,} rotations are more than the "
            f"{MAX_ROTATIONS:,} that are matched",
        )
    match = matched(wanted, actual, wires)
    if match.left:
        return Verdict("unverified", f"{match.left:,} Pauli rotations could not be matched")
    # A Z is 1 until the end only where no rotation moves it.
    for axis in (*wanted.axes, *actual.axes):
        ancillas &= ~axis.x
    # Their ends act on a state whose ancillas are |0⟩.
    first, second = ([end.on_zero(ancillas) for end in ends] for ends in match.ends)
    idle = [Pauli(0, 0, 0)] * (wires - own)
    if first != [*second[:own], *second[wires : wires + own]] or second[wires + own :] != idle:
        return Verdict("unverified", "all Pauli rotations match, but not the Clifford after them")
    if match.error > SAME_BY_ROTATIONS:
        return Verdict("unverified", f"the circuits may differ by {match.error:.2g}")
    return Verdict(
        "exact",
        f"Pauli rotations equal on any input ({match.comparisons:,} comparisons, "
        f"error at most {match.error:.1g})",
    )


NARROW = 12
"""Qubits up to which states are compared at once, however many gates there are."""
QUICK_STATES = 400_000_000
"""Amplitudes times gates up to which states are compared before rotations: half a second."""


def _qubits_of_states(original: QuantumCircuit, lowered: Draft) -> int:
    """Return the qubits of the states that are compared, those that routing crosses too."""
    touched = {qubit for item in lowered.circuit.data for qubit in item.qubits}
    return max(original.num_qubits, len(touched))


def random_product(qubits: int, seed: int) -> list[Gate]:
    """Return for each qubit a gate that takes |0⟩ to a random state of its own.

    The states lie around the equator, where both |0⟩ and |1⟩ have a probability of a third at
    least, so that no basis state is too improbable to be noticed: gates with many controls act
    on one only.
    """
    draws = np.random.default_rng(seed).random((qubits, 2)).tolist()
    return [UGate(2 * acos(sqrt((1 + height) / 3)), 2 * pi * turn, 0.0) for height, turn in draws]


def verify_equivalent(
    original: QuantumCircuit,
    lowered: Draft,
    target: Target,
    approximated: float = SAME_STATE,
    *,
    rebuilt: bool = False,
) -> Verdict:
    """Check that a native circuit equals the original, from any state.

    Both start from one product of random one-qubit states, and the final states are
    compared. For two unitaries that differ by more than a phase, final states agree only on a
    set of product inputs of measure zero, because amplitudes are analytic in the angles; the
    tolerance makes this a test with overwhelming probability, not a proof. Circuits with states of
    more than `NARROW` qubits are compared by structure first, which is a proof, and those on too
    many for a state by nothing else unless it has little entanglement. Comparisons that rarely
    succeed, or take longer, come last.

    Args:
        original: gates and operators, without measurements.
        lowered: the result on the target's qubits, with its layouts.
        target: whose gates and edges the result may use.
        approximated: how far apart final states may be that are not proven, but not called wrong
            either.
        rebuilt: whether the result was built anew from rotations, so that no blocks match.

    Returns:
        `exact` if final states are no farther apart than `SAME_STATE`, up to a global phase;
        `unverified` where they are approximated, or there are too many qubits for a state and
        the circuits' structure cannot be matched either.

    Raises:
        VerificationError: saying how the native circuit is wrong.
    """
    require_placed(original, lowered, target)
    qubits = _qubits_of_states(original, lowered)
    gates = len(original.data) + len(lowered.circuit.data)
    wide = qubits > NARROW
    states_first = not wide or gates << qubits <= QUICK_STATES
    verdict = None
    if wide and not rebuilt:
        verdict = verdict_by_blocks(original, lowered)
    if not states_first and not (verdict and verdict.verified == "exact"):
        verdict = verdict_by_rotations(original, lowered)
    if verdict is not None and verdict.verified == "exact":
        return verdict
    inputs = random_product(original.num_qubits, seed=0)
    # Routing crosses qubits in |0⟩, which a state had better do without.
    own = unrouted(lowered) if NARROW < original.num_qubits < qubits else None
    try:
        if own is not None and original.num_qubits <= MAX_QUBITS:
            narrow, error = own
            distance = error + dense_distance(original, narrow, inputs)
        else:
            distance = state_distance(original, lowered, inputs)
    except StateTooLargeError:
        if verdict is None or states_first:
            return verdict_by_structure(original, lowered)
        return verdict
    if wide and states_first and distance > SAME_STATE:
        # Rotations are compared with a tolerance that is wider.
        verdict = verdict_by_rotations(original, lowered)
        if verdict.verified == "exact":
            return verdict
    return distance_verdict(distance, "a random product state", approximated)


def verdict_by_structure(
    original: QuantumCircuit, lowered: Draft, zero: Collection[int] = ()
) -> Verdict:
    """Prove that a native circuit of any width equals the original.

    By its two-qubit blocks, or by its Pauli rotations.

    Args:
        original: unitary gates and operators.
        lowered: the result on the target's qubits, with its layouts.
        zero: qubits of the original that start in |0⟩; the others may be in any state.

    Returns:
        `exact` or `unverified`.

    Raises:
        VerificationError: if an angle is no finite number.
    """
    verdict = verdict_by_blocks(original, lowered, zero)
    return verdict if verdict.verified == "exact" else verdict_by_rotations(original, lowered)


def require_placed(original: QuantumCircuit, lowered: Draft, target: Target) -> None:
    """Check that a result is native, and that its layouts give every qubit a place of its own.

    A resonator must be used as MOVE allows, too: simulated as a swap, it does more than it may.

    Raises:
        VerificationError: with the fault.
    """
    require_native(lowered.circuit, target)
    if has_resonator(target):
        require_moves(lowered.circuit)
    for layout in (lowered.initial_layout, lowered.final_layout):
        require_places(layout, original, lowered.circuit)
