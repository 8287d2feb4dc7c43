"""Programs too large for a state: single games, sampled and judged by the rules.

Wherever a barrier lies across everything that the circuit is busy with, every qubit is
measured, and the game goes on from the basis state that was found. Between such places the
circuit permutes basis states and tosses coins onto fresh qubits, so no two branches interfere
later on, and measuring early changes no probability.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from qiskit import QuantumCircuit

from compiler.measurement import final_measurements
from compiler.verification.branches import Branches, Step, steps_of

BATCH = 256
"""Games that are simulated side by side."""


def sampled_games(
    circuit: QuantumCircuit, games: int, seed: int, max_amplitudes: int = 1 << 22
) -> Iterator[int]:
    """Yield what the final measurements of a circuit read in independent games.

    Args:
        circuit: gates, barriers, final measurements; it starts from |0…0⟩.
        games: how many.
        seed: of the samples.
        max_amplitudes: the most amplitudes of a batch of games at any time.

    Yields:
        Integers whose bit i is classical bit i.

    Raises:
        StateTooLargeError: if the state of a batch outgrows `max_amplitudes`.
    """
    unitary, measured = final_measurements(circuit)
    parts = segments(steps_of(unitary))
    random = np.random.default_rng(seed)
    for first in range(0, games, BATCH):
        runs = min(BATCH, games - first)
        branches = Branches(unitary.num_qubits, runs, max_amplitudes=max_amplitudes)
        for part in parts:
            branches.play(part)
            branches.sample(random)
        bits = branches.bits(list(measured.values()))
        order = np.argsort(branches.run_of)
        for row in bits[order]:
            yield sum(1 << place for place, value in zip(measured, row, strict=True) if value)


def segments(steps: Sequence[Step]) -> list[list[Step]]:
    """Cut a circuit at the barriers across all qubits that it is busy with."""
    qubits = {qubit for step in steps for qubit in step.qubits}
    parts: list[list[Step]] = []
    for outer in _cut(steps, qubits):
        busy = {q for step in outer if step.kind in ("cx", "cz") for q in step.qubits}
        parts += _cut(outer, busy)
    return [part for part in parts if part]


def _cut(steps: Sequence[Step], across: set[int]) -> list[list[Step]]:
    parts: list[list[Step]] = [[]]
    for step in steps:
        if step.kind == "barrier" and across <= set(step.qubits):
            parts.append([])
        else:
            parts[-1].append(step)
    return parts
