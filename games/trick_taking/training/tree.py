"""A small game as arrays: every deal, every way to play it, and the information sets.

All seats know the facts of the game's file. A seat also sees its own hand and the cards that
were played, in order, and thus the leaders: an *information set* is a seat's view at its turn.
A *choice* is a card that may then be played.
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from math import factorial, prod

import numpy as np
from attrs import evolve, frozen
from numpy.typing import NDArray

from compiler.errors import GameTooLargeError
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.play.enumeration import Dealing
from games.trick_taking.play.positions import Moves, State, members

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
Node = tuple[State, tuple[int, ...]]

MAX_PATHS = 100_000
"""Maximum number of deals times plays, which every step of a training processes in memory."""


@frozen
class Information:
    """A seat's view at its turn, and its choices.

    Args:
        seat: the seat to move.
        hand: its cards, as places in the deck.
        seen: the cards played so far, in order, without those that lay open at the beginning.
        cards: its legal cards, ascending.
        first: the number of its first choice; the others follow in the order of `cards`.
    """

    seat: int
    hand: tuple[int, ...]
    seen: tuple[int, ...]
    cards: tuple[int, ...]
    first: int


@frozen(eq=False)
class Level:
    """The nodes after a number of plays.

    Args:
        parents: parent of each node in the level before.
        choices: the choice that leads from there to it.
        information: the numbers of the information sets of these choices.
    """

    parents: Integers
    choices: Integers
    information: range


@frozen(eq=False)
class Tree:
    """All of a game.

    Args:
        game: the game, whose lead is free.
        deals: number of deals, equally likely: the nodes before the first play.
        levels: the nodes after each play.
        wins: 1 for every node of the last level with which the party wins, else 0.
        outcomes: outcome of every node of the last level; see `games.game.Game`.
        information: all information sets, those of earlier plays first.
    """

    game: TrickTakingGame
    deals: int
    levels: tuple[Level, ...]
    wins: Floats
    outcomes: tuple[int, ...]
    information: tuple[Information, ...]

    @cached_property
    def sizes(self) -> Integers:
        """Choices of each information set."""
        return np.array([len(item.cards) for item in self.information], dtype=np.int64)

    @cached_property
    def firsts(self) -> Integers:
        """The first choice of each information set."""
        return np.array([item.first for item in self.information], dtype=np.int64)

    @property
    def choices(self) -> int:
        """Number of all choices."""
        return int(self.sizes.sum())

    @cached_property
    def owners(self) -> Integers:
        """The information set of each choice."""
        return np.repeat(np.arange(len(self.information)), self.sizes)

    @cached_property
    def seats(self) -> Integers:
        """The seat of each choice."""
        return np.array([item.seat for item in self.information], dtype=np.int64)[self.owners]

    def sums(self, numbers: Floats) -> Floats:
        """Return, for each choice, the sum over all choices of its information set."""
        totals: Floats = np.add.reduceat(numbers, self.firsts)
        return totals[self.owners]


def added(places: Integers, numbers: Floats, size: int) -> Floats:
    """Return `size` sums, in which `numbers[i]` is added at `places[i]`."""
    return np.asarray(np.bincount(places, numbers, minlength=size), dtype=np.float64)


def tree_of(game: TrickTakingGame) -> Tree:
    """Return all deals and plays of a game; a first card that it may fix is free here.

    Raises:
        GameTooLargeError: if there are too many.
    """
    game = evolve(game, first_card=None)
    paths = game.deal_count * prod(map(factorial, game.hands[: game.players]))
    if paths > MAX_PATHS:
        raise GameTooLargeError(
            f"{game.name}: {game.deal_count:,} deals with up to {paths // game.deal_count:,} ways "
            f"to play each are too many to go through (at most {MAX_PATHS:,} together); make more "
            "cards known, or play fewer"
        )
    moves = Moves(game)
    nodes: list[Node] = [(moves.start(deal), ()) for deal in Dealing(game).all()]
    deals = len(nodes)
    levels, information = [], list[Information]()
    for _ in range(sum(game.hands[: game.players])):
        level, nodes, sets = _played(moves, nodes, information)
        levels.append(level)
        information.extend(sets)
    outcomes = tuple(
        game.outcome(tuple(owner for owner, _ in moves.position(state))) for state, _ in nodes
    )
    wins = np.array([game.is_win(outcome) for outcome in outcomes], dtype=np.float64)
    return Tree(game, deals, tuple(levels), wins, outcomes, tuple(information))


def _played(
    moves: Moves, nodes: list[Node], before: list[Information]
) -> tuple[Level, list[Node], list[Information]]:
    """Return the level after one more play, its nodes, and the information sets of that play."""
    sets: dict[tuple[int, int, tuple[int, ...]], Information] = {}
    free = before[-1].first + len(before[-1].cards) if before else 0
    parents, choices, following = [], [], list[Node]()
    for parent, (state, seen) in enumerate(nodes):
        seat = moves.seat(state)
        after = moves.plays(state)
        key = seat, state.hands[seat], seen
        if key not in sets:
            cards = tuple(state_.table[-1] for state_ in after)
            sets[key] = Information(seat, members(state.hands[seat]), seen, cards, free)
            free += len(cards)
        for place, state_ in enumerate(after):
            card = state_.table[-1]
            parents.append(parent)
            choices.append(sets[key].first + place)
            full = len(state_.table) == moves.players
            following.append((moves.take(state_) if full else state_, (*seen, card)))
    numbers = range(len(before), len(before) + len(sets))
    level = Level(np.array(parents, np.int64), np.array(choices, np.int64), numbers)
    return level, following, list(sets.values())


def uniform(tree: Tree) -> Floats:
    """Return the probabilities of the papers' card plays: all legal cards are equally likely."""
    return 1.0 / tree.sizes[tree.owners]


