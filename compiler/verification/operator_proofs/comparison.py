"""What came of a part, held against an operator's specification or another circuit's part."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from math import sqrt

import numpy as np
from attrs import define, field

from compiler.circuits.table_rows import Bits
from compiler.circuits.tolerances import SAME_OUTPUTS
from compiler.errors import VerificationError
from compiler.synthesis.operator import Operator
from compiler.verification.operator_proofs.played_parts import Outputs
from compiler.verification.operator_proofs.stretches import Flips, Stretch


def flipped(states: Bits, flips: Flips) -> Bits:
    """Return basis states after X and CX, the same array if there are none."""
    states = states.copy() if flips else states
    for *control, target in flips:
        states[:, target] ^= states[:, control[0]] if control else True
    return states


def integers(bits: Bits) -> list[int]:
    """Return each row as the integer whose bit q is its column q."""
    packed = np.packbits(bits, axis=1, bitorder="little")
    return [int.from_bytes(row.tobytes(), "little") for row in packed]


@define
class Comparison:
    """Compares amplitudes, and keeps in mind what all inputs have in common.

    Args:
        name: of what is compared, for messages.
        phase: common to all inputs; None before the first.
        worst: the greatest difference that was found and is rounding.
    """

    name: str
    phase: complex | None = field(default=None, init=False)
    worst: float = field(default=0.0, init=False)

    def specified(self, stretch: Stretch, states: Bits, outputs: Outputs) -> None:
        """Hold what came of basis states of a circuit against a program's operator.

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
        given = integers(before[:, operands])
        ends = np.searchsorted(outputs.run_of, np.arange(len(given) + 1))
        reached = integers(after[:, operands])
        for run, basis_state in enumerate(given):
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

    def as_probable(self, operator: Operator, got: Mapping[int, complex], given: int) -> None:
        """Require equal roots of probabilities of what an operator does not leave open."""
        weights: dict[int, float] = defaultdict(float)
        for state, amplitude in got.items():
            weights[operator.canonical(state)] += abs(amplitude) ** 2
        expected = operator.action(given)
        self.all_together(
            sqrt(weights.get(state, 0)) - sqrt(expected.get(state, 0))
            for state in weights.keys() | expected.keys()
        )

    def like(
        self, outputs: Outputs, places: Sequence[int], wanted: Outputs, *, phases: bool
    ) -> None:
        """Hold what came of basis states against what another circuit makes of them.

        Args:
            outputs: of the circuit.
            places: where it holds the other one's qubits.
            wanted: of the other circuit, for the same inputs in the same order.
            phases: whether they count, up to one that all inputs have in common.

        Raises:
            VerificationError: if they differ.
        """
        wrong = self.unused(outputs.bits, places)
        got = _keyed(outputs, outputs.bits[:, list(places)])
        expected = _keyed(wanted, wanted.bits)
        self.require(sqrt(float((np.abs(outputs.amplitudes[wrong]) ** 2).sum())))
        if phases:
            self.equal(got, expected)
            return
        self.all_together(
            abs(got.get(key, 0)) - abs(expected.get(key, 0)) for key in got.keys() | expected.keys()
        )

    def unused(self, bits: Bits, places: Sequence[int]) -> Bits:
        """Tell which rows have a 1 on a qubit that holds none of the program's."""
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
                f"{self.name}, as it was lowered, gives amplitudes that are off by {difference:.2g}"
            )
        self.worst = max(self.worst, difference)


def _keyed(outputs: Outputs, bits: Bits) -> dict[int, complex]:
    width = bits.shape[1]
    keys = zip(outputs.run_of.tolist(), integers(bits), strict=True)
    return {
        run << width | state: amplitude
        for (run, state), amplitude in zip(keys, outputs.amplitudes.tolist(), strict=True)
    }
