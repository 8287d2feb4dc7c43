"""Reversible logic up to branch phases: the parts of all operators after a deal.

These circuits permute basis states; some basis states get the factor -1 on the way. No later
measurement sees that, and no later operator either, as long as it does not let branches
interfere. Giving up the phase halves the price of a Toffoli gate (Margolus; Maslov,
arXiv:1508.03273) and of a controlled swap.

All functions append to a circuit and take its qubits as indices. Every gate is real.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import pi
from typing import TypeVar

from attrs import frozen
from qiskit import QuantumCircuit


def controlled_h(circuit: QuantumCircuit, control: int, target: int) -> None:
    """Append an exact controlled Hadamard gate: one CZ."""
    circuit.ry(-pi / 4, target)
    circuit.cz(control, target)
    circuit.ry(pi / 4, target)


def xor_and(circuit: QuantumCircuit, a: int, b: int, target: int) -> None:
    """|a, b, t⟩ → ±|a, b, t ⊕ ab⟩, its own inverse: three CZ.

    The sign is -1 where a = 0 and b = t = 1.
    """
    controlled_h(circuit, a, target)
    circuit.cz(b, target)
    controlled_h(circuit, a, target)


Q = TypeVar("Q")
"""A qubit, or its number."""

Conjunction = Callable[[QuantumCircuit, int, int, int], None]
"""Flips a qubit where two others are 1, such as `xor_and`; some do so for clean qubits only."""


@contextmanager
def flipped(circuit: QuantumCircuit, qubits: Sequence[int]) -> Iterator[None]:
    """Inside the block, `qubits` hold the complement of their values."""
    for qubit in qubits:
        circuit.x(qubit)
    yield
    for qubit in qubits:
        circuit.x(qubit)


def and_ladder(
    controls: Sequence[Q], ancillas: Sequence[Q]
) -> tuple[list[tuple[Q, Q, Q]], list[Q]]:
    """Return ANDs of two qubits, each onto a clean ancilla, and the qubits that are left.

    The AND of these is that of all controls.
    """
    steps, left = list[tuple[Q, Q, Q]](), list(controls)
    for ancilla in ancillas:
        first, second, *others = left
        steps.append((first, second, ancilla))
        left = [*others, ancilla]
    return steps, left


def xor_all(
    circuit: QuantumCircuit,
    controls: Sequence[int],
    target: int,
    ancillas: Sequence[int],
    *,
    conjunction: Conjunction = xor_and,
    undone: Conjunction = xor_and,
) -> None:
    """Flip `target` where all controls are 1, up to sign; at least one control.

    Args:
        circuit: to be extended.
        controls: qubits that must all be 1.
        target: qubit that is flipped.
        ancillas: clean qubits, at least `len(controls) - 2`.
        conjunction: of two qubits.
        undone: the inverse of `conjunction`.
    """
    if len(controls) == 1:
        circuit.cx(controls[0], target)
        return
    steps, (first, second) = and_ladder(controls, ancillas[: len(controls) - 2])
    for step in steps:
        conjunction(circuit, *step)
    conjunction(circuit, first, second, target)
    for step in reversed(steps):
        undone(circuit, *step)


def swap_if(circuit: QuantumCircuit, control: int, a: int, b: int) -> None:
    """Swap two qubits where `control` is 1, with the sign -1 where all three are 1: four CZ.

    Under the control, the two Hadamard gates between the CZ make an fSWAP gate; without, the
    two CZ cancel.
    """
    circuit.ry(pi / 2, a)
    circuit.ry(pi / 2, b)
    circuit.cz(a, b)
    controlled_h(circuit, control, a)
    controlled_h(circuit, control, b)
    circuit.cz(a, b)
    circuit.ry(-pi / 2, a)
    circuit.ry(-pi / 2, b)


def swap_words_if(
    circuit: QuantumCircuit, control: int, a: Sequence[int], b: Sequence[int]
) -> None:
    """Swap two registers of the same size where `control` is 1, up to sign."""
    for x, y in zip(a, b, strict=True):
        swap_if(circuit, control, x, y)


def less_than(circuit: QuantumCircuit, a: Sequence[int], b: Sequence[int], result: int) -> None:
    """Flip `result` where a < b, up to sign; both registers come back: 10n - 12 gates.

    Where a = b, `result` is flipped if b is odd: that the numbers differ somewhere saves the
    first carry. For one bit this takes one gate.

    Args:
        circuit: to be extended.
        a: register of n qubits, lowest bit first.
        b: register of the same size.
        result: qubit that is flipped.

    References:
        The carry out of b + ¬a, as in Cuccaro et al., arXiv:quant-ph/0410184, the lowest bit of
        b being the first carry.
    """
    top = len(a) - 1
    if top == 0:
        circuit.cx(b[0], result)
        return
    carries = [b[0], *a[1:top]]
    with flipped(circuit, a[1:]):
        for i in range(1, top):
            circuit.cx(a[i], b[i])
            circuit.cx(a[i], carries[i - 1])
            xor_and(circuit, carries[i - 1], b[i], a[i])
        circuit.cx(a[top], b[top])
        circuit.cx(a[top], carries[-1])
        xor_and(circuit, carries[-1], b[top], result)
        circuit.cx(a[top], result)
        circuit.cx(a[top], carries[-1])
        circuit.cx(a[top], b[top])
        for i in reversed(range(1, top)):
            xor_and(circuit, carries[i - 1], b[i], a[i])
            circuit.cx(a[i], carries[i - 1])
            circuit.cx(a[i], b[i])


@frozen
class Count:
    """A number in superposition.

    Args:
        bits: its qubits, lowest bit first.
        most: the largest value it can have.
    """

    bits: tuple[int, ...]
    most: int


def add(
    circuit: QuantumCircuit,
    left: Count,
    right: Count,
    ancillas: Callable[[], int],
    *,
    conjunction: Conjunction = xor_and,
) -> Count:
    """Replace two counts by their sum, up to sign; the rest of their qubits holds garbage.

    The circuit's inverse takes the sum apart again.

    Args:
        circuit: to be extended.
        left: a count; it need not be as wide as the other.
        right: a count on other qubits; most of the sum lands there.
        ancillas: gives clean qubits.
        conjunction: by which carries are written into them.
    """
    width = (left.most + right.most).bit_length()
    total: list[int] = []
    carry: int | None = None
    for i in range(width):
        terms = [q for q in (*left.bits[i : i + 1], *right.bits[i : i + 1]) if q is not None]
        terms += [] if carry is None else [carry]
        following = None
        if i + 1 < width and len(terms) > 1:
            following = ancillas()
        total.append(_add_bits(circuit, terms, following, conjunction))
        carry = following
    return Count(tuple(total), left.most + right.most)


def _add_bits(
    circuit: QuantumCircuit, terms: Sequence[int], carry: int | None, conjunction: Conjunction
) -> int:
    """Put the sum of up to three bits into one of them, and their carry into a clean qubit."""
    if len(terms) < 3:
        if carry is not None:
            conjunction(circuit, terms[0], terms[1], carry)
        for term in terms[:-1]:
            circuit.cx(term, terms[-1])
        return terms[-1]
    a, b, c = terms
    if carry is None:
        circuit.cx(a, b)
        circuit.cx(c, b)
        return b
    circuit.cx(c, a)
    circuit.cx(c, b)
    conjunction(circuit, a, b, carry)
    circuit.cx(c, carry)
    circuit.cx(a, b)
    circuit.cx(c, b)
    return b
