"""Weights of plays: a probability for every choice, which add up to 1 in an information set."""

import numpy as np

from games.trick_taking.training.tree import Floats, Tree


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
