"""Parts of circuits played on many basis states, and the basis states that come of it.

Lowered circuits cut where their program has barriers: one operator from cut to cut.

A barrier across the whole program stays where it was when the program is lowered, and its qubits
stay in order: it says where each of the program's qubits is at that moment. This claim is checked,
since the part between two barriers is then compared with the specification on those very qubits.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from attrs import define, evolve, field, frozen
from qiskit import QuantumCircuit

from compiler.circuits.branches import Branches
from compiler.circuits.gate_steps import Step, steps_of
from compiler.circuits.matrices import Bits, Matrix, Numbers, Reals
from compiler.circuits.tolerances import NUMERICAL_ZERO
from compiler.errors import StateTooLargeError
from compiler.lowering.draft import Draft
from compiler.synthesis.method import Operator
from compiler.synthesis.segments import segments
from compiler.verification.block_matching import verdict_by_blocks
from compiler.verification.operator_proofs.condensing import Condensed
from compiler.verification.simulation.blocks import on_few_qubits
from compiler.verification.simulation.exact import played_in_order

Flips = Sequence[tuple[int, ...]]
"""X as its qubit, and CX as its control and target."""


@frozen(eq=False)
class Part:
    """Gates between two barriers, on as few qubits as they touch.

    Args:
        qubits: those that are touched.
        steps: the gates, on places among these.
        ends: for each place the one that holds its value at the end.
    """

    qubits: Sequence[int]
    steps: Sequence[Step]
    ends: Sequence[int]


@frozen(eq=False)
class Stretch:
    """A part of a program and of its circuit between two barriers.

    Args:
        before: gates of the program before its operator.
        operator: that of the program, None if there is none.
        operands: the program's qubits that it is on.
        after: gates of the program after it.
        parts: of the circuit.
        places: where the program's qubits are before, between and after these.
    """

    before: Flips
    operator: Operator | None
    operands: Sequence[int]
    after: Flips
    parts: Sequence[Part]
    places: Sequence[Sequence[int]]


def stretches_of(
    program: QuantumCircuit, lowered: Draft, within: Sequence[bool], *, as_they_are: bool = False
) -> list[Stretch]:
    """Cut a program and its lowered circuit at barriers.

    Args:
        program: operators, X and CX, without measurements.
        lowered: its lowered form, or with its operators synthesised only.
        within: for each barrier that crosses the whole program once its operators are
            synthesised, whether it is within an operator; see `compiler.synthesis.segments`.
        as_they_are: whether the lowered gates are not merged.

    Raises:
        StateTooLargeError: if there are no barriers that both have, or more than one operator
            between two.
    """
    wanted = [_wanted(part) for part in segments(program, program.num_qubits)]
    if len(wanted) < 3:
        raise StateTooLargeError("no barriers separate its operators")
    parts, places = parts_of(lowered, as_they_are=as_they_are)
    if len(parts) != len(within) + 1 or within.count(False) != len(wanted) - 1:
        raise StateTooLargeError("barriers between its operators are lost")
    edges = [0, *(i for i, inner in enumerate(within, 1) if not inner), len(parts)]
    return [
        Stretch(*stretch, parts[a:b], places[a : b + 1])
        for stretch, (a, b) in zip(wanted, pairwise(edges), strict=True)
    ]


def parts_of(
    lowered: Draft, *, as_they_are: bool = False
) -> tuple[list[Part], list[Sequence[int]]]:
    """Return the parts between barriers across a program, and its qubits' places around them.

    Args:
        lowered: the program, or a part of it.
        as_they_are: whether its gates are not merged.
    """
    parts: list[list[Step]] = [[]]
    places: list[Sequence[int]] = [lowered.initial_layout]
    for step in steps_of(lowered.circuit):
        if step.kind != "barrier":
            parts[-1].append(step)
        elif len(step.qubits) == len(lowered.initial_layout):
            parts.append([])
            places.append(step.qubits)
    result = [Part(*on_few_qubits(part, as_they_are=as_they_are)) for part in parts]
    return result, [*places, lowered.final_layout]


def _wanted(part: QuantumCircuit) -> tuple[Flips, Operator | None, Sequence[int], Flips]:
    flips: tuple[list[tuple[int, ...]], list[tuple[int, ...]]] = [], []
    operator: Operator | None = None
    operands: Sequence[int] = ()
    for item in part.data:
        operation = item.operation
        qubits = [part.find_bit(qubit).index for qubit in item.qubits]
        if isinstance(operation, Operator) and operator is None:
            operator, operands = operation, qubits
        elif item.name == "x" or (item.name == "cx" and operation.ctrl_state == 1):
            flips[operator is not None].append(tuple(qubits))
        else:
            raise StateTooLargeError("barriers do not separate its operators")
    return flips[0], operator, operands, flips[1]


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
        """Return the rows that games can meet, without amplitudes that are 0 up to rounding."""
        return self.of(np.abs(self.amplitudes) > NUMERICAL_ZERO)

    def of(self, rows: Bits) -> "Outputs":
        """Return some rows."""
        return Outputs(self.run_of[rows], self.bits[rows], self.amplitudes[rows])

    def chosen(self, weights: Reals | None, random: np.random.Generator) -> Bits:
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
        part: to be applied.
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
        """Return the images of basis states of the whole circuit, shape (inputs, qubits).

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
        outputs = []
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
            outputs.append((table.run_of[order] + first, local, table.amplitudes[order]))
        run_of = np.concatenate([run for run, _, _ in outputs])
        bits = states[run_of]
        if qubits:
            bits[:, qubits] = np.concatenate(
                [local for _, local, _ in outputs if local is not None]
            )
        return Outputs(run_of, bits, np.concatenate([amplitudes for _, _, amplitudes in outputs]))


