"""The command `train`."""

from functools import partial
from pathlib import Path

from compiler.errors import InputError
from compiler.near_misses import meant
from games.sources import read_game
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.names import SEATS, seat_of
from games.trick_taking.training.learning import BEST_RESPONSE, OBJECTIVES, Task
from games.trick_taking.training.on_backends.learning import check
from games.trick_taking.training.panels import panels
from games.trick_taking.training.picture import measured_picture, picture
from games.trick_taking.training.result import Training, train_exactly, train_on_backends
from games.trick_taking.training.tree import tree_of
from games.trick_taking.weighted.game import WeightedGame, start_of, unweighted
from games.trick_taking.weighted.layout import layout_of
from service.cli.options import Json, Plot, RandomSeed
from service.cli.output.files import output_path, write_output
from service.cli.output.panels import on_figure, write_result
from service.cli.output.plots import plot_path
from service.cli.output.printing import say
from service.cli.program_argument import read_source
from service.cli.train.backends import hand_over, training_backends
from service.cli.train.options import (
    MEASURED_STEPS,
    STEPS,
    Game,
    Objective,
    Running,
    Save,
    Seat,
    Steps,
    running_options,
)
from service.results.games.training import TrainingResult

WEIGHTS = "[[weights]]"
"""Table of a game file in which weights are not equal."""


@running_options
def train_command(
    *,
    game: Game,
    seat: Seat = "A",
    objective: Objective = BEST_RESPONSE,
    steps: Steps = 0,
    running: Running,
    save: Save = "",
    seed: RandomSeed = 0,
    plot: Plot = "",
    as_json: Json = False,
) -> None:
    """Train the weights of card plays: a best response of one seat, or an equilibrium.

    Every legal card has a probability in everything its seat can see: its hand and the cards
    played so far. What the game's file says is known to all seats. P(win) and its slopes are exact,
    or with --backend measured on circuits, by the parameter-shift rule.

    Examples:
    - `stichwerk train skat-9 --plot training.png`

    - `stichwerk train skat-9 --objective equilibrium`

    - `stichwerk train skat-4 --seat B --steps 1000 --json`

    - `stichwerk train skat-4 --seat B --backend sparse,aer:torino --save trained.toml`

    - `stichwerk train skat-4 --objective equilibrium --backend sparse --plot measured.png`

    - `stichwerk train trained.toml --seat A --save answered.toml`

    - `stichwerk train skat-4 --seat B --backend ibm:torino --queue --max-cost 250USD`
    """
    path, saved = plot_path(plot), output_path("--save", save, (".toml",)) if save else None
    given = read_game(read_source(game))
    running.check(files=bool(saved or path))
    rules = given.rules if isinstance(given, WeightedGame) else unweighted(given)
    default = MEASURED_STEPS if running.backend else STEPS
    task = Task(_objective(objective), _seat(rules, seat), steps or default, start_of(given))
    tree = tree_of(rules)
    if running.backend:
        layout = layout_of(tree)
        check(layout, task)
        if running.queue:
            hand_over(layout, task, running, seed, as_json=as_json)
            return
        training = train_on_backends(layout, task, training_backends(layout, running, seed), seed)
    else:
        training = train_exactly(tree, task, seed, say)
    result = TrainingResult.of(training)
    drawn = partial(picture, training) if not running.backend else partial(measured_picture, result)
    write_result(panels(training), result, path, on_figure(drawn), as_json=as_json)
    if saved is not None:
        _save(training, saved)


def _objective(objective: str) -> str:
    if objective not in OBJECTIVES:
        raise InputError(f"unknown objective '{objective}'; {meant(objective, OBJECTIVES)}")
    return objective


def _seat(rules: TrickTakingGame, seat: str) -> int:
    number = seat_of(seat, rules.players)
    if number is None:
        raise InputError(f"seat {seat}: {rules.name} has seats A to {SEATS[rules.players - 1]}")
    return number


def _save(training: Training, path: Path) -> None:
    text = training.game_file
    if WEIGHTS not in text:
        name = training.tree.game.name
        say(f"{name}: nothing was learned that wins more; all weights are equal")
    write_output("--save", path, text.encode())
