"""Result of a training: the weights of a seat, their P(win), and bounds of the best weights."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from attrs import frozen

from compiler.errors import InputError
from games.game import Game
from games.training import RunGames, Say
from games.trick_taking.training.backend_learning import (
    Backend,
    learn_exactly,
    learn_on,
)
from games.trick_taking.training.document import (
    BackendResult,
    InformationSet,
    TrainingDocument,
    TrainingStep,
)
from games.trick_taking.training.learning import (
    BEST_RESPONSE,
    Look,
    Task,
    best_response,
    learn_equilibrium,
    learn_response,
)
from games.trick_taking.training.tree import (
    Floats,
    Information,
    Tree,
    added,
    exact_value,
    reaches,
    slopes,
    uniform,
    value,
    where_it_matters,
)
from games.trick_taking.weighted.encoding import layout_of
from games.trick_taking.weighted.game import WeightedGame, start_of
from games.trick_taking.weighted.toml import weighted_toml


@frozen(eq=False)
class Training:
    """Result of a training.

    Args:
        tree: the game.
        task: options of the training.
        seed: seed of its beginning, or of the first circuit.
        looks: the training on its way, the last one its result.
        backends: trainings of the same weights: one without a backend, then the result, one on a
            backend; none if all is computed.
    """

    tree: Tree
    task: Task
    seed: int
    looks: Sequence[Look]
    backends: Sequence[BackendResult] = ()

    @property
    def last(self) -> Look:
        """The result."""
        return self.looks[-1]

    @cached_property
    def equal(self) -> Fraction:
        """P(win) if every seat plays legal cards at random, as the papers' circuits do."""
        return exact_value(self.tree, self._equal_weights())

    @cached_property
    def best(self) -> Fraction | float:
        """P(win) if the seat plays its best, and all others as at the beginning.

        A fraction if they play legal cards at random.
        """
        if self.task.start is not None:
            return value(self.tree, best_response(self.tree, self.task.start, self.task.seat))
        answered = best_response(self.tree, uniform(self.tree), self.task.seat)
        return exact_value(
            self.tree,
            [
                Fraction(int(card)) if seat == self.task.seat else equal
                for card, seat, equal in zip(
                    answered, self.tree.seats, self._equal_weights(), strict=True
                )
            ],
        )

    @cached_property
    def choices(self) -> list[Information]:
        """Information sets with a choice of the seat: earlier plays first, then likelier ones."""
        own = (item for item in self.tree.information if item.seat == self.task.seat)
        reach = _reach(self.tree, self.last.chances)
        return sorted(
            (item for item in own if len(item.cards) > 1),
            key=lambda item: (len(item.seen), -reach[item.first]),
        )

    @cached_property
    def weighted(self) -> list[InformationSet]:
        """The weights of all `choices`."""
        tree, deck, chances = self.tree, self.tree.game.deck, self.last.chances
        reach, worth = _reach(tree, chances), slopes(tree, chances, chances)
        result = []
        for choice in self.choices:
            seen = float(reach[choice.first])
            cards = {
                str(deck[card]): choice.first + place for place, card in enumerate(choice.cards)
            }
            result.append(
                InformationSet(
                    hand=[str(deck[card]) for card in choice.hand],
                    seen=[str(deck[card]) for card in choice.seen],
                    probability=seen,
                    cards={card: float(chances[place]) for card, place in cards.items()},
                    p_win={
                        card: float(worth[place]) / seen if seen else None
                        for card, place in cards.items()
                    },
                )
            )
        return result

    @property
    def game_file(self) -> str:
        """The game with the trained weights.

        Equal ones where all cards of a best response win as much, which take no gates; those of an
        equilibrium hold it together wherever they are.
        """
        chances = self.last.chances
        if self.task.objective == BEST_RESPONSE:
            chances = where_it_matters(self.tree, chances, self.task.seat)
        return weighted_toml(self.tree, chances)

    def _equal_weights(self) -> list[Fraction]:
        return [Fraction(1, int(self.tree.sizes[owner])) for owner in self.tree.owners]


def train_exactly(tree: Tree, task: Task, seed: int, say: Say) -> Training:
    """Train by exact probabilities.

    Args:
        tree: the game.
        task: options of the training.
        seed: seed of the weights at the beginning, if there is no start.
        say: takes a line of progress.
    """
    if task.objective == BEST_RESPONSE:
        looks = learn_response(tree, task.seat, task.steps, seed, say, start=task.start)
    else:
        looks = learn_equilibrium(tree, task.steps, seed, say, start=task.start)
    return Training(tree, task, seed, looks)


def train_on_request(
    game: Game, request: Mapping[str, Any], run: RunGames, say: Say
) -> dict[str, Any]:
    """Train by measurements of a backend, and without it; return a `TrainingDocument` as JSON.

    Args:
        game: game with the initial weights.
        request: `objective`, by default a best response, `seat`, `steps`, `shots`, `backend` and
            `seed`, as a job's row holds them. The same counts lead to the same next circuits.
        run: runs circuits; any exception from it ends the training.
        say: takes a line of progress.

    Raises:
        InputError: if the game is not a game with weights.
    """
    if not isinstance(game, WeightedGame):
        raise InputError(f"{game.name}: no game whose cards have weights")
    layout, objective = layout_of(game.tree), request.get("objective", BEST_RESPONSE)
    task = Task(objective, request["seat"], request["steps"], start_of(game), request["shots"])
    backend = Backend(layout, request["backend"], request["shots"], run, say)
    trainings = [learn_exactly(layout, task), learn_on(backend, task)]
    looks, results = trainings[-1][0], [result for _, result in trainings]
    training = Training(layout.tree, task, request["seed"], looks, results)
    return training_document(training).model_dump(mode="json")


def _reach(tree: Tree, chances: Floats) -> Floats:
    """Return the probability that each choice is offered."""
    result = np.zeros(tree.choices)
    for level, before in zip(tree.levels, reaches(tree, chances)[:-1], strict=True):
        result += added(level.choices, before[level.parents], tree.choices)
    return result


def training_document(training: Training) -> TrainingDocument:
    """Return the result of a training."""
    tree, task, last = training.tree, training.task, training.last
    end = training.backends[-1].training[-1] if training.backends else None
    return TrainingDocument(
        game=tree.game.name,
        objective=task.objective,
        seat=task.seat,
        party=tree.game.party,
        steps=task.steps,
        seed=training.seed,
        deals=tree.deals,
        information_sets=len(tree.information),
        weights_trained=tree.choices,
        p_win=last.won,
        p_win_equal_weights=str(training.equal),
        p_win_start=None if task.start is None else value(tree, task.start),
        p_win_best_response=str(training.best),
        gains=last.gains,
        weights=training.weighted,
        training=[
            TrainingStep(step=look.step, p_win=look.won, gains=look.gains)
            for look in training.looks
        ],
        shots=task.shots or None,
        backends=training.backends,
        measured=end.measured if end else None,
        low=end.low if end else None,
        high=end.high if end else None,
        trained=training.game_file,
    )
