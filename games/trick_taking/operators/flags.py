"""Flags on fresh qubits that compare cards; the cards themselves do not change.

Intermediate results of a flag stay in fresh qubits, too, up to branch phases.
"""

from collections.abc import Callable, Sequence
from math import pi

from qiskit import QuantumCircuit
from qiskit.circuit import Qubit

from compiler.synthesis.permutations import controlled_h

Fresh = Callable[[], int]
"""Gives a qubit in |0⟩."""


def fresh_of(circuit: QuantumCircuit) -> Fresh:
    """Return a function that adds a qubit to a circuit."""

    def fresh() -> int:
        circuit.add_bits([Qubit()])
        return circuit.num_qubits - 1

    return fresh


def parity_and(
    circuit: QuantumCircuit, first: Sequence[int], second: Sequence[int], target: int
) -> None:
    """|t⟩ → ±|t ⊕ ab⟩ for the sums a and b, mod 2, of two sets of qubits: 2·|first| + |second|."""
    for middle in (second, ()):
        circuit.ry(-pi / 4, target)
        for qubit in first:
            circuit.cz(qubit, target)
        circuit.ry(pi / 4, target)
        for qubit in middle:
            circuit.cz(qubit, target)


def and_parity(circuit: QuantumCircuit, control: int, parity: Sequence[int], target: int) -> None:
    """Make a clean target the AND of a qubit and the sum of others mod 2, up to sign."""
    controlled_h(circuit, control, target)
    for qubit in parity:
        circuit.cz(qubit, target)
    controlled_h(circuit, control, target)


def equal_flag(
    circuit: QuantumCircuit, first: Sequence[int], other: Sequence[int], fresh: Fresh
) -> int:
    """Return a qubit that says whether two registers of up to three bits are equal.

    Both are complemented sums: ¬(x ⊕ y) is 1 where they agree.
    """
    return _all_of(circuit, [[x, y] for x, y in zip(first, other, strict=True)], fresh)


def zero_flag(circuit: QuantumCircuit, register: Sequence[int], fresh: Fresh) -> int:
    """Return a qubit that says whether a register of up to three bits is 0."""
    return _all_of(circuit, [[qubit] for qubit in register], fresh)


def _all_of(circuit: QuantumCircuit, sums: Sequence[Sequence[int]], fresh: Fresh) -> int:
    """Return a qubit that says whether all sums are 0."""
    flips = [qubits[0] for qubits in sums]
    circuit.x(flips)
    flag = fresh()
    if len(sums) == 1:
        for qubit in sums[0]:
            circuit.cx(qubit, flag)
    else:
        parity_and(circuit, sums[0], sums[1], flag)
        for more in sums[2:]:
            before, flag = flag, fresh()
            parity_and(circuit, [before], more, flag)
    circuit.x(flips)
    return flag


MAJORITY = (0, 1, 0, 2, 0, 1)
"""Controls of the coin that is 1 where two of three qubits are."""
MAJORITY_ANGLES = (-0.25, -0.5, 0.25, 0.5, -0.25, -0.5, -1.25)
"""Its angles, as multiples of π."""


def majority(circuit: QuantumCircuit, three: Sequence[int], fresh: Fresh) -> int:
    """Return a qubit that says whether two or more of three others are 1: six gates.

    A coin, see `compiler.synthesis.coin`, whose angles are multiples of π: its probability is
    0 or 1 on every input.
    """
    target = fresh()
    circuit.ry(MAJORITY_ANGLES[0] * pi, target)
    for control, angle in zip(MAJORITY, MAJORITY_ANGLES[1:], strict=True):
        circuit.cz(three[control], target)
        circuit.ry(angle * pi, target)
    return target


def lower_flag(circuit: QuantumCircuit, a: Sequence[int], b: Sequence[int], fresh: Fresh) -> int:
    """Return a qubit that says whether a < b, for registers that differ: 6(n-1) gates.

    Lowest bit first. It is the carry out of b + ¬a, the lowest bit of b being the first carry,
    as in `compiler.synthesis.permutations.less_than`.
    """
    carry = b[0]
    if len(a) == 1:
        flag = fresh()
        circuit.cx(carry, flag)
        return flag
    circuit.x(list(a[1:]))
    for x, other in zip(a[1:], b[1:], strict=True):
        carry = majority(circuit, (x, other, carry), fresh)
    circuit.x(list(a[1:]))
    return carry


def choose(circuit: QuantumCircuit, which: int, first: int, other: int, target: int) -> None:
    """Make a qubit in |0⟩ a copy of `one` where `which` is 1, else of `other`: four gates.

    The target changes its basis where `which` is 0, then everywhere, and back where it is 1: so
    one of the two CZ gates flips it, and the other gives a phase.
    """
    circuit.x(which)
    controlled_h(circuit, which, target)
    circuit.cz(other, target)
    circuit.x(which)
    circuit.h(target)
    circuit.cz(first, target)
    controlled_h(circuit, which, target)