def softmax(tree: Tree, parameters: Floats) -> Floats:
    """Return p_c = exp θ_c / Σ exp θ over the choices of each information set.

    Args:
        tree: the game.
        parameters: θ, any number for every choice.
    """
    highest = np.maximum.reduceat(parameters, tree.firsts)[tree.owners]
    powers = np.exp(parameters - highest)
    return powers / tree.sums(powers)


def softmax_slope(tree: Tree, chances: Floats, slopes: Floats) -> Floats:
    """Return dV/dθ_c = p_c (dV/dp_c − Σ p dV/dp) for the parameters of `softmax`.

    Args:
        tree: the game.
        chances: p of every choice.
        slopes: dV/dp of every choice.
    """
    return chances * (slopes - tree.sums(chances * slopes))


def normalised(tree: Tree, weights: Floats) -> Floats:
    """Return probabilities in the ratio of weights ≥ 0, equal ones where all of them are 0."""
    totals = tree.sums(weights)
    empty = totals == 0
    return np.where(empty, uniform(tree), weights / np.where(empty, 1.0, totals))


SAME = 1e-12
"""Smallest difference of values that counts."""


def reaches(tree: Tree, chances: Floats) -> list[Floats]:
    """Return the probability of every node, level by level, from the deals on.

    Args:
        tree: the game.
        chances: of every choice; with 1 for those of a seat, the *counterfactual* reach: as if
            that seat played towards the node.
    """
    result = [np.full(tree.deals, 1.0 / tree.deals)]
    for level in tree.levels:
        result.append(result[-1][level.parents] * chances[level.choices])
    return result


def back(level: Level, chances: Floats, values: Floats, parents: int) -> Floats:
    """Return the values of the nodes before a play, from those of the nodes after it."""
    return added(level.parents, chances[level.choices] * values, parents)


def slopes(tree: Tree, chances: Floats, towards: Floats) -> Floats:
    """Return the value of every choice: Σ over its nodes of (reach before it) · (value after it).

    Args:
        tree: the game.
        chances: probability of every choice in the rest of the game.
        towards: probability of every choice on the way to a node. With `chances` itself, the
            result is dV/dp; with 1 for the choices of a seat, its counterfactual values.
    """
    reached = reaches(tree, towards)
    values = tree.wins
    result = np.zeros(tree.choices)
    for level, before in zip(reversed(tree.levels), reversed(reached[:-1]), strict=True):
        result += added(level.choices, before[level.parents] * values, tree.choices)
        values = back(level, chances, values, before.size)
    return result


def value(tree: Tree, chances: Floats) -> float:
    """Return the party's P(win)."""
    return float(reaches(tree, chances)[-1] @ tree.wins)


def where_it_matters(tree: Tree, chances: Floats, seat: int) -> Floats:
    """Return probabilities with the same P(win), equal ones where a seat's cards are equally good.

    Probabilities that are 0 up to rounding become 0.

    All nodes of an information set share the seat's earlier plays. So the values of its other
    choices do not change.

    Args:
        tree: the game.
        chances: probability of every choice.
        seat: seat whose probabilities may change.
    """
    own = tree.seats == seat
    # As if the seat played towards each choice: it may reach sets that it does not reach now.
    worth = slopes(tree, chances, np.where(own, 1.0, chances))
    even = 1.0 / tree.sizes[tree.owners]
    apart = np.abs(worth - tree.sums(worth) * even) > SAME
    chances = np.where(chances < SAME, 0.0, chances)
    return np.where(own & (tree.sums(apart.astype(float)) == 0), even, chances)


def exact_value(tree: Tree, chances: Sequence[Fraction]) -> Fraction:
    """Return the party's P(win) as a fraction.

    Args:
        tree: the game.
        chances: probability of every choice.
    """
    values = [Fraction(int(win)) for win in tree.wins]
    before = [tree.deals, *(level.parents.size for level in tree.levels[:-1])]
    for level, nodes in zip(reversed(tree.levels), reversed(before), strict=True):
        earlier = [Fraction(0)] * nodes
        for parent, choice, won in zip(
            level.parents.tolist(), level.choices.tolist(), values, strict=True
        ):
            earlier[parent] += chances[choice] * won
        values = earlier
    return sum(values, Fraction(0)) / tree.deals
