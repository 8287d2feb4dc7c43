"""One number for a machine: perfection is 1, noise 0, and the interval is of all parts together."""

from math import sqrt

import numpy as np
import pytest
from attrs import evolve

from compiler.judge import enumerated
from compiler.scores.machine_score import (
    NOTHING,
    Interval,
    machine_score,
    noise_fidelity,
    part_score,
)
from compiler.scores.scoring import fidelity_to
from games import encoded, named_game


def test_mean_by_weight_with_the_interval_of_independent_parts():
    parts = [(3, Interval(0.5, 0.4, 0.6)), (1, Interval(0.9, 0.7, 0.95)), (4, NOTHING)]
    found = machine_score(parts)
    assert found.value == pytest.approx((3 * 0.5 + 0.9) / 8)
    assert found.value - found.low == pytest.approx(sqrt((3 * 0.1) ** 2 + 0.2**2) / 8)
    assert found.high - found.value == pytest.approx(sqrt((3 * 0.1) ** 2 + 0.05**2) / 8)


def test_a_part_is_between_noise_and_perfection():
    assert part_score(1.0, 1000, 0.3, 8).value == 1
    assert part_score(0.1, 1000, 0.3, 8) == NOTHING
    middle = part_score(0.65 - 7 / 4000, 1000, 0.3, 8)
    assert middle.value == pytest.approx(0.5)
    assert 0.4 < middle.low < 0.5 < middle.high < 0.6


@pytest.mark.parametrize(
    ("name", "encoding"),
    [("skat-4", "lean"), ("six-nimmt", "rows"), ("weiqi", "points"), ("endless-fun", "relabelled")],
)
def test_random_bits_score_nothing(name, encoding):
    game = named_game(name)
    program = encoded(game, encoding)
    noise, exact = noise_fidelity(program, game.outcome_bits), enumerated(game)
    bits = program.circuit.num_clbits
    random = np.random.default_rng(1).integers(0, 1 << bits, 1000)
    values, counts = np.unique(random, return_counts=True)
    outcomes = program.outcomes(dict(zip(values.tolist(), counts.tolist(), strict=True)))
    assert part_score(fidelity_to(outcomes, exact), 1000, noise, len(exact)).value < 0.01


def test_noise_of_a_circuit_without_a_judge_is_not_known():
    program = encoded(named_game("skat-4"), "lean")
    assert noise_fidelity(evolve(program, judge=None), 4) is None
