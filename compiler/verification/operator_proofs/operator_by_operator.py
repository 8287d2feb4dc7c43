"""Circuits too large for a state, proven operator by operator on inputs that they meet.

An input of an operator is a result of the operators before it, and so a legal one. Games are played
to find some: after each part one of its basis states is taken, and the part after it is applied to
that alone, on all qubits of the circuit. Every amplitude of the result is compared with the
specification. Routed circuits swap qubits in the middle of other gates, so that their states may be
too large on the way: a part that equals its synthesis on any input need not be applied itself, as
the synthesis is, on the qubits where it lies.

Comparison of the result of a part with an operator's specification or another circuit's part.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice, pairwise
from math import sqrt

import numpy as np
from attrs import define, field, frozen
from qiskit import QuantumCircuit

from compiler.circuits.matrices import Bits, Numbers, Reals
from compiler.circuits.table_rows import integers, packed
from compiler.circuits.tolerances import SAME_OUTPUTS
from compiler.errors import VerificationError
from compiler.lowering.draft import Draft
from compiler.synthesis.method import Operator
from compiler.synthesis.segments import cuts
from compiler.verification.operator_proofs.played_parts import (
    Flips,
    Outputs,
    PartPlayer,
    Stretch,
    matched,
    stretches_of,
)


def flipped(states: Bits, flips: Flips) -> Bits:
    """Return basis states after X and CX, the same array if there are none."""
    states = states.copy() if flips else states
    for *control, target in flips:
        states[:, target] ^= states[:, control[0]] if control else True
    return states


@define
class Comparison:
    """Compares amplitudes, and stores the phase that all inputs have in common.

    Args:
        name: of the part, for messages.
        phase: common to all inputs; None before the first.
        worst: the greatest difference that was found and is rounding.
    """

    name: str
    phase: complex | None = field(default=None, init=False)
    worst: float = field(default=0.0, init=False)

    def specified(self, stretch: Stretch, states: Bits, outputs: Outputs) -> None:
        """Compare the images of basis states under a circuit with a program's operator.

        Raises:
            VerificationError: if they differ.
        """
        before = flipped(states[:, list(stretch.places[0])], stretch.before)
        after = flipped(outputs.bits[:, list(stretch.places[-1])], stretch.after[::-1])
        operands = list(stretch.operands)
        others = np.setdiff1d(np.arange(before.shape[1]), operands)
        untouched = np.packbits(before[:, others], axis=1)[outputs.run_of]
        wrong = (np.packbits(after[:, others], axis=1) != untouched).any(axis=1)
        wrong |= self.unused(outputs.bits, stretch.places[-1])
        weights = np.abs(outputs.amplitudes) ** 2
        self.require(sqrt(weights[wrong].sum()) if wrong.any() else 0.0)
        operator = stretch.operator
        if operator is None:
            self.require(float(np.abs(np.sqrt(np.bincount(outputs.run_of, weights)) - 1).max()))
            return
        inputs = integers(before[:, operands])
        ends = np.searchsorted(outputs.run_of, np.arange(len(inputs) + 1))
        reached = integers(after[:, operands])
        for run, basis_state in enumerate(inputs):
            rows = slice(ends[run], ends[run + 1])
            got = dict(zip(reached[rows], outputs.amplitudes[rows].tolist(), strict=True))
            if operator.exact_phases:
                self.equal(got, operator.amplitudes(basis_state))
            else:
                self.as_probable(operator, got, basis_state)

    def equal(self, got: Mapping[int, complex], expected: Mapping[int, complex]) -> None:
        """Require equal amplitudes, up to the phase that all inputs have in common."""
        if self.phase is None:
            overlap = sum(
                complex(expected[s]).conjugate() * a for s, a in got.items() if s in expected
            )
            self.phase = overlap / abs(overlap) if abs(overlap) > 0 else 1.0
        self.all_together(
            abs(got.get(state, 0) - self.phase * complex(expected.get(state, 0)))
            for state in got.keys() | expected.keys()
        )

    def as_probable(self, operator: Operator, got: Mapping[int, complex], basis_state: int) -> None:
        """Require equal roots of probabilities of all bits that an operator specifies."""
        weights: dict[int, float] = defaultdict(float)
        for state, amplitude in got.items():
            weights[operator.canonical(state)] += abs(amplitude) ** 2
        expected = operator.action(basis_state)
        self.all_together(
            sqrt(weights.get(state, 0)) - sqrt(expected.get(state, 0))
            for state in weights.keys() | expected.keys()
        )

    def like(self, outputs: Outputs, places: Sequence[int], wanted: Outputs) -> None:
        """Compare the images of basis states with those under another circuit.

        Args:
            outputs: of the circuit.
            places: where it holds the other one's qubits.
            wanted: of the other circuit, for the same inputs in the same order.

        Raises:
            VerificationError: if they differ.
        """
        wrong = self.unused(outputs.bits, places)
        got = _keyed(outputs, outputs.bits[:, list(places)])
        expected = _keyed(wanted, wanted.bits)
        self.require(sqrt(float((np.abs(outputs.amplitudes[wrong]) ** 2).sum())))
        self.equal(got, expected)

    def unused(self, bits: Bits, places: Sequence[int]) -> Bits:
        """Return the rows that have a 1 on a qubit that holds none of the program's."""
        idle = np.setdiff1d(np.arange(bits.shape[1]), np.asarray(places))
        return np.asarray(bits[:, idle].any(axis=1))

    def all_together(self, differences: Iterable[float]) -> None:
        """Take note of the norm of differences; see `require`."""
        self.require(sqrt(sum(difference**2 for difference in differences)))

    def require(self, difference: float) -> None:
        """Take note of a difference.

        Raises:
            VerificationError: if it is more than rounding.
        """
        if not difference <= SAME_OUTPUTS:
            raise VerificationError(
                f"{self.name} gives amplitudes that are off by {difference:.2g}"
            )
        self.worst = max(self.worst, difference)


