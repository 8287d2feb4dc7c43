"""Weights as rotation angles, gradients by the parameter-shift rule, and equilibria from them."""

from collections.abc import Callable, Mapping, Sequence
from math import pi

import numpy as np
from attrs import frozen

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
from games.trick_taking.training.tree import Floats, reaches, uniform
from games.trick_taking.weighted.encoding import Layout, choices_of, won

Distribution = Mapping[int, float]
"""Probability by measured bits, of legal values alone."""

Measure = Callable[[Sequence[Floats]], Sequence[Distribution]]
"""Returns the measured distribution for each of several probabilities of all choices."""


@frozen
class Angle:
    """The angle θ of a coin, in one information set: a bit of the card's place is sin²(θ/2).

    Args:
        level: number of the play, from 0.
        bit: bit of the place.
        zero: the choices that agree on all higher bits, and have 0 there.
        one: choices that have 1 there.
    """

    level: int
    bit: int
    zero: range
    one: range


def angles_of(layout: Layout, seat: int) -> list[Angle]:
    """Return the angles of all choices of a seat: one less than cards in each information set."""
    result = []
    for turn in layout.turns:
        for number in sorted(set(turn.sets.values())):
            choice = layout.tree.information[number]
            if choice.seat != seat:
                continue
            end = choice.first + len(choice.cards)
            for bit in reversed(range(turn.bits)):
                for start in range(choice.first, end, 2 << bit):
                    middle = start + (1 << bit)
                    if middle < end:
                        upper = range(middle, min(end, start + (2 << bit)))
                        result.append(Angle(turn.level, bit, range(start, middle), upper))
    return result


def bits_of(angles: Sequence[Angle]) -> list[tuple[int, int]]:
    """Return the plays and bits that have angles; angles of one bit share their circuits."""
    return sorted({(angle.level, angle.bit) for angle in angles})


def thetas(angles: Sequence[Angle], chances: Floats) -> Floats:
    """Return the angles that give probabilities.

    Args:
        angles: angles of a seat.
        chances: probability of every choice.
    """
    zero = np.array([chances[angle.zero.start : angle.zero.stop].sum() for angle in angles])
    angle = np.array([chances[angle.one.start : angle.one.stop].sum() for angle in angles])
    return np.asarray(2 * np.arctan2(np.sqrt(angle), np.sqrt(zero)))


def turned(angles: Sequence[Angle], values: Floats, chances: Floats) -> Floats:
    """Return the probabilities that angles give: Π of cos²(θ/2) and sin²(θ/2).

    Args:
        angles: angles of a seat.
        values: θ of each of them, any number.
        chances: probability of every choice; those of other seats stay.
    """
    result = chances.copy()
    for each in angles:
        result[each.zero.start : each.one.stop] = 1.0
    for each, value in zip(angles, values.tolist(), strict=True):
        result[each.zero.start : each.zero.stop] *= np.cos(value / 2) ** 2
        result[each.one.start : each.one.stop] *= np.sin(value / 2) ** 2
    return result


def exact_measure(layout: Layout) -> Measure:
    """Return a function that computes the exact distribution from the tree."""

    def measure(points: Sequence[Floats]) -> Sequence[Distribution]:
        all_ends = (reaches(layout.tree, chances)[-1].tolist() for chances in points)
        return [{bits: ends[node] for bits, node in layout.ends.items()} for ends in all_ends]

    return measure


def win_chance(layout: Layout, measured: Distribution) -> float:
    """Return the party's P(win) in a measured distribution."""
    wins = won(layout)
    return sum(chance for bits, chance in measured.items() if wins[bits])


def shifted(angles: Sequence[Angle], values: Floats, chances: Floats) -> list[Floats]:
    """Return the probabilities of all choices that `gradient` is measured with.

    Args:
        angles: angles of a seat.
        values: θ of each.
        chances: probability of every choice; those of other seats are kept.
    """
    result = []
    for level_bit in bits_of(angles):
        here = [i for i, angle in enumerate(angles) if (angle.level, angle.bit) == level_bit]
        for sign in (1, -1):
            moved = values.copy()
            moved[here] += sign * pi / 2
            result.append(turned(angles, moved, chances))
    return result


def gradient(
    layout: Layout, angles: Sequence[Angle], measured: Sequence[Distribution]
) -> tuple[Floats, Floats]:
    """Return dP(win)/dθ of every angle, and the variance of each for one shot a circuit.

    No path of the game passes an angle twice, and coins are never undone. So P(win) is
    a + b cos θ + c sin θ in each of them, and its slope is (P(θ + π/2) - P(θ - π/2)) / 2. Angles of
    the same bit of the same play share their two circuits: a game passes at most one of them, the
    measured bits identify it, and all others cancel. On a circuit an angle is the sum, with
    signs, of the angles of several gates (see `compiler.synthesis.coin`), which move with it.

    Args:
        layout: the bits of the game.
        angles: angles of a seat.
        measured: results of the circuits of `shifted`: two for every bit of every play of the seat.
    """
    slopes, spread = np.zeros((2, len(angles)))
    wins = won(layout)
    distributions = iter(measured)
    for level, bit in bits_of(angles):
        here = [i for i, angle in enumerate(angles) if (angle.level, angle.bit) == (level, bit)]
        passed = {
            choice: i for i in here for choice in range(angles[i].zero.start, angles[i].one.stop)
        }
        for sign in (1, -1):
            for bits, chance in next(distributions).items():
                choices = choices_of(layout, bits)
                assert choices is not None, "only legal values are measured"
                if wins[bits] and choices[level] in passed:
                    slopes[passed[choices[level]]] += sign * chance / 2
                    # Wins are rare, so that their number varies by its root.
                    spread[passed[choices[level]]] += chance / 4
    return slopes, spread


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
