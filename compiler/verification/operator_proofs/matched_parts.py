"""Parts of a lowered circuit that do what was synthesised on any input, block by block."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from attrs import define, evolve, field
from qiskit import QuantumCircuit

from compiler.circuits.amplitude_table import Bits
from compiler.errors import StateTooLargeError
from compiler.lowering.draft import Draft
from compiler.synthesis.segments import segments
from compiler.verification.blocks.block_matching import verdict_by_blocks
from compiler.verification.operator_proofs.played_parts import PILOT, Outputs, Player
from compiler.verification.operator_proofs.stretches import Part

LOWERED_LIMIT = PILOT
"""Amplitudes that a single input of a part as it was lowered may have on the way."""


def matched(
    logical: QuantumCircuit, native: QuantumCircuit, places: Sequence[Sequence[int]]
) -> list[bool]:
    """Tell which parts of a lowered circuit do on any input what those of the logical one do.

    Args:
        logical: the program with its operators synthesised.
        native: what became of that, with the same barriers.
        places: where the program's qubits are before, between and after the parts.
    """
    width = logical.num_qubits
    parts = zip(segments(logical, width), segments(native, width), pairwise(places), strict=True)
    return [
        verdict_by_blocks(wanted, Draft(made, tuple(before), tuple(after))).verified == "exact"
        for wanted, made, (before, after) in parts
    ]


@define(eq=False)
class PartPlayer:
    """Plays a part as it was lowered, or as it was synthesised if that is too large.

    Routed circuits swap qubits in the middle of other gates, so that their states may be large on
    the way. A part that does what was synthesised on any input need not be played itself.

    Args:
        made: plays the part as it was lowered.
        source: plays it as it was synthesised.
        before: where the circuit holds the program's qubits; all others are |0⟩.
        after: the same at the end.
        matches: whether both do the same on any input.
        too_large: whether the part as it was lowered has been given up.
    """

    made: Player
    source: Player
    before: Sequence[int]
    after: Sequence[int]
    matches: bool
    too_large: bool = field(default=False, init=False)

    @classmethod
    def of(
        cls, made: Part, source: Part, ends: tuple[Sequence[int], Sequence[int]], *, matches: bool
    ) -> "PartPlayer":
        """Return the player of a part that has not been played."""
        return cls(Player(made, LOWERED_LIMIT), Player(source, order=source.steps), *ends, matches)

    def play(self, states: Bits) -> Outputs:
        """Return what comes of basis states of the circuit; see `Player.play`."""
        if not self.too_large:
            try:
                return self.made.play(states)
            except StateTooLargeError:
                if not self.matches:
                    raise
                self.too_large = True
        outputs = self.wanted(states)
        bits = np.zeros((len(outputs.bits), states.shape[1]), dtype=bool)
        bits[:, list(self.after)] = outputs.bits
        return evolve(outputs, bits=bits)

    def wanted(self, states: Bits) -> Outputs:
        """Return what comes of basis states of the circuit, on the program's qubits."""
        return self.source.play(states[:, list(self.before)])
