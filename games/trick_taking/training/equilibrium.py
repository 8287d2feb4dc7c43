"""Equilibrium by measurements of circuits: the seats learn in turn."""

from collections.abc import Sequence
from math import pi

import numpy as np

from games.training import Say
from games.trick_taking.rules.setup import seat_name
from games.trick_taking.training.learning import (
    Look,
    RegretMatching,
    Task,
    look_at,
    own_reach,
    side,
)
from games.trick_taking.training.shifts import (
    Angle,
    Distribution,
    Measure,
    angles_of,
    bits_of,
    shifted,
    turned,
    win_chance,
)
from games.trick_taking.training.tree import Floats, uniform
from games.trick_taking.weighted.encoding import Layout, choices_of, won

TINY = 1e-300
"""Replaces 0 as the divisor of a zero numerator or an unused quotient."""


def learn_equilibrium(layout: Layout, task: Task, measure: Measure, say: Say) -> list[Look]:
    """Train all seats' weights in turn, as `games.trick_taking.training.learning` does exactly.

    Shifts of a seat's coins from even ones measure the win of each of its cards (`worth`),
    independent of the seat's earlier plays. A step's weights are those of `RegretMatching`. The
    result is the mean over the steps, and the looks are at its P(win).

    Args:
        layout: the bits of the game.
        task: the training task.
        measure: runs circuits: one to look at P(win) after every step, and for each seat in turn
            those of `asked_of`.
        say: takes a line of progress.
    """
    tree, steps, start = layout.tree, task.steps, task.start
    begun = uniform(tree) if start is None else start
    matching, mean = RegretMatching(tree, begun, begun), begun
    looks = []

    def look(step: int, measured: Distribution) -> Look:
        chance = win_chance(layout, measured)
        say(f"step {step} of {steps}: P(win) of the mean measured {chance:.4f}")
        return look_at(tree, step, mean, chance)

    for step in range(1, steps + 1):
        for place, learner in enumerate(_learners(layout)):
            own = tree.seats == learner
            current = matching.plan(own)
            if place:
                say(f"step {step} of {steps}: {seat_name(learner)} learns")
            # The look at the step before shares a batch with the first seat.
            first = [] if place else [mean]
            measured = measure([*first, *asked_of(layout, learner, current)])
            if first:
                looks.append(look(step - 1, measured[0]))
            slopes_ = worth(layout, learner, current, measured[len(first) :])
            matching.learn(step, own, side(tree, learner) * slopes_)
        mean = matching.mean
    (end,) = measure([mean])
    return [*looks, look(steps, end)]


def equilibrium_circuits(layout: Layout, task: Task) -> int:
    """Return the number of circuits of a training, which is known beforehand."""
    shifts = sum(2 * len(bits_of(angles_of(layout, learner))) for learner in _learners(layout))
    return task.steps * (1 + shifts) + 1


def _learners(layout: Layout) -> list[int]:
    """Return the seats that ever have a choice."""
    return [seat for seat in range(layout.tree.game.players) if angles_of(layout, seat)]


def asked_of(layout: Layout, seat: int, chances: Floats) -> list[Floats]:
    """Return the probabilities of all choices that `worth` is measured with.

    For each play of the seat in which it may have a choice, all its coins up to that play are made
    even, θ = π/2, and each bit of the play is shifted by ±π/2, so that it is 1, or 0, for certain.

    Args:
        layout: the bits of the game.
        seat: the seat.
        chances: probability of every choice, by which the seat plays on, and all others play.
    """
    return [
        shift for level, upto in _plays(layout, seat) for shift in _shifts(level, upto, chances)
    ]


def worth(layout: Layout, seat: int, chances: Floats, measured: Sequence[Distribution]) -> Floats:
    """Return the value of every choice of a seat as if the seat played towards it.

    These are the counterfactual values, `value.slopes` with 1 for the choices of the seat. Half
    the difference of two shifts is the slope of P(win) along even coins. Grouped by the cards that
    were played, the same shots give the win of each card, because the seat's own probability of
    playing towards it is known, and never small. A card's value is the share of its games that
    are won. The probability of these games is taken from all cards of its information set
    together.

    Args:
        layout: the bits of the game.
        seat: the seat; the choices of other seats, and unobserved choices, get 0.
        chances: as given to `asked_of`.
        measured: results of the circuits of `asked_of`, in its order.
    """
    tree = layout.tree
    wins, own = won(layout), tree.seats == seat
    result, distributions = np.zeros(tree.choices), iter(measured)
    for level, upto in _plays(layout, seat):
        seen, winning, reached = np.zeros((3, tree.choices))
        shifts = _shifts(level, upto, chances)
        for tried in shifts:
            towards, here = own_reach(tree, tried, own), np.zeros(tree.choices)
            for bits, chance in next(distributions).items():
                choices = choices_of(layout, bits)
                assert choices is not None, "only legal values are measured"
                here[choices[level]] += chance
                winning[choices[level]] += chance * wins[bits]
            seen += here
            reached += here / np.where(towards > 0, towards, 1.0) / len(shifts)
        # A card that was never seen is thought to be as good as the others.
        together = tree.sums(winning) / np.maximum(tree.sums(seen), TINY)
        share = np.where(seen > 0, winning / np.maximum(seen, TINY), together)
        result += np.where(own, tree.sums(reached) * share, 0.0)
    return result


def _plays(layout: Layout, seat: int) -> list[tuple[int, list[Angle]]]:
    """Return each play in which the seat has coins, with all its coins up to there."""
    angles = angles_of(layout, seat)
    levels = sorted({angle.level for angle in angles})
    return [(level, [angle for angle in angles if angle.level <= level]) for level in levels]


def _shifts(level: int, upto: Sequence[Angle], chances: Floats) -> list[Floats]:
    even = np.full(len(upto), pi / 2)
    before = turned(upto, even, chances)
    here = [angle for angle in upto if angle.level == level]
    return shifted(here, even[: len(here)], before)
