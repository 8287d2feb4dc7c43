"""The split of a list, the same coins of all its steps tossed together."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import asin, sqrt

from qiskit import QuantumCircuit

from compiler.fault_tolerant.clean_pool import CleanPool
from compiler.fault_tolerant.equal_rotations import rotate_equally
from compiler.fault_tolerant.lean_synthesis import lean_syntheses
from compiler.fault_tolerant.table_coins import toss_by_table
from games.trick_taking.operators.list_deal import split_coins
from games.trick_taking.synthesis.list_deal import SEGMENTED, replace_at_random

MOST_CLEAN = 64

TOGETHER = 3
"""Coins that are tossed together. Twelve would save four more rotations of eight, but all branches
of them are followed at once where single games are judged."""


@lean_syntheses.register("list_split")
def list_split(*params: int) -> QuantumCircuit:
    """Replace random cards of the hand as `list_split.reservoir` does.

    The highest bit of every index has the same coin, and coins that are tossed together take one
    rotation for each bit of their number.

    Args:
        params: qubits of a slot, n, k.

    Returns:
        The circuit on n slots, history and clean qubits.
    """
    width, cards, chosen = params
    first = cards * width
    last = first + split_coins(cards, chosen)
    pool = CleanPool(last)
    circuit = QuantumCircuit(last + MOST_CLEAN)
    slots = [list(range(i * width, (i + 1) * width)) for i in range(cards)]
    size = (last - first) // (cards - chosen)
    steps = [range(start, start + size) for start in range(first, last, size)]
    tops = [step[-1] for step in steps] if size > 1 else []
    if tops:
        # The index is below k, and its highest bit stands for half of the next power of two.
        high = Fraction(chosen - (1 << size - 2), chosen)
        for start in range(0, len(tops), TOGETHER):
            group = tops[start : start + TOGETHER]
            rotate_equally(circuit, group, 2 * asin(sqrt(high)), pool.loan())
            if cards > SEGMENTED:
                circuit.barrier(range(last))

    def tosser(
        circuit: QuantumCircuit,
        controls: Sequence[int],
        target: int,
        probabilities: Mapping[int, Fraction],
    ) -> None:
        if target not in tops:
            toss_by_table(circuit, controls, target, probabilities, pool.loan())

    for later, step in zip(range(chosen, cards), steps, strict=True):
        replace_at_random(circuit, slots, chosen, later, step, tosser=tosser)
        if cards > SEGMENTED:
            circuit.barrier(range(last))
    return pool.trimmed(circuit)
