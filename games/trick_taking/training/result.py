"""Result of a training: the weights of a seat, their P(win), and bounds of the best weights."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

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


def train_exactly(tree: Tree, task: Task, seed: int, say: Say) -> TrainingDocument:
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
    return _document(tree, task, seed, looks)


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
    return _document(layout.tree, task, request["seed"], looks, results).model_dump(mode="json")


def _document(
    tree: Tree, task: Task, seed: int, looks: Sequence[Look], backends: Sequence[BackendResult] = ()
) -> TrainingDocument:
    """Return the result of a training.

    Args:
        tree: the game.
        task: options of the training.
        seed: seed of its beginning, or of the first circuit.
        looks: the training on its way, the last one its result.
        backends: trainings of the same weights: one without a backend, then the result, one on a
            backend; none if all is computed.
    """
    last, end = looks[-1], backends[-1].training[-1] if backends else None
    # Where all cards of a best response win as much, equal weights take no gates; those of an
    # equilibrium hold it together wherever they are.
    trained = last.chances
    if task.objective == BEST_RESPONSE:
        trained = where_it_matters(tree, trained, task.seat)
    equal = [Fraction(1, int(tree.sizes[owner])) for owner in tree.owners]
    return TrainingDocument(
        game=tree.game.name,
        objective=task.objective,
        seat=task.seat,
        party=tree.game.party,
        steps=task.steps,
        seed=seed,
        deals=tree.deals,
        information_sets=len(tree.information),
        weights_trained=tree.choices,
        p_win=last.won,
        p_win_equal_weights=str(exact_value(tree, equal)),
        p_win_start=None if task.start is None else value(tree, task.start),
        p_win_best_response=str(_best(tree, task, equal)),
        gains=last.gains,
        weights=_information_sets(tree, task.seat, last.chances),
        training=[TrainingStep(step=look.step, p_win=look.won, gains=look.gains) for look in looks],
        shots=task.shots or None,
        backends=backends,
        measured=end.measured if end else None,
        low=end.low if end else None,
        high=end.high if end else None,
        trained=weighted_toml(tree, trained),
    )


def _best(tree: Tree, task: Task, equal: Sequence[Fraction]) -> Fraction | float:
    """Return P(win) if the seat plays its best, and all others as at the beginning.

    It is a fraction if they play legal cards at random, with the weights `equal`.
    """
    if task.start is not None:
        return value(tree, best_response(tree, task.start, task.seat))
    answered = best_response(tree, uniform(tree), task.seat)
    cards = zip(answered, tree.seats, equal, strict=True)
    return exact_value(tree, [Fraction(int(c)) if s == task.seat else p for c, s, p in cards])


def _information_sets(tree: Tree, seat: int, chances: Floats) -> list[InformationSet]:
    """Return the weights where a seat has a choice: earlier plays first, then likelier ones."""
    # The probability that each choice is offered.
    reach = np.zeros(tree.choices)
    for level, before in zip(tree.levels, reaches(tree, chances)[:-1], strict=True):
        reach += added(level.choices, before[level.parents], tree.choices)
    deck, worth = tree.game.deck, slopes(tree, chances, chances)
    choices = sorted(
        (item for item in tree.information if item.seat == seat and len(item.cards) > 1),
        key=lambda item: (len(item.seen), -reach[item.first]),
    )
    result = []
    for choice in choices:
        seen = float(reach[choice.first])
        cards = {str(deck[card]): place for place, card in enumerate(choice.cards, choice.first)}
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
