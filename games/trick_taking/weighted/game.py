"""A game of tricks in which every legal card has a weight of its own."""

from collections.abc import Mapping
from functools import cached_property, lru_cache
from math import inf

import numpy as np
from attrs import evolve, field, frozen

from compiler.circuits.tolerances import ROUNDING
from compiler.errors import GameError, InputError
from compiler.judge import from_part
from games.game import Game
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.training.tree import Floats, Tree, normalised, reaches, tree_of, uniform

KEPT_TREES = 8
"""Number of games whose trees are cached."""


def _with_free_lead(rules: TrickTakingGame) -> TrickTakingGame:
    return evolve(rules, first_card=None)


def _checked(game: "WeightedGame", _: object, weights: tuple[float, ...]) -> None:
    if len(weights) != game.tree.choices:
        raise GameError(f"{len(weights)} weights: the game has {game.tree.choices} choices")
    # NaN is not at least 0 either.
    if wrong := [weight for weight in weights if not 0 <= weight < inf]:
        raise GameError(f"weight {wrong[0]}: must be 0 or more, and finite")


@frozen(cache_hash=True, slots=False)
class WeightedGame(Game):
    """CP(w): a seat plays each legal card with a probability that depends on its observations.

    Args:
        name: name of the game.
        rules: the game; a first card that it fixes is free here.
        weights: a number ≥ 0 for every choice of `tree`; in each information set their ratio
            counts, and if all of them are 0, they are equal.

    Raises:
        GameError: if there are too few weights, or too many, or one is below 0.
        GameTooLargeError: if the game has too many deals and plays.
    """

    name: str
    rules: TrickTakingGame = field(converter=_with_free_lead)
    weights: tuple[float, ...] = field(validator=_checked)
    encodings_need = (
        "cards with weights are encoded in whole games, if few enough deals and plays lie before "
        "each play"
    )

    @property
    def tree(self) -> Tree:
        """All deals and plays."""
        return kept_tree(self.rules)

    @cached_property
    def chances(self) -> Floats:
        """The probability of every choice of `tree`."""
        return normalised(self.tree, np.array(self.weights))

    @property
    def title(self) -> str:
        """One line for lists."""
        return f"{self.rules.title}, cards with weights"

    reading = from_part("rules.reading")
    legend = from_part("rules.legend")
    axes = from_part("rules.axes")
    observables = from_part("rules.observables")
    outcome_bits = from_part("rules.outcome_bits")
    is_legal = from_part("rules.is_legal")
    describe = from_part("rules.describe")

    @property
    def counts(self) -> Mapping[str, int]:
        """The number of deals, and of weights."""
        return {**self.rules.counts, "weights": self.tree.choices}

    @property
    def branches(self) -> int:
        """The number of deals."""
        return self.tree.deals

    def exact_distribution(self) -> Mapping[int, float]:
        """Return the exact distribution of the final owners, 0 left out; see `Game`."""
        result: dict[int, float] = {}
        ends = reaches(self.tree, self.chances)[-1]
        for outcome, chance in zip(self.tree.outcomes, ends.tolist(), strict=True):
            if chance:
                result[outcome] = result.get(outcome, 0.0) + chance
        return result


def start_of(game: Game) -> Floats | None:
    """Return the probabilities that a training goes on from, None if all are equal."""
    if not isinstance(game, WeightedGame):
        return None
    return None if np.allclose(game.chances, uniform(game.tree), atol=ROUNDING) else game.chances


@lru_cache(KEPT_TREES)
def kept_tree(rules: TrickTakingGame) -> Tree:
    """Return all deals and plays of a game; see `tree_of`."""
    return tree_of(rules)


def unweighted(game: Game) -> TrickTakingGame:
    """Return a game of tricks whose cards have no weights.

    Raises:
        InputError: if it is another game, or its cards have weights.
    """
    if isinstance(game, WeightedGame):
        raise InputError(
            f"{game.name}: its cards have weights, which this command does not take; leave out "
            '[[weights]], and write game = "skat"'
        )
    if not isinstance(game, TrickTakingGame):
        raise InputError(f"{game.name}: no game of tricks; see 'stichwerk games'")
    return game