LOWERED_LIMIT = PILOT
"""Amplitudes that a single input of a part as it was lowered may have on the way."""
LONG = 2
"""Factor by which a part as it was lowered may have more gates than its synthesis, to be played."""


def matched(
    logical: QuantumCircuit, native: QuantumCircuit, places: Sequence[Sequence[int]]
) -> list[bool]:
    """Return the parts of a lowered circuit that equal those of the logical one on any input.

    Qubits on which no gate of an earlier part acts are in |0⟩.

    Args:
        logical: the program with its operators synthesised.
        native: its lowered circuit, with the same barriers.
        places: where the program's qubits are before, between and after the parts.
    """
    width = logical.num_qubits
    parts = zip(segments(logical, width), segments(native, width), pairwise(places), strict=True)
    zero, matches = {*range(width)}, []
    for wanted, lowered, (before, after) in parts:
        result = Draft(lowered, tuple(before), tuple(after))
        matches.append(verdict_by_blocks(wanted, result, zero).verified == "exact")
        zero -= {wanted.find_bit(qubit).index for item in wanted.data for qubit in item.qubits}
    return matches


@define(eq=False)
class PartPlayer:
    """Plays a part as it was lowered, or as it was synthesised if that is too large.

    Routed circuits swap qubits in the middle of other gates, so that their states may be large on
    the way. A part that equals the synthesis on any input need not be applied itself.

    Args:
        made: plays the part as it was lowered.
        source: plays it as it was synthesised.
        before: where the circuit holds the program's qubits; all others are |0⟩.
        after: the same at the end.
        matches: whether both do the same on any input.
        too_large: True if the part as it was lowered is not played, or no longer.
    """

    made: Player
    source: Player
    before: Sequence[int]
    after: Sequence[int]
    matches: bool
    too_large: bool

    @classmethod
    def of(
        cls,
        lowered: Part,
        source: Part,
        ends: tuple[Sequence[int], Sequence[int]],
        *,
        matches: bool,
    ) -> "PartPlayer":
        """Return the player of a part that has not been played."""
        made, wanted = Player(lowered, LOWERED_LIMIT), Player(source, order=source.steps)
        long = len(lowered.steps) > LONG * len(source.steps)
        return cls(made, wanted, *ends, matches, too_large=matches and long)

    def play(self, states: Bits) -> Outputs:
        """Return the images of basis states of the circuit; see `Player.play`."""
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
        """Return the images of basis states of the circuit, on the program's qubits."""
        return self.source.play(states[:, list(self.before)])