def _keyed(outputs: Outputs, bits: Bits) -> dict[int, complex]:
    width = bits.shape[1]
    keys = zip(outputs.run_of.tolist(), integers(bits), strict=True)
    return {
        run << width | state: amplitude
        for (run, state), amplitude in zip(keys, outputs.amplitudes.tolist(), strict=True)
    }


INPUTS = 384
"""Random inputs of each operator, by default."""

CORNERS = 128
"""Corner cases besides, by default."""

MANY_INPUTS = 9_000
"""Random inputs of each operator where time is no matter."""

MANY_CORNERS = 1_000
"""Corner cases besides, where time is no matter."""

BATCH = 2048
"""Inputs that go through the circuit together."""

AS_IN_GAMES = -1
"""The mood of an input that is drawn as games are."""


@frozen(eq=False)
class OperatorProof:
    """Numbers of compared parts and inputs.

    Args:
        operators: that were held against their specification.
        steps: of further operators, compared with their synthesis.
        inputs: of each.
        corners: how many of these are corner cases.
        parts: between barriers, but for those without a gate.
        matched: of these, that equal the synthesis on any input that they can have. The first
            part has a single one, |0…0⟩, on which all are compared.
        worst: the greatest difference of an amplitude that counts as rounding.
        games: shape (inputs that are no corner cases, qubits), the basis states of the lowered
            circuit that independent games end in, all qubits being measured after each part.
    """

    operators: int
    steps: int
    inputs: int
    corners: int
    parts: int
    matched: int
    worst: float
    games: Bits

    @property
    def text(self) -> str:
        """One line for people."""
        steps = f", {self.steps} steps of further ones as synthesised," if self.steps else ""
        return (
            f"operators: {self.operators} proven{steps} on {self.inputs:,} inputs each with every "
            f"amplitude, {self.corners:,} of them corner cases; {self.matched} of {self.parts} "
            "lowered as synthesised on any input that they can have"
        )


def prove_operators(
    program: QuantumCircuit,
    logical: QuantumCircuit,
    lowered: Draft,
    *,
    inputs: int = INPUTS,
    corners: int = CORNERS,
    seed: int = 0,
) -> OperatorProof:
    """Prove that a circuit follows the specifications of its program's operators.

    Args:
        program: operators, X, CX and barriers that separate the operators.
        logical: the program with its operators synthesised.
        lowered: the circuit on a target's qubits.
        inputs: random inputs of each operator.
        corners: inputs of each operator that are rare, and are taken because they are.
        seed: of random choices.

    Raises:
        VerificationError: naming the first operator that is wrong.
        StateTooLargeError: if no barriers separate the operators, or one is too large itself.
    """
    within = list(cuts(logical, program.num_qubits))
    native = stretches_of(program, lowered, within)
    source = stretches_of(program, Draft.of(logical), within, as_they_are=True)
    moved = [lowered.initial_layout, *(end for stretch in native for end in stretch.places[1:])]
    matches = iter(matched(logical, lowered.circuit, moved))
    proofs = [
        _StretchProof(a, b, list(islice(matches, len(a.parts))))
        for a, b in zip(native, source, strict=True)
    ]
    played = _played(proofs, lowered.circuit.num_qubits, inputs, corners, seed)
    ends = [state for place, state in played if place == len(proofs)]
    operators = [proof for proof in proofs if proof.made.operator is not None]
    return OperatorProof(
        sum(len(proof.made.parts) == 1 for proof in operators),
        sum(proof.parts for proof in operators if len(proof.made.parts) > 1),
        inputs + corners,
        corners,
        sum(proof.parts for proof in proofs),
        # The very first part equals the synthesis from |0…0⟩, if not on any input.
        sum(proof.matched for proof in proofs)
        + (proofs[0].made.parts[0].steps != [] and not proofs[0].matches[0]),
        max(proof.worst for proof in proofs),
        np.concatenate(ends)[:inputs],
    )


