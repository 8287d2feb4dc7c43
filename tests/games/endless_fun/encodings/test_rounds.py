"""Rounds on qubits: every encoding against a dense simulation of the printed truth tables."""

from collections import defaultdict
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from compiler.compilation import Options, compile
from compiler.lowering.methods import lower_operators
from compiler.lowering.resources import resources
from compiler.measurement import final_measurements
from compiler.verification.simulation.sparse import simulate_each
from games import encoded, encodings, encodings_of, named_game
from games.endless_fun.encodings.choices import plane_of
from games.endless_fun.encodings.fused import Add, fused
from games.endless_fun.game import EndlessRound
from tests.games.endless_fun.dense import simulated
from tests.games.endless_fun.rounds import rounds

NAMED = ("paper", "pair", "three", "qubits")


def expected(played):
    """Return the probability of all values, by NumPy alone."""
    rows = []
    for row in played.rows:
        for at, gate in enumerate(row):
            # Pauli's Y is the printed one after Z; a row for each gate keeps their order.
            names = ["Z", "Y"] if gate == "Y" and played.pauli else [gate.value]
            rows += [["I"] * at + [name] + ["I"] * (len(row) - at - 1) for name in names]
    state = simulated(played.dimension, played.start, rows)
    values = product(range(played.dimension), repeat=played.qudits)
    return {v: p for v, p in zip(values, np.abs(state) ** 2, strict=True) if p > 1e-9}


def measured(game, encoding):
    """Return the probability of all values that a game's circuit gives."""
    gates, read = final_measurements(encoded(game, encoding).circuit)
    (state,) = simulate_each(lower_operators(gates, "cheapest"), [0])
    found = defaultdict(float)
    for key, amplitude in state.by_basis_state().items():
        qubits = int.from_bytes(key, "little")
        bits = sum((qubits >> qubit & 1) << bit for bit, qubit in read.items())
        outcome = encodings[encoding].outcome(game, bits)
        found[None if outcome is None else game.values(outcome)] += abs(amplitude) ** 2
    return {values: p for values, p in found.items() if p > 1e-9}


def check(game):
    wanted = pytest.approx(expected(game.round), abs=1e-9)
    for encoding in encodings_of(game):
        assert measured(game, encoding) == wanted, encoding


@given(rounds())
@settings(max_examples=40, deadline=None)
def test_every_encoding_measures_what_the_truth_tables_give(played):
    """And nothing illegal, which would be measured as None."""
    check(EndlessRound("any", played))


@pytest.mark.parametrize("name", NAMED)
def test_named_rounds_measure_what_the_truth_tables_give(name):
    game = named_game(f"endless-fun:{name}")
    check(game)
    assert encodings_of(game) == ("relabelled", "choices", "cards")


@pytest.mark.parametrize(
    ("name", "encoding", "most"),
    [
        ("paper", "relabelled", 3),
        ("paper", "cards", 13),
        ("pair", "relabelled", 3),
        ("three", "relabelled", 5),
        ("three", "cards", 24),
        ("three", "choices", 1),
        ("qubits", "relabelled", 2),
        ("qubits", "choices", 0),
    ],
)
def test_named_rounds_keep_to_their_bars(name, encoding, most):
    gates, _ = final_measurements(encoded(named_game(f"endless-fun:{name}"), encoding).circuit)
    assert resources(lower_operators(gates, "cheapest")).two_qubit_gates <= most


@given(rounds(most_rows=8))
@settings(deadline=None)
def test_known_states_leave_a_sum_to_entangled_qudits_only(played):
    """A lane is started or copied to before anything else, and once."""
    found = fused(played)
    begun = set()
    for step in found.steps:
        match step:
            case Add(control, target):
                assert {control, target} <= begun
            case _:
                lanes = {getattr(step, name) for name in ("lane", "target") if hasattr(step, name)}
                begun |= lanes
    assert sorted(found.lanes) == list(range(played.qudits))


@given(rounds())
@settings(deadline=None)
def test_what_can_be_measured_is_the_plane_of_the_choices(played):
    plane = plane_of(played)
    points = {
        plane.point(chosen)
        for chosen in product(range(played.dimension), repeat=len(plane.directions))
    }
    assert points == set(expected(played))


def test_a_round_is_lowered_to_a_device_and_proven():
    compiled = compile(encoded(named_game("endless-fun:pair")), "star", Options("fast"))
    assert compiled.verified == "exact"
    assert compiled.figures.two_qubit_gates <= 5
