"""Training: a best response by exact gradients, and an equilibrium by regrets, seat by seat."""

import numpy as np
from attrs import frozen

from games.training import Say
from games.trick_taking.training.tree import (
    Flags,
    Floats,
    Level,
    Tree,
    added,
    back,
    normalised,
    reaches,
    slopes,
    softmax,
    softmax_slope,
    uniform,
    value,
)

MEMORY, SQUARES_MEMORY = 0.9, 0.999


class Adam:
    """Turns gradients, one after the other, into directions of about the same length.

    Args:
        size: number of parameters.

    References:
        Kingma and Ba, Adam, ICLR 2015, algorithm 1.
    """

    def __init__(self, size: int) -> None:
        self._mean, self._square, self._steps = np.zeros(size), np.zeros(size), 0

    def direction(self, gradient: Floats) -> Floats:
        """Return where to go: at most about 1 for each parameter, uphill."""
        self._steps += 1
        self._mean = MEMORY * self._mean + (1 - MEMORY) * gradient
        self._square = SQUARES_MEMORY * self._square + (1 - SQUARES_MEMORY) * gradient**2
        size = np.sqrt(self._square / (1 - SQUARES_MEMORY**self._steps))
        # Where nothing was ever to gain, nothing moves.
        moved: Floats = self._mean / (1 - MEMORY**self._steps) / np.where(size > 0, size, 1.0)
        return moved


def side(tree: Tree, seat: int) -> int:
    """Return 1 for a seat of the party, which wants it to win, and −1 for its opponents."""
    return 1 if seat in tree.game.party else -1


def best_response(tree: Tree, chances: Floats, seat: int) -> Floats:
    """Return the probabilities of a seat's best play against all others.

    Backward induction over its information sets: a seat forgets nothing, so its later plays are
    settled before an earlier choice. Among equally good cards it takes the first.

    Args:
        tree: the game.
        chances: probability of every choice; those of the seat are ignored.
        seat: the seat.
    """
    answered = chances.copy()
    own = tree.seats == seat
    reached = reaches(tree, np.where(own, 1.0, chances))
    values = tree.wins
    for level, before in zip(reversed(tree.levels), reversed(reached[:-1]), strict=True):
        worth = added(level.choices, before[level.parents] * values, tree.choices)
        place, best = _best(tree, level, side(tree, seat) * worth)
        answered[place] = np.where(own[place], best, answered[place])
        values = back(level, answered, values, before.size)
    return answered


def gains(tree: Tree, chances: Floats) -> tuple[float, ...]:
    """Return the possible gain of each seat alone in its side's P(win).

    Where all of them are 0, the weights are a Nash equilibrium. In a game of two seats they add up
    to the exploitability: the value of the game lies between P(win) minus the gain of the party's
    opponent and P(win) plus the party's gain.
    """
    won = value(tree, chances)
    return tuple(
        side(tree, seat) * (value(tree, best_response(tree, chances, seat)) - won)
        for seat in range(tree.game.players)
    )


def _best(tree: Tree, level: Level, worth: Floats) -> tuple[slice, Floats]:
    """Return which choices a level has, and 1 for the first best of each information set."""
    sizes = tree.sizes[level.information.start : level.information.stop]
    starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    first = tree.firsts[level.information.start]
    place = slice(int(first), int(first + sizes.sum()))
    here = worth[place]
    sets = np.repeat(np.arange(sizes.size), sizes)
    # Sorted by set, then from the best on, equal ones in the order of the cards.
    order = np.lexsort((-here, sets))
    chances = np.zeros(here.size)
    chances[order[starts]] = 1.0
    return place, chances


BEST_RESPONSE, EQUILIBRIUM = "best-response", "equilibrium"
OBJECTIVES = (BEST_RESPONSE, EQUILIBRIUM)
RATE = 0.3
"""Size of the first step of a gradient training for each parameter."""
START = 0.1
"""Standard deviation of the parameters, or least regrets, that a training begins with."""
MIN_WEIGHT = 1e-9
"""Weights that a training goes on from are at least so large, so that each can grow again."""
EARLY, LOOKS = 20, 60
"""A training is looked at after each early step, and then so often."""


@frozen(eq=False)
class Task:
    """Options of a training.

    Args:
        objective: one of `OBJECTIVES`.
        seat: seat of a best response, or seat whose weights an equilibrium shows.
        steps: number of times that weights are moved.
        start: the probability of every choice at the beginning; None for equal ones.
        shots: shots of each circuit; 0 where all probabilities are computed.
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
        chances: probability of every choice; in an equilibrium the mean of all steps.
        won: the party's exact P(win) with them.
        gains: possible gain of each seat alone; see `games.trick_taking.training.learning.gains`.
        measured: P(win) among the legal shots, or its computed value.
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
        chances: probability of every choice.
        measured: P(win) among the legal shots; None for the exact one.
    """
    won = value(tree, chances)
    return Look(step, chances, won, gains(tree, chances), won if measured is None else measured)


class RegretMatching:
    """Predictive regret matching, seat by seat.

    A card's weight is its regret: its win in excess of the actual play, summed over all steps, the
    last step counted twice, never below 0. The result is the mean over the steps, step t with
    weight t², of weights times the seat's own probability of playing towards them.

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
            step: number of the step, from 1.
            own: the choices of the seat.
            worth: value of each of them for the seat's side, as if the seat played towards it.
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
        seat: the learning seat; the others' weights stay as they are.
        steps: number of steps.
        seed: seed of the parameters at the beginning, if there is no start.
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
        parameters = np.where(own, np.log(np.maximum(start, MIN_WEIGHT)), 0.0)
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
    """Train all seats' weights in turn, each against the others' weights at that step.

    In games of two seats `RegretMatching` tends to an equilibrium. With three it need not: the
    partners of a party see different cards, and only the possible gains of single seats are known.

    Args:
        tree: the game.
        steps: number of steps of each seat.
        seed: seed of the regrets at the beginning, if there is no start.
        say: takes a line of progress.
        start: the probability of every choice in the first step. Its regrets are unknown, so the
            mean begins anew.
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
    """Return the seat's own probability of playing towards each of its choices."""
    result = np.zeros(tree.choices)
    reached = reaches(tree, np.where(own, chances, 1.0))
    for level, before in zip(tree.levels, reached[:-1], strict=True):
        # The same at all nodes of an information set, as a seat forgets nothing.
        result[level.choices] = before[level.parents] * tree.deals
    return result


def _is_looked_at(step: int, steps: int) -> bool:
    return step <= EARLY or step * LOOKS // steps > (step - 1) * LOOKS // steps


def _message(look: Look, steps: int) -> str:
    return f"step {look.step} of {steps}: P(win) {look.won:.6f}"
