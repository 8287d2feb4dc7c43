"""A best response by gradients that are measured."""

import numpy as np

from games.training import Say
from games.trick_taking.training.adam import Adam
from games.trick_taking.training.learning import Look, Task, look_at
from games.trick_taking.training.on_backends.shifts import (
    Distribution,
    Measure,
    angles_of,
    bits_of,
    gradient,
    shifted,
    thetas,
    turned,
    win_chance,
)
from games.trick_taking.training.policy import uniform
from games.trick_taking.training.response import side
from games.trick_taking.weighted.layout import Layout

RATE = 0.4
"""How far, in radians, the first step moves each angle; later ones less and less."""
MARGIN = 0.2
"""Radians that a training which goes on keeps at first from 0 and π, where all slopes are 0."""
SURE = 3.0
"""Standard deviations by which what was measured of a slope must differ from 0."""


def learn_response(layout: Layout, task: Task, measure: Measure, say: Say) -> list[Look]:
    """Train one seat's weights against those of the others, by measured gradients of P(win).

    It begins with equal weights if there is no start; the angles of the coins (`angles.Angle`) are
    moved by Adam, in steps that shrink to nothing, and stay between 0 and π. An angle rests until
    its slopes, added up over the steps, stand out of the noise of the shots: a weight that nothing
    is known of stays equal, and takes no gate.

    Args:
        layout: the bits of the game.
        task: what is trained; the weights of other seats than that which learns stay.
        measure: runs circuits: one to look at P(win) after every step, and those of
            `shifts.gradient`.
        say: takes a line of progress.
    """
    tree, seat, steps, start = layout.tree, task.seat, task.steps, task.start
    angles = angles_of(layout, seat)
    together, spread = np.zeros((2, len(angles)))
    moves = np.zeros(len(angles), dtype=bool)
    begun, adam = uniform(tree) if start is None else start, Adam(len(angles))
    values = thetas(angles, begun)
    if start is not None:
        values = np.clip(values, MARGIN, np.pi - MARGIN)

    def look(step: int, measured: Distribution) -> Look:
        chances = turned(angles, values, begun)
        found = win_chance(layout, measured)
        say(f"step {step} of {steps}: P(win) measured {found:.4f}")
        return look_at(tree, step, chances, found)

    looks = []
    for step in range(steps):
        # Asked for together: none of them depends on what another one measures.
        asked = [turned(angles, values, begun), *shifted(angles, values, begun)]
        first, *rest = measure(asked)
        looks.append(look(step, first))
        slopes, noise = gradient(layout, angles, rest)
        together, spread = together + slopes, spread + noise
        # What is computed has no noise.
        error = np.sqrt(spread / task.shots) if task.shots else 0.0
        moves |= np.abs(together) > SURE * error
        direction = adam.direction(side(tree, seat) * np.where(moves, slopes, 0.0))
        rate = RATE * (1 - step / steps)
        values = np.clip(values + rate * direction, 0.0, np.pi)
    (last,) = measure([turned(angles, values, begun)])
    return [*looks, look(steps, last)]


def response_circuits(layout: Layout, task: Task) -> int:
    """Return how many circuits a training runs, all of which are known beforehand."""
    shifts = 2 * len(bits_of(angles_of(layout, task.seat)))
    return task.steps * (1 + shifts) + 1
