"""An equilibrium by what circuits measure: all seats learn in turn."""

import numpy as np

from games.training import Say
from games.trick_taking.rules.steps import seat_name
from games.trick_taking.training.learning import START, own_reach
from games.trick_taking.training.on_backends.angles import angles_of, bits_of
from games.trick_taking.training.on_backends.looks import Look
from games.trick_taking.training.on_backends.shifts import Distribution, Measure, win_chance
from games.trick_taking.training.on_backends.wanted import Wanted
from games.trick_taking.training.on_backends.worth import asked_of, worth
from games.trick_taking.training.policy import normalised, uniform
from games.trick_taking.training.response import side
from games.trick_taking.training.value import value
from games.trick_taking.weighted.layout import Layout


def learn_equilibrium(layout: Layout, wanted: Wanted, measure: Measure, say: Say) -> list[Look]:
    """Train all seats' weights in turn, as `games.trick_taking.training.learning` does exactly.

    What each card of a seat would win, whatever the seat has played before, is measured by
    shifts of its coins from even ones (`worth`). A step's weights are those of predictive regret
    matching, and the result is the mean over the steps, whose P(win) is what is looked at.

    Args:
        layout: the bits of the game.
        wanted: what is trained.
        measure: runs circuits: one to look at P(win) after every step, and for each seat in turn
            those of `worth.asked_of`.
        say: takes a line of progress.
    """
    tree, steps, start = layout.tree, wanted.steps, wanted.start
    current = uniform(tree) if start is None else start
    regrets = START * current / tree.choices
    last, total = np.zeros(tree.choices), np.zeros(tree.choices)
    mean = current
    looks = []

    def look(step: int, measured: Distribution) -> Look:
        found = win_chance(layout, measured)
        say(f"step {step} of {steps}: P(win) of the mean measured {found:.4f}")
        return Look(step, mean, value(tree, mean), found)

    for step in range(1, steps + 1):
        for place, learner in enumerate(_learners(layout)):
            own = tree.seats == learner
            planned = normalised(tree, np.maximum(regrets + last, 0.0))
            current = np.where(own, planned, current)
            if place:
                say(f"step {step} of {steps}: {seat_name(learner)} learns")
            # The look at what the step before has come to is asked for with the first seat's.
            first = [] if place else [mean]
            measured = measure([*first, *asked_of(layout, learner, current)])
            if first:
                looks.append(look(step - 1, measured[0]))
            found = worth(layout, learner, current, measured[len(first) :])
            gained = side(tree, learner) * found
            regret = np.where(own, gained - tree.sums(current * gained), 0.0)
            regrets, last = np.maximum(regrets + regret, 0.0), np.where(own, regret, last)
            total += np.where(own, step**2 * own_reach(tree, current, own) * current, 0.0)
        mean = normalised(tree, total)
    (end,) = measure([mean])
    return [*looks, look(steps, end)]


def equilibrium_circuits(layout: Layout, wanted: Wanted) -> int:
    """Return how many circuits a training runs, all of which are known beforehand."""
    shifts = sum(2 * len(bits_of(angles_of(layout, one))) for one in _learners(layout))
    return wanted.steps * (1 + shifts) + 1


def _learners(layout: Layout) -> list[int]:
    """Return the seats that ever have a choice."""
    return [seat for seat in range(layout.tree.game.players) if angles_of(layout, seat)]
