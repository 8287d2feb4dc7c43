"""Circuits of any width proven equal on any input, by their Pauli rotations."""

from qiskit import QuantumCircuit

from compiler.lowering.draft import Draft
from compiler.verification.layouts import undo_layout
from compiler.verification.program import Verdict
from compiler.verification.rotations.pauli_rotations import Pauli, Rotations
from compiler.verification.rotations.rotation_matching import matched

TOLERANCE = 1e-6
"""The most that all comparisons together may be off, in the operator norm.

Each may be off by `rotation_matching.STEP` only, so that one angle that is wrong by 1e-6 is found.
"""

MOST_ROTATIONS = 100_000
"""Of both circuits together: some minutes at most."""


def verdict_by_rotations(original: QuantumCircuit, lowered: Draft) -> Verdict:
    """Prove that a native circuit does what the original does on any input.

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
    narrow = undo_layout(lowered.circuit, lowered.initial_layout, lowered.final_layout)
    own, wires = original.num_qubits, narrow.num_qubits
    ancillas = (1 << wires) - (1 << own)
    wanted, made = Rotations.of(original), Rotations.of(narrow, ancillas)
    if len(wanted.axes) + len(made.axes) > MOST_ROTATIONS:
        return Verdict(
            "unverified",
            f"{len(wanted.axes) + len(made.axes):,} rotations are more than the "
            f"{MOST_ROTATIONS:,} that are matched",
        )
    match = matched(wanted, made, wires)
    if match.left:
        return Verdict("unverified", f"{match.left:,} Pauli rotations could not be matched")
    # A Z is 1 until the end only where no rotation moves it.
    for axis in (*wanted.axes, *made.axes):
        ancillas &= ~axis.x
    first, second = (_on_clean(ends, ancillas) for ends in match.ends)
    idle = [Pauli(0, 0, 0)] * (wires - own)
    if first != [*second[:own], *second[wires : wires + own]] or second[wires + own :] != idle:
        return Verdict("unverified", "all Pauli rotations match, but not what follows them")
    if match.error > TOLERANCE:
        return Verdict("unverified", f"the circuits may differ by {match.error:.2g}")
    return Verdict(
        "exact",
        f"Pauli rotations equal on any input ({match.comparisons:,} comparisons, "
        f"error at most {match.error:.1g})",
    )


def _on_clean(ends: tuple[Pauli, ...], ancillas: int) -> list[Pauli]:
    """Return Paulis on a state whose ancillas are |0⟩."""
    return [end.on_zero(ancillas) for end in ends]
