"""Intervals of 95 % hold in 93 % of all runs or more, in situations whose truth is known."""

from collections import Counter
from functools import cache, partial
from math import asin, log, sin, sqrt

import numpy as np
import pytest

from compiler.amplification.counting import counting_distribution
from compiler.estimation import Bayesian, Counting
from compiler.judge import Kind, enumerated
from compiler.scores.intervals import (
    Interval,
    fidelity_interval,
    mean_interval,
    proportion_interval,
)
from compiler.scores.machine_score import bounded, part_score
from compiler.scores.scoring import score
from games import encoded, named_game
from games.trick_taking.advice.shares import Shares, mean_of
from games.trick_taking.skat.bidding.offers import Offer, Sample
from games.trick_taking.skat.values import Contract
from games.trick_taking.training.backend_learning import measured_step
from games.trick_taking.training.learning import Look
from play.ratings import SCALE, ratings

HOLDS, EDGE = 0.93, 1e-9
RUNS, FEWER_RUNS, SLOW_RUNS = 200, 50, 25


def drawn(random, distribution, shots):
    """Return the counts of so many shots."""
    shares = np.array([*distribution.values()], float)
    counts = random.multinomial(shots, shares / shares.sum()).tolist()
    return {key: n for key, n in zip(distribution, counts, strict=True) if n}


def proportion(p, shots, random):
    return *proportion_interval(int(random.binomial(shots, p)), shots), p


def mean(distribution, shots, random):
    truth = sum(v * p for v, p in distribution.items()) / sum(distribution.values())
    counts = drawn(random, distribution, shots)
    ends = min(distribution), max(distribution)
    return *mean_interval([*counts], [*counts.values()], *ends), truth


@cache
def toy():
    """Return the toy, its distribution, and one of which half is illegal."""
    program = encoded(named_game("skat-4"), "paper")
    exact = enumerated(program.judge)
    illegal = [bits for bits in range(16) if program.outcome(bits) is None]
    half = {o: p / 2 for o, p in exact.items()}
    return program, exact, {**half, **dict.fromkeys(illegal, 0.5 / len(illegal))}


def scored(observable, selected, shots, random):
    program, exact, played = toy()
    (of,) = (each for each in program.judge.observables if each.name == observable)
    truth = float(of.average(exact)) / (1 if selected or of.kind is not Kind.EVENT else 2)
    result = score(program, drawn(random, played, shots))[selected]
    estimate = result and result.observables[observable]
    low = None if estimate is None else estimate.low
    return (truth, truth, truth) if low is None else (low, estimate.high, truth)


def fidelity_part(outcomes, right, shots, random):
    """Score a machine that is right with a probability; half of its noise is illegal."""
    exact = {o: 1 / (o + 1) for o in range(outcomes)}
    exact = {o: p / sum(exact.values()) for o, p in exact.items()}
    played = {o: right * p + (1 - right) / 2 / outcomes for o, p in exact.items()}
    value = sum(sqrt(played[o] * p) for o, p in exact.items()) ** 2
    counts = drawn(random, {**played, -1: (1 - right) / 2}, shots)
    interval = bounded(part_score(fidelity_interval(counts, exact), 0.3))
    return interval.low, interval.high, part_score(Interval(value, value, value), 0.3).value


def bayesian(p, options, fidelity, random):
    def hits(iterates, shots):
        left = fidelity**iterates
        chance = left * sin((2 * iterates + 1) * asin(sqrt(p))) ** 2 + (1 - left) / 2
        return int(random.binomial(shots, chance))

    def ask(iterates, shots):
        return [hits(j, shots) for j in iterates]

    estimate = Bayesian(**options).estimate(ask)
    return estimate.low, estimate.high, p


def counting(p, random):
    estimate = Counting(error=0.05).estimate(
        lambda bits, shots: drawn(random, counting_distribution(p, bits), shots)
    )
    return estimate.low, estimate.high, p


def game_value(deals, random):
    values, chances = np.array([-72, 36, 48, 60]), np.array([0.1, 0.7, 0.17, 0.03])
    numbers = random.choice(values, deals, p=chances)
    estimate = mean_of(numbers, complete=False, bounds=(-120, 60))
    return estimate.low, estimate.high, float(values @ chances)


