"""Training: a best response by exact gradients, and an equilibrium by regrets, seat by seat."""

from collections.abc import Callable

import numpy as np
from attrs import frozen

from games.trick_taking.training.adam import Adam
from games.trick_taking.training.policy import (
    normalised,
    softmax,
    softmax_slope,
    uniform,
)
from games.trick_taking.training.response import gains, side
from games.trick_taking.training.tree import Flags, Floats, Tree
from games.trick_taking.training.value import reaches, slopes, value

BEST_RESPONSE, EQUILIBRIUM = "best-response", "equilibrium"
OBJECTIVES = (BEST_RESPONSE, EQUILIBRIUM)
RATE = 0.3
"""How far the first step of a gradient training moves each parameter."""
START = 0.1
"""Standard deviation of the parameters, or least regrets, that a training begins with."""
LEAST = 1e-9
"""Weights that a training goes on from are at least so large, so that each can grow again."""
EARLY, LOOKS = 20, 60
"""A training is looked at after each early step, and then so often."""

Say = Callable[[str], None]


@frozen(eq=False)
class Task:
    """Options of a training.

    Args:
        objective: one of `OBJECTIVES`.
        seat: who learns a best response, or whose weights are shown of an equilibrium.
        steps: number of times that weights are moved.
        start: the probability of every choice at the beginning; None for equal ones.
        shots: of each circuit; 0 where all probabilities are computed.
    """

    objective: str
    seat: int
    steps: int
    start: Floats | None = None
    shots: int = 0


@frozen(eq=False)
class Look:
    """State of a training after a number of steps.

    Args:
        step: number of steps.
        chances: of every choice; in an equilibrium the mean of all steps.
        won: the party's exact P(win) with them.
        gains: what each seat alone could gain; see `games.trick_taking.training.response.gains`.
        measured: P(win) among the legal shots, or what is computed in their place.
    """

    step: int
    chances: Floats
    won: float
    gains: tuple[float, ...]
    measured: float


def look_at(tree: Tree, step: int, chances: Floats, measured: float | None = None) -> Look:
    """Return the state of a training.

    Args:
        tree: the game.
        step: number of steps.
        chances: of every choice.
        measured: P(win) among the legal shots; None for the exact one.
    """
    won = value(tree, chances)
    return Look(step, chances, won, gains(tree, chances), won if measured is None else measured)


class RegretMatching:
    """Predictive regret matching, seat by seat.

    A card's weight is what it would have won more in all steps than what was played, the last step
    counted twice, never below 0. The result is the mean over the steps, step t with weight t², of
    weights times how probably the seat itself plays towards them.

    Args:
        tree: the game.
        current: the probability of every choice in the first step.
        first: regrets at the beginning, up to a factor.

    References:
        Farina, Kroer and Sandholm, Faster Game Solving via Predictive Blackwell Approachability,
        AAAI 2021; Tammelin, Solving Large Imperfect Information Games Using CFR+, 2014.
    """

    def __init__(self, tree: Tree, current: Floats, first: Floats) -> None:
        self._tree, self.current = tree, current
        self._regrets = START * first / tree.choices
        self._last, self._total = np.zeros(tree.choices), np.zeros(tree.choices)

    def plan(self, own: Flags) -> Floats:
        """Choose the weights of a seat for the next step, and return those of all seats."""
        planned = normalised(self._tree, np.maximum(self._regrets + self._last, 0.0))
        self.current = np.where(own, planned, self.current)
        return self.current

    def learn(self, step: int, own: Flags, worth: Floats) -> None:
        """Add the regrets of a seat.

        Args:
            step: its number, from 1.
            own: the choices of the seat.
            worth: of each of them for the seat's side, as if the seat played towards it.
        """
        tree, current = self._tree, self.current
        regret = worth - tree.sums(current * worth)
        self._regrets = np.where(own, np.maximum(self._regrets + regret, 0.0), self._regrets)
        self._last = np.where(own, regret, self._last)
        reach = own_reach(tree, current, own)
        self._total += np.where(own, step**2 * reach * current, 0.0)

    @property
    def mean(self) -> Floats:
        """The mean of all steps."""
        return normalised(self._tree, self._total)


def learn_response(
    tree: Tree, seat: int, steps: int, seed: int, say: Say, *, start: Floats | None = None
) -> list[Look]:
    """Train one seat's weights against those of the others, by exact gradients of P(win).

    The weights are a softmax of parameters θ (`policy.softmax`).

    Args:
        tree: the game.
        seat: who learns; the others' weights stay as they are.
        steps: how often the parameters are moved.
        seed: of the parameters at the beginning, if there is no start.
        say: takes a line of progress.
        start: the probability of every choice at the beginning; None for equal ones of the others,
            and nearly equal ones of the seat.
    """
    own = tree.seats == seat
    if start is None:
        others = uniform(tree)
        parameters = np.where(own, np.random.default_rng(seed).normal(0, START, tree.choices), 0.0)
    else:
        others = start
        parameters = np.where(own, np.log(np.maximum(start, LEAST)), 0.0)
    adam = Adam(tree.choices)
    chances = np.where(own, softmax(tree, parameters), others)
    looks = [look_at(tree, 0, chances)]
    for step in range(1, steps + 1):
        slope = softmax_slope(tree, chances, slopes(tree, chances, chances))
        wanted = np.where(own, side(tree, seat) * slope, 0.0)
        parameters = parameters + RATE * adam.direction(wanted)
        chances = np.where(own, softmax(tree, parameters), others)
        if _is_looked_at(step, steps):
            looks.append(look_at(tree, step, chances))
            say(_message(looks[-1], steps))
    return looks


def learn_equilibrium(
    tree: Tree, steps: int, seed: int, say: Say, *, start: Floats | None = None
) -> list[Look]:
    """Train all seats' weights in turn, each against what the others do at that step.

    In games of two seats `RegretMatching` tends to an equilibrium. With three it need not: the
    partners of a party see different cards, and only what single seats could gain is known of the
    result.

    Args:
        tree: the game.
        steps: how often each seat's weights are moved.
        seed: of the regrets at the beginning, if there is no start.
        say: takes a line of progress.
        start: the probability of every choice in the first step. What was regretted before it is
            not known, so that the mean begins anew.
    """
    seats = [tree.seats == seat for seat in range(tree.game.players)]
    first = np.random.default_rng(seed).random(tree.choices) if start is None else start
    matching = RegretMatching(tree, uniform(tree) if start is None else start, first)
    looks = [look_at(tree, 0, matching.current)]
    for step in range(1, steps + 1):
        for seat, own in enumerate(seats):
            current = matching.plan(own)
            worth = side(tree, seat) * slopes(tree, current, np.where(own, 1.0, current))
            matching.learn(step, own, worth)
        if _is_looked_at(step, steps):
            looks.append(look_at(tree, step, matching.mean))
            say(_message(looks[-1], steps))
    return looks


def own_reach(tree: Tree, chances: Floats, own: Flags) -> Floats:
    """Return how probably a seat plays towards each of its choices, whatever the others do."""
    found = np.zeros(tree.choices)
    reached = reaches(tree, np.where(own, chances, 1.0))
    for level, before in zip(tree.levels, reached[:-1], strict=True):
        # The same at all nodes of an information set, as a seat forgets nothing.
        found[level.choices] = before[level.parents] * tree.deals
    return found


def _is_looked_at(step: int, steps: int) -> bool:
    return step <= EARLY or step * LOOKS // steps > (step - 1) * LOOKS // steps


def _message(look: Look, steps: int) -> str:
    return f"step {look.step} of {steps}: P(win) {look.won:.6f}"
