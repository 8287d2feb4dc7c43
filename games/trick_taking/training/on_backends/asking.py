"""The part of the command `train` that measures, here or by workers."""

from attrs import evolve

from compiler.errors import InputError
from games.commands import Answer, Means, Run
from games.trick_taking.training.on_backends import answer as answers
from games.trick_taking.training.on_backends.answer import Measured
from games.trick_taking.training.on_backends.backend import Backend
from games.trick_taking.training.on_backends.learning import (
    angle_count,
    learn_exactly,
    learn_on,
)
from games.trick_taking.training.on_backends.picture import picture
from games.trick_taking.training.on_backends.running import handed, running
from games.trick_taking.training.on_backends.wanted import Wanted
from games.trick_taking.training.policy import uniform
from games.trick_taking.training.result import BEST_RESPONSE, Training
from games.trick_taking.training.tree import Tree
from games.trick_taking.weighted.layout import layout_of
from games.trick_taking.weighted.toml import weighted_toml

MOST_STEPS = 1_000


def train_on(means: Means, tree: Tree, wanted: Wanted, run: Run) -> tuple[Training, Answer]:
    """Train without a backend, and on each of several; return the last training and the answer.

    Args:
        means: what compiles and runs.
        tree: the game.
        wanted: what is trained.
        run: how each circuit is run; its backend names one or several, with commas between them.
    """
    layout = layout_of(tree)
    _check(tree, wanted)
    names = [name.strip() for name in run.backend.split(",")]
    # Trainings take long, and no one of them shall run before the last is known to be there.
    for name in names:
        means.check(name, False)
    learned = [
        learn_exactly(layout, wanted),
        *(
            learn_on(Backend(layout, name, run.shots, running(means, run, name), means.say), wanted)
            for name in names
        ),
    ]
    measured = Measured(tree, wanted, run.shots, run.seed, learned)
    found = answers.document(measured)
    answer = Answer(answers.panels(measured), found, lambda figure: picture(found, figure))
    return measured.training, answer


def hand_over(
    means: Means, tree: Tree, wanted: Wanted, run: Run, *, tag: str, max_cost: str
) -> Answer:
    """Hand a training to workers, and return what a command answers then.

    Args:
        means: what records it.
        tree: the game.
        wanted: what is trained.
        run: how each circuit is run, on one backend.
        tag: of all jobs; empty for none.
        max_cost: what all jobs may cost together; empty for any.
    """
    _check(tree, wanted)
    # The game as it is at the beginning.
    text = weighted_toml(tree, uniform(tree) if wanted.start is None else wanted.start)
    given = evolve(run, document=text)
    return handed(means, given, wanted, tag=tag, max_cost=max_cost)


def _check(tree: Tree, wanted: Wanted) -> None:
    if wanted.steps > MOST_STEPS:
        raise InputError(
            f"steps {wanted.steps}: on backends at most {MOST_STEPS:,}, each takes a few circuits"
        )
    if not angle_count(layout_of(tree), wanted):
        seat = f"seat {wanted.seat}: it never has"
        who = seat if wanted.objective == BEST_RESPONSE else "no seat ever has"
        raise InputError(f"{who} a choice, so that there is nothing to train")
