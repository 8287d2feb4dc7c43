"""One number for a machine: perfection is 1, noise 0, and the interval is of all parts together."""

from math import sqrt

import numpy as np
import pytest
from attrs import evolve

from compiler.judge import enumerated
from compiler.scores.intervals import Interval, fidelity_interval
from compiler.scores.machine_score import (
    NOTHING,
    bounded,
    machine_score,
    noise_fidelity,
    part_score,
)
from games import encoded, named_game


def test_mean_by_weight_with_the_interval_of_independent_parts():
    parts = [(3, Interval(0.5, 0.4, 0.6)), (1, Interval(0.9, 0.7, 0.95)), (4, NOTHING)]
    found = machine_score(parts)
    assert found.value == pytest.approx((3 * 0.5 + 0.9) / 8)
    assert found.value - found.low == pytest.approx(sqrt((3 * 0.1) ** 2 + 0.2**2) / 8)
    assert found.high - found.value == pytest.approx(sqrt((3 * 0.1) ** 2 + 0.05**2) / 8)


def test_a_part_is_between_noise_and_perfection():
    assert part_score(Interval(1.01, 0.98, 1.02), 0.3).value == 1
    assert bounded(part_score(Interval(0.1, 0.05, 0.15), 0.3)) == NOTHING
    middle = part_score(Interval(0.65, 0.58, 0.72), 0.3)
    assert (middle.value, middle.low, middle.high) == pytest.approx((0.5, 0.4, 0.6))


def test_perfect_parts_have_a_perfect_mean_within_their_interval():
    """Ends beyond 1 stay until the mean is made: what chance takes from parts is no bias."""
    random, exact = np.random.default_rng(3), dict.fromkeys(range(8), 1 / 8)
    parts = []
    for _ in range(12):
        counts = dict(enumerate(random.multinomial(400, [1 / 8] * 8).tolist()))
        parts.append((1, part_score(fidelity_interval(counts, exact), 0.3)))
    assert machine_score(parts).high == 1


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
    assert part_score(fidelity_interval(outcomes, exact), noise).value < 0.01


def test_noise_of_a_circuit_without_a_judge_is_not_known():
    program = encoded(named_game("skat-4"), "lean")
    assert noise_fidelity(evolve(program, judge=None), 4) is None
