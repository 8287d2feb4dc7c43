"""Programs too large for a state: single games, sampled and judged by the rules.

Wherever a barrier lies across everything that the circuit is busy with, every qubit is
measured, and the game goes on from the basis state that was found. Between such places the
circuit permutes basis states and tosses coins onto fresh qubits, so no two branches interfere
later on, and measuring early changes no probability.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np
from qiskit import QuantumCircuit

from compiler.circuits.branches import Branches
from compiler.circuits.gate_steps import Step, steps_of
from compiler.circuits.matrices import Bits
from compiler.circuits.table_rows import integers
from compiler.errors import VerificationError
from compiler.judge import Judge
from compiler.measurement import final_measurements
from compiler.verification.simulation.blocks import on_few_qubits
from compiler.verification.simulation.exact import played_in_order

RUNS = 200


def verify_runs(judge: Judge, runs: Iterable[int], seed: int) -> str:
    """Check that nothing illegal was measured, and nothing preferred that should not be.

    Args:
        judge: of the measured bits.
        runs: measured bits of independent runs; bit i is classical bit i.
        seed: of the samples, for messages.

    Returns:
        The result, one line for people.

    Raises:
        VerificationError: naming the first illegal run, or a preference that is no accident.
        StateTooLargeError: if single runs tell too little.
    """
    try:
        return f"{judge.examine(runs)} (seed {seed})"
    except VerificationError as error:
        raise VerificationError(f"{error} (seed {seed})") from error


BATCH = 256
"""Games that are simulated side by side."""

MAX_AMPLITUDES = 1 << 22
"""Games of a batch; skat-32 needs some 3,000 for each of them."""


def sampled_games(circuit: QuantumCircuit, games: int, seed: int) -> Iterator[int]:
    """Yield the bits of a circuit's final measurements in independent games.

    Args:
        circuit: gates, barriers, final measurements; it starts from |0…0⟩.
        games: how many.
        seed: of the samples.

    Yields:
        Integers whose bit i is classical bit i.

    Raises:
        StateTooLargeError: if the state of a batch outgrows `MAX_AMPLITUDES`.
    """
    unitary, measured = final_measurements(circuit)
    parts = [on_few_qubits(part) for part in segments(steps_of(unitary))]
    random = np.random.default_rng(seed)
    orders: list[list[Step]] = []
    for first in range(0, games, BATCH):
        state = np.zeros((min(BATCH, games - first), unitary.num_qubits), dtype=bool)
        for place, (qubits, part, ends) in enumerate(parts):
            if not first:
                pilot = Branches(state[:1, qubits], MAX_AMPLITUDES // BATCH)
                orders.append(played_in_order(pilot, part, random))
            branches = Branches(state[:, qubits], MAX_AMPLITUDES)
            play_and_measure(branches, orders[place], random)
            state[:, qubits] = branches.sample(random)[:, ends]
        yield from readouts(state, measured)


def readouts(states: Bits, measured: Mapping[int, int]) -> Iterator[int]:
    """Yield the bits of final measurements.

    Args:
        states: shape (runs, qubits), the basis state that each run ends in.
        measured: the qubit that each classical bit reads.

    Yields:
        Integers whose bit i is classical bit i.
    """
    read = np.zeros((len(states), 1 + max(measured, default=0)), dtype=bool)
    read[:, list(measured)] = states[:, list(measured.values())]
    yield from integers(read)


def play_and_measure(
    branches: Branches, steps: Sequence[Step], random: np.random.Generator
) -> None:
    """Apply gates, and measure each qubit after its last one: nothing sees that it was early."""
    last = {qubit: place for place, step in enumerate(steps) for qubit in step.qubits}
    done: dict[int, list[int]] = {}
    for qubit, place in last.items():
        done.setdefault(place, []).append(qubit)
    for place, step in enumerate(steps):
        branches.play([step])
        if place in done:
            branches.measure(done[place], random)


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
