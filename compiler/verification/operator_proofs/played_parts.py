"""Parts of circuits played on many basis states, and the basis states that come of it."""

from collections.abc import Sequence

import numpy as np
from attrs import define, field, frozen
from numpy.typing import NDArray

from compiler.circuits.amplitude_table import Bits, Numbers
from compiler.circuits.branches import Branches
from compiler.circuits.gate_steps import Step
from compiler.circuits.matrices import Matrix
from compiler.verification.operator_proofs.condensing import Condensed
from compiler.verification.operator_proofs.stretches import Part
from compiler.verification.simulation.ordering import played_in_order

Weights = NDArray[np.float64]

PILOT = 1 << 16
"""Amplitudes that a single input may have on the way."""

SIDE_BY_SIDE = 1 << 16
"""Amplitudes up to which inputs are played side by side."""

MANY = 64
"""Inputs from which on it is worth while to condense a part."""

EXAMPLES = 32
"""Inputs that tell how."""

ROUNDING = 1e-7
"""Amplitudes up to this one are what numerical syntheses leave of 0."""


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
        return self.of(np.abs(self.amplitudes) > ROUNDING)

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