def _played(
    proofs: "Sequence[_StretchProof]", qubits: int, inputs: int, corners: int, seed: int
) -> Iterator[tuple[int, Bits]]:
    """Prove stretch after stretch, batch by batch; yield the place of each with its inputs.

    The ends of a batch come last, with the place after that of the last stretch.
    """
    random = np.random.default_rng(seed)
    moods = np.full(inputs + corners, AS_IN_GAMES)
    moods[inputs:] = random.integers(len(MOODS), size=corners)
    for first in range(0, len(moods), BATCH):
        mine = moods[first : first + BATCH]
        state = np.zeros((len(mine), qubits), dtype=bool)
        for place, proof in enumerate(proofs):
            yield place, state
            state = proof.prove(state, mine, random)
        yield len(proofs), state


def _by_rank(outputs: Outputs, direction: int) -> Reals:
    """Return weights by which all but the first or last state of each input are improbable."""
    runs = outputs.run_of
    order = np.lexsort([*packed(outputs.bits), runs])
    edges = np.concatenate([[True], np.diff(runs[order]) != 0, [True]])
    weights = np.zeros(len(order))
    weights[order[edges[:-1] if direction > 0 else edges[1:]]] = 1.0
    return weights


MOODS: Sequence[Callable[[Outputs], Reals]] = (
    lambda outputs: np.ones(len(outputs.amplitudes)),
    lambda outputs: np.abs(outputs.amplitudes) ** -40.0,
    partial(_by_rank, direction=1),
    partial(_by_rank, direction=-1),
)
"""Choice of the next basis state where rare ones are wanted."""


@define(eq=False)
class _StretchProof:
    """One operator, and the players of its parts.

    Args:
        made: as it was lowered.
        source: as it was synthesised.
        matches: its parts that equal the synthesis on any input.
    """

    made: Stretch
    source: Stretch
    matches: Sequence[bool]
    players: list[tuple[PartPlayer, Comparison]] = field(init=False)

    def __attrs_post_init__(self) -> None:
        operator = self.made.operator
        name = "an operator" if operator is None else f"operator '{operator.name}'"
        lowered = f"{name}, as it was lowered,"
        parts = zip(self.made.parts, self.source.parts, self.matches, strict=True)
        self.players = [
            (PartPlayer.of(part, source, ends, matches=matches), Comparison(lowered))
            for (part, source, matches), ends in zip(parts, pairwise(self.made.places), strict=True)
        ]

    @property
    def parts(self) -> int:
        """Parts with gates."""
        return sum(part.steps != [] for part in self.made.parts)

    @property
    def matched(self) -> int:
        """Parts with gates that equal the synthesis on any input."""
        parts = zip(self.made.parts, self.matches, strict=True)
        return sum(matches and part.steps != [] for part, matches in parts)

    @property
    def worst(self) -> float:
        return max(comparison.worst for _, comparison in self.players)

    def prove(self, state: Bits, moods: Numbers, random: np.random.Generator) -> Bits:
        """Prove the images of some inputs, and return one basis state of each."""
        for player, comparison in self.players:
            outputs = player.play(state)
            if len(self.players) == 1:
                comparison.specified(self.made, state, outputs)
            elif not player.matches:
                comparison.like(outputs, player.after, player.wanted(state))
            met = outputs.met()
            state = met.chosen(self._weights(met, moods, random), random)
        return state

    def _weights(self, outputs: Outputs, moods: Numbers, random: np.random.Generator) -> Reals:
        """Return the weights by which the next basis states are taken."""
        weights = np.abs(outputs.amplitudes) ** 2
        rare = moods != AS_IN_GAMES
        if not rare.any():
            return weights
        # A game in a mood is in another one now and then.
        now = np.where(
            rare & (random.random(len(moods)) < 0.25),
            random.integers(len(MOODS), size=len(moods)),
            moods,
        )
        for mood, weigh in enumerate(MOODS):
            rows = now[outputs.run_of] == mood
            if rows.any():
                weights[rows] = weigh(outputs.of(rows))
        return weights