def bid(levels, deals, random):
    def offer(numbers):
        return Offer(Contract("C"), tuple(Sample(1, 0.5, int(level)) for level in numbers))

    interval = offer(random.choice(6, deals, p=levels)).score(18)
    return interval.low, interval.high, np.dot([offer([i]).scores(18)[0] for i in range(6)], levels)


def recommended(deals, random):
    """Fail where one of six cards that are alike is called better than the others."""
    wins = random.random((deals, 6)) < 0.5
    shares = Shares(np.bincount(wins @ (1 << np.arange(6)), minlength=64), 6, complete=False)
    best, *others = sorted(range(6), key=shares.wins, reverse=True)
    return 0.0, 0.0, float(shares.ahead(best, others))


def training(p, random):
    legal = int(random.binomial(100, 0.8))
    look = Look(0, np.zeros(0), p, (), int(random.binomial(legal, p)) / legal)
    step = measured_step(look, legal)
    return step.low, step.high, p


def strength(p, deals, random):
    """Rate two bots by two games of each deal, of which both may end alike."""
    groups = []
    for _ in range(deals):
        first = random.random() < p
        wins = first + (first if random.random() < 0.3 else random.random() < p)
        groups.append(Counter({("a", "b"): float(wins), ("b", "a"): 2.0 - wins}))
    rating = ratings(("a", "b"), groups)["a"]
    return rating.low, rating.high, SCALE * log(p / (1 - p)) / 2


HEAVY = {value: 1 / (value + 1) ** 1.5 for value in range(121)}
RARE, TWO_ENDS = {0: 0.99, 100: 0.01}, {-200: 0.01, 20: 0.98, 100: 0.01}
SURE, OPEN = (0, 0, 0.01, 0.9, 0.09, 0), (0, 0.05, 0.45, 0.4, 0.1, 0)
QUICK = {
    proportion: [(p, n) for p in (0.0, 0.002, 0.5, 0.99) for n in (1, 20, 1000)],
    mean: [(d, n) for d in (RARE, TWO_ENDS, HEAVY) for n in (1, 20, 1000)],
    scored: [(o, kind, n) for o in ("win", "points") for kind in (0, 1) for n in (1, 20)],
    fidelity_part: [(o, p, n) for o in (8, 300) for p in (0.3, 0.9, 1.0) for n in (20, 1000)],
    game_value: [(1,), (20,), (100,)],
    bid: [(levels, n) for levels in (SURE, OPEN) for n in (1, 20, 100)],
    recommended: [(20,), (500,)],
    training: [(0.02,), (0.5,)],
}
SLOW = {
    bayesian: [
        *((p, {"error": 0.01}, 1.0) for p in (0.0, 0.001, 0.05, 0.5, 0.997)),
        *((p, {"error": 0.05, "noisy": True}, 0.9) for p in (0.0, 0.02, 0.4)),
    ],
    counting: [(0.0,), (0.01,), (0.4,)],
    strength: [(p, n) for p in (0.5, 0.95) for n in (5, 60)],
}


def share_held(draw, runs):
    """Return in which share of all runs an interval holds the truth."""
    held = 0
    for run in range(runs):
        low, high, truth = draw(np.random.default_rng([1, run]))
        held += low - EDGE <= truth <= high + EDGE
    return held / runs


def check(kind, situations, runs):
    allowed = HOLDS - 2 * sqrt(HOLDS * (1 - HOLDS) / runs)
    for situation in situations:
        share = share_held(partial(kind, *situation), runs)
        assert share >= allowed, (situation, share)


@pytest.mark.parametrize("runs", [FEWER_RUNS, pytest.param(RUNS, marks=pytest.mark.full)])
@pytest.mark.parametrize("kind", QUICK)
def test_an_interval_holds(kind, runs):
    check(kind, QUICK[kind], runs)


@pytest.mark.full
@pytest.mark.parametrize("kind", SLOW)
def test_an_interval_that_takes_long_holds(kind):
    check(kind, SLOW[kind], SLOW_RUNS)


def test_the_normal_interval_of_rare_values_fails():
    def normal(random):
        shots = 100 * (random.random(20) < 0.01)
        half = 1.96 * shots.std(ddof=1) / sqrt(20)
        return shots.mean() - half, shots.mean() + half, 1.0

    assert share_held(normal, RUNS) < HOLDS / 2
