"""Compile the searches of lowering, proofs and games to machine code, which Numba caches.

    python -m workers.compilation.searches

This is done once on a machine. Without it the first compilations take longer, and processes that
start at the same time compile the same searches.
"""

import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
from qiskit import QuantumCircuit

from compiler.circuits.gate_steps import steps_of
from compiler.compilation import Options
from compiler.compilation.candidate import lower, refine
from compiler.compilation.plan import plan
from compiler.compilation.proof import prove
from compiler.lowering.draft import no_clock
from compiler.program import Program
from compiler.public_circuits import circuit_from_spec
from compiler.verification.operator_proofs.condensing import Condensed
from games import encoded, named_game
from games.trick_taking.playouts import search_small_games

PEEPHOLES = ("dont-care", "state-peephole", "state-window")

CALLS = (
    ("heavy-hex:boston", "mirror", PEEPHOLES),
    ("all", "qiskit", ()),
    ("star", "hub", PEEPHOLES),
    ("heavy-hex:boston", "sweep", PEEPHOLES),
    ("resonator", "resonator", PEEPHOLES),
)
"""Targets, pipelines and passes to leave out, which need every search; the longest first."""


def lower_small_circuit(target: str, pipeline: str, without: tuple[str, ...]) -> None:
    """Lower a small circuit and refine it, for the sake of the searches alone."""
    program = Program.of_circuit(circuit_from_spec("quantum-volume:5", 0))
    options = Options(pipelines=(pipeline,), seeds=1, budget=10, without=without, any_input=False)
    planned = plan(program, target, options)
    for attempt in planned.attempts:
        refine(planned, no_clock, lower(planned, no_clock, attempt))


def prove_small_game() -> None:
    """Prove a game that was lowered, for the sake of the simulation alone."""
    planned = plan(encoded(named_game("skat-4")), "star", Options(pipelines=("qiskit",), seeds=1))
    for attempt in planned.attempts:
        prove(planned, no_clock, lower(planned, no_clock, attempt))
    both = QuantumCircuit(5)
    both.ccx(0, 1, 2)
    both.ch(3, 4)
    Condensed.of(steps_of(both), np.eye(5, dtype=bool))


if __name__ == "__main__":
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        lowered = [pool.submit(lower_small_circuit, *call) for call in CALLS]
        for done in [*lowered, pool.submit(prove_small_game), pool.submit(search_small_games)]:
            done.result()
