"""Clean qubits on demand, without a fixed number.

Coins whose probability stands in a table: like `compiler.synthesis.coin`, for few T gates.

The patterns of the controls are told apart by a tree of temporary ANDs, as many as there are
patterns less two; one rotation by a table then does for all.

References:
    Babbush et al., arXiv:1805.03662, section III A, for the tree (unary iteration).
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from itertools import count
from math import asin, sqrt

from attrs import define, frozen
from qiskit import QuantumCircuit

from compiler.fault_tolerant.one_hot_rotation import OneHotRotation
from compiler.fault_tolerant.resources import of_angle
from compiler.fault_tolerant.temporary_ands import temporary_and
from compiler.synthesis.coin import Pattern, solve, toss

FEW_ROTATIONS = 1
"""Rotations up to which a coin without a table takes fewer T gates."""


def toss_by_table(
    circuit: QuantumCircuit,
    controls: Sequence[int],
    target: int,
    probabilities: Mapping[Pattern, Fraction],
    ancilla: Callable[[], int],
) -> None:
    """Turn a |0⟩ qubit to 1 with the probability that belongs to the controls' values.

    Args:
        circuit: to be extended.
        controls: qubits that the probability depends on.
        target: a qubit in |0⟩.
        probabilities: of 1, for every pattern that can occur; others may do anything.
        ancilla: gives clean qubits; they come back.
    """
    coin = solve(len(controls), tuple(sorted(probabilities.items())))
    if sum(of_angle(angle).rotations for angle in coin.angles) <= FEW_ROTATIONS:
        toss(circuit, controls, target, probabilities)
        return
    deciding = circuit.copy_empty_like()
    tree = _Tree(deciding, ancilla, {})
    tree.grow(controls, None, probabilities)
    circuit.compose(deciding, inplace=True)
    rotated = []
    halves = [probability for probability in tree.flags if 0 < probability < 1]
    for probability, flags in tree.flags.items():
        if probability == 1:
            for flag in flags:
                circuit.cx(flag, target)
        elif probability:
            rotated += [(flag, 2 * asin(sqrt(probability))) for flag in flags]
    if all(2 * probability == 1 for probability in halves):
        for flag, _ in rotated:
            circuit.ch(flag, target)
    elif rotated:
        gate = OneHotRotation([angle for _, angle in rotated])
        circuit.append(gate, [*(flag for flag, _ in rotated), target])
    circuit.compose(deciding.inverse(), inplace=True)


@frozen
class _Tree:
    """Recognises patterns.

    Args:
        circuit: to be extended.
        ancilla: gives clean qubits.
        flags: results: by probability, qubits of which at most one is 1.
    """

    circuit: QuantumCircuit
    ancilla: Callable[[], int]
    flags: dict[Fraction, list[int]]

    def grow(
        self, controls: Sequence[int], flag: int | None, table: Mapping[Pattern, Fraction]
    ) -> None:
        """Find flags for groups of patterns with the same probability.

        Args:
            controls: that are still to be looked at, bit 0 of the patterns first.
            flag: is 1 where the patterns so far are these; None where they always are.
            table: probabilities by the remainder of the patterns.
        """
        values = set(table.values())
        if len(values) == 1 and flag is not None:
            self.flags.setdefault(values.pop(), []).append(flag)
            return
        first, *remaining = controls
        parts = [{p >> 1: v for p, v in table.items() if p & 1 == bit} for bit in (0, 1)]
        if not all(parts):
            self.grow(remaining, flag, parts[0] or parts[1])
            return
        leaf, zero = first, self.ancilla()
        if flag is None:
            self.circuit.x(zero)
        else:
            leaf = self.ancilla()
            temporary_and(self.circuit, flag, first, leaf)
            self.circuit.cx(flag, zero)
        self.circuit.cx(leaf, zero)
        for chosen, part in zip((zero, leaf), parts, strict=True):
            self.grow(remaining, chosen, part)


MAX_CLEAN = 256
"""Clean qubits for the trees of the coins; the largest take some fifty."""


@define
class CleanPool:
    """Clean qubits after those of a circuit, taken anew by each `loan`.

    Args:
        first: the lowest of them.
        used: how many have been taken at the same time at most.
    """

    first: int
    used: int = 0

    def circuit(self) -> QuantumCircuit:
        """Return an empty circuit with as many clean qubits as any synthesis takes."""
        return QuantumCircuit(self.first + MAX_CLEAN)

    def toss(
        self,
        circuit: QuantumCircuit,
        controls: Sequence[int],
        target: int,
        probabilities: Mapping[int, Fraction],
    ) -> None:
        """Toss a coin by a table; see `toss_by_table`."""
        toss_by_table(circuit, controls, target, probabilities, self.loan())

    def loan(self) -> Callable[[], int]:
        """Return a supply of qubits one after the other; all come back before the next loan."""
        places = count()

        def take() -> int:
            place = next(places)
            self.used = max(self.used, place + 1)
            return self.first + place

        return take

    def trimmed(self, circuit: QuantumCircuit) -> QuantumCircuit:
        """Return a circuit without the qubits that were never taken."""
        result = QuantumCircuit(self.first + self.used)
        for item in circuit.data:
            result.append(item.operation, [circuit.find_bit(qubit).index for qubit in item.qubits])
        return result
