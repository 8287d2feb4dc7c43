"""Parts of circuits played on many basis states, and the basis states that come of it."""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from attrs import define, evolve, field, frozen
from numpy.typing import NDArray
from qiskit import QuantumCircuit

from compiler.circuits.branches import Branches
from compiler.circuits.gate_steps import Step
from compiler.circuits.matrices import Matrix
from compiler.circuits.table_rows import Bits, Numbers
from compiler.circuits.tolerances import NUMERICAL_ZERO
from compiler.errors import StateTooLargeError
from compiler.lowering.draft import Draft
from compiler.synthesis.segments import segments
from compiler.verification.blocks.block_matching import verdict_by_blocks
from compiler.verification.operator_proofs.condensing import Condensed
from compiler.verification.operator_proofs.stretches import Part
from compiler.verification.simulation.exact import played_in_order

Weights = NDArray[np.float64]

PILOT = 1 << 16
"""Amplitudes that a single input may have on the way."""

SIDE_BY_SIDE = 1 << 16
"""Amplitudes up to which inputs are played side by side."""

MANY = 64
"""Inputs from which on it is worth while to condense a part."""

EXAMPLES = 32
"""Inputs that tell how."""


@frozen(eq=False)
class Outputs:
    """The states that come of several inputs.

    Args:
        run_of: shape (rows,), the input that each row comes from, rising.
        bits: shape (rows, qubits), basis states.
        amplitudes: shape (rows,).
    """

    run_of: Numbers
    bits: Bits
    amplitudes: Matrix

    def met(self) -> "Outputs":
        """Return the rows that games can meet, without what is left of amplitudes that are 0."""
        return self.of(np.abs(self.amplitudes) > NUMERICAL_ZERO)

    def of(self, rows: Bits) -> "Outputs":
        """Return some rows."""
        return Outputs(self.run_of[rows], self.bits[rows], self.amplitudes[rows])

    def chosen(self, weights: Weights | None, random: np.random.Generator) -> Bits:
        """Return one basis state of each input, shape (inputs, qubits).

        Args:
            weights: of each row, by default its probability.
            random: draws them.
        """
        odds = np.abs(self.amplitudes) ** 2 if weights is None else weights
        # The greatest of exponentially distributed times is a draw by these weights.
        race = np.log(random.random(len(odds))) / np.maximum(odds, 1e-300)
        order = np.lexsort([race, self.run_of])
        ends = np.flatnonzero(np.diff(self.run_of[order], append=-1))
        return np.asarray(self.bits[order[ends]])


@define(eq=False)
class Player:
    """Plays a part.

    Args:
        part: what is played.
        limit: the most amplitudes that a single input may have on the way.
        order: of its gates; by default the first input tells which one keeps the state small.
        most: amplitudes that came of the first input; 0 before it.
        condensed: the part as it is played on many inputs; None before the first of them.
    """

    part: Part
    limit: int = PILOT
    order: Sequence[Step] | None = None
    most: int = field(default=0, init=False)
    condensed: Condensed | None = field(default=None, init=False)

    def play(self, states: Bits) -> Outputs:
        """Return what comes of basis states of the whole circuit, shape (inputs, qubits).

        Raises:
            StateTooLargeError: if a state outgrows the limit.
        """
        qubits, ends = list(self.part.qubits), list(self.part.ends)
        start = states[:, qubits]
        if not self.most:
            pilot = Branches(start[:1], self.limit)
            if self.order is None:
                self.order = played_in_order(pilot, self.part.steps)
            else:
                pilot.play(self.order)
            pilot.settle()
            self.most = len(pilot.table)
        gates = self.order or ()
        if self.condensed is None and len(start) >= MANY:
            places = np.linspace(0, len(start) - 1, EXAMPLES).astype(int)
            self.condensed = Condensed.of(gates, start[places])
        each = max(8, SIDE_BY_SIDE // (2 * self.most))
        made = []
        for first in range(0, len(states), each):
            branches = Branches(start[first : first + each], self.limit * each)
            if self.condensed is None:
                branches.play(gates)
            else:
                self.condensed.play(branches)
            branches.settle()
            table = branches.table
            order = np.argsort(table.run_of, kind="stable")
            local = table.bits(range(len(qubits)))[order][:, ends] if qubits else None
            made.append((table.run_of[order] + first, local, table.amplitudes[order]))
        run_of = np.concatenate([run for run, _, _ in made])
        bits = states[run_of]
        if qubits:
            bits[:, qubits] = np.concatenate([local for _, local, _ in made if local is not None])
        return Outputs(run_of, bits, np.concatenate([amplitudes for _, _, amplitudes in made]))


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
