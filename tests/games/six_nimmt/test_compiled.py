"""Rounds on machines: lowered, proven on every path, and run."""

from random import Random

import pytest
from qiskit import QuantumCircuit

from backends import CircuitJob, backend_from_spec, check_runnable
from compiler.compilation import Options, compile
from compiler.compilation.proof import prove_program
from compiler.program import Program
from compiler.scores.scoring import score
from compiler.verification.program import outcome_distribution, program_state
from games import encoded
from games.six_nimmt.hswap import HSwap
from games.six_nimmt.random_round import random_round
from games.six_nimmt.rules.cards import Options as Rules
from games.six_nimmt.rules.cards import shuffled_deck


def a_round(seed, **options):
    rules = Rules.from_names(options)
    return random_round(f"round {seed}", 3, shuffled_deck(seed, 0), Random(seed), options=rules)


@pytest.mark.parametrize("seed", [1, *(pytest.param(n, marks=pytest.mark.full) for n in range(9))])
@pytest.mark.parametrize("target", ["heavy-hex:torino", "star"])
def test_rounds_are_lowered_right(seed, target):
    game = a_round(seed, measured_qubit="reset" if seed % 2 else "stays")
    program = encoded(game)
    assert prove_program(program) == "exact"
    compiled = compile(program, target, Options("fast", pipelines=("qiskit",)))
    assert compiled.verified == "exact"
    measured = outcome_distribution(compiled.circuit, program_state(compiled.circuit))
    exact = {path: float(p) for path, p in game.exact_distribution().items()}
    assert {path: p for path, p in measured.items() if p > 1e-9} == pytest.approx(exact, abs=1e-6)


def test_two_operations_on_the_same_rows_are_merged():
    circuit = QuantumCircuit(2)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.append(HSwap(), [0, 1])
    circuit.cx(0, 1)
    compiled = compile(Program.of_circuit(circuit), "all", Options("fast", any_input=True))
    assert compiled.verified == "exact"
    assert compiled.figures.two_qubit_gates == 2


@pytest.mark.parametrize("backend", ["sparse", "aer"])
def test_rounds_are_scored(backend):
    game = a_round(1)
    program = encoded(game)
    check_runnable(backend, program.circuit)
    compiled = compile(program, "all", Options("fast"))
    counts = backend_from_spec(backend).run(CircuitJob(compiled.circuit, "all:4", 2000, seed=3))
    found, _ = score(program, counts)
    assert found.legal_fraction == 1
    assert found.hellinger_fidelity > 0.98
    for seat in range(3):
        points = found.observables[f"player_{seat}_points"]
        assert points.exact == pytest.approx(float(game.average(f"player_{seat}_points")))
        assert abs(points.measured - points.exact) < 3
    total = found.observables["sum_of_points"]
    assert total.measured == pytest.approx(total.exact)
