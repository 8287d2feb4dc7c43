"""The command `train`."""

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated

import typer
from attrs import frozen

from backends import target_on
from compiler.compilation import Options
from compiler.errors import InputError
from compiler.near_misses import meant
from compiler.words.plurals import how_many
from games.sources import Source, read_game
from games.training import CircuitRun, trainings
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.cards import SEATS, seat_of
from games.trick_taking.training.backend_learning import Backend, check
from games.trick_taking.training.learning import BEST_RESPONSE, OBJECTIVES, Task
from games.trick_taking.training.panels import panels
from games.trick_taking.training.picture import measured_picture, picture
from games.trick_taking.training.result import (
    Training,
    train_exactly,
    train_on_backends,
    training_document,
)
from games.trick_taking.training.tree import tree_of, uniform
from games.trick_taking.weighted.card_plays import CARD_PLAYS
from games.trick_taking.weighted.encoding import Layout, layout_of
from games.trick_taking.weighted.game import WeightedGame, start_of, unweighted
from games.trick_taking.weighted.toml import weighted_toml
from service.cli.compile_options import MaxCost
from service.cli.compiling.recorded import run_game
from service.cli.options import HandOver, Json, Plot, QueueTag, RandomSeed, shared_options
from service.cli.output.files import output_path, write_output
from service.cli.output.panels import on_figure, write_result
from service.cli.output.plots import plot_path
from service.cli.output.printing import print_json, say
from service.cli.program_argument import read_source
from service.cli.queue.sending import hand_over_job
from service.results.games.training import TrainingJob, TrainingResult
from workers.compilation.orders import CompileOrder
from workers.jobs.request import Submission
from workers.jobs.states import JobKind
from workers.jobs.submission import checked, least_cost_usd
from workers.jobs.without_queue import check_account
from workers.settings import dollars, settings

STEPS, MEASURED_STEPS = 300, 15
Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="The file of a trick-taking game, or a name such as skat-9; its lead is free. A file "
        "with weights, as --save writes it, is continued.",
        show_default=False,
    ),
]
Seat = Annotated[
    str,
    typer.Option(
        metavar="A|B|C",
        help="Who learns; of an equilibrium, whose weights are shown. Or 0, 1 or 2.",
    ),
]
Objective = Annotated[
    str,
    typer.Option(
        metavar="|".join(OBJECTIVES),
        help=f"{BEST_RESPONSE}: one seat learns against the others' weights, equal ones if the "
        "file has none; equilibrium: all learn in turn.",
    ),
]
Steps = Annotated[
    int,
    typer.Option(
        min=0, max=20_000, help=f"Of the training; 0 for {STEPS}, on backends {MEASURED_STEPS}."
    ),
]
Save = Annotated[
    str,
    typer.Option(
        metavar="FILE.toml",
        help="Write the game with the trained weights, for 'stichwerk compile' and 'stichwerk "
        "run'; weights of a best response that win nothing are left equal.",
    ),
]


@frozen(kw_only=True)
class Running:
    """Options of a training on backends."""

    backend: Annotated[
        str,
        typer.Option(
            "--backend",
            "-b",
            help="Measure P(win) and its gradients on circuits here; several backends with commas "
            "between them train one after the other. See 'stichwerk backends'.",
        ),
    ] = ""
    shots: Annotated[int, typer.Option(min=1, max=1_000_000, help="Of each circuit.")] = 1000
    pipeline: Annotated[
        str,
        typer.Option(
            help="Lower these circuits by it alone, such as the quick window-qiskit; by default "
            "as 'stichwerk compile --method fast' does."
        ),
    ] = ""
    queue: HandOver = False
    tag: QueueTag = ""
    max_cost: MaxCost = ""

    def check(self, *, files: bool) -> None:
        """Check which options are given together.

        Args:
            files: whether --save or --plot is given.

        Raises:
            InputError: if an option lacks the one that it goes with.
        """
        if self.pipeline and not self.backend:
            raise InputError(
                f"pipeline '{self.pipeline}': lowers circuits, which only --backend runs"
            )
        if (self.tag or self.max_cost) and not self.queue:
            raise InputError("--tag and --max-cost are for --queue: say that, too")
        if self.queue and (files or not self.backend or "," in self.backend):
            raise InputError(
                "--queue: give one --backend, and leave out --save and --plot: 'stichwerk result' "
                "writes both once the job is done"
            )


running_options = shared_options("running", Running)


def training_backends(layout: Layout, running: Running, seed: int) -> list[Backend]:
    """Return the backends of a training, all of them checked before the first one trains.

    Args:
        layout: the bits of the game.
        running: options.
        seed: of the first circuit's compiler and backend; each further one has the next.

    Raises:
        InputError: if a backend is unknown, or its provider does not accept the account.
    """
    names = [name.strip() for name in running.backend.split(",")]
    for name in names:
        target_on(name)
        check_account(name)
    return [_backend(layout, name, running, seed) for name in names]


def _backend(layout: Layout, name: str, running: Running, seed: int) -> Backend:
    def runs(documents: Sequence[str]) -> Iterator[CircuitRun]:
        nonlocal seed
        for text in documents:
            options = Options("fast", seed=seed, pipelines=tuple(running.pipeline.split()))
            yield run_game(Source("weighted.toml", text.encode()), name, running.shots, options)
            seed += 1

    return Backend(layout, name, running.shots, lambda documents: list(runs(documents)), say)


def hand_over(layout: Layout, task: Task, running: Running, seed: int, *, as_json: bool) -> None:
    """Record a training as a job, send it to the workers, and print it.

    Args:
        layout: the bits of the game.
        task: options of the training.
        running: options of its circuits.
        seed: of the first one.
        as_json: whether the result is printed as JSON.

    Raises:
        InputError: if all circuits cost more than is allowed.
    """
    # The game as it is at the beginning.
    tree = layout.tree
    text = weighted_toml(tree, uniform(tree) if task.start is None else task.start)
    source = Source(f"{tree.game.name.removesuffix('.toml')}.toml", text.encode())
    backend, shots = running.backend, running.shots
    request = {
        "kind": CARD_PLAYS, "objective": task.objective, "seat": task.seat, "steps": task.steps,
        "shots": shots, "backend": backend, "seed": seed,
    }  # fmt: skip
    circuits = trainings[CARD_PLAYS]().circuits(read_game(source), request)
    options = Options("fast", seed=seed, pipelines=tuple(running.pipeline.split()))
    limit = dollars(running.max_cost) if running.max_cost else None
    submission = checked(
        Submission(
            CompileOrder(source, target_on(backend, ""), options), backend, shots, seed,
            tag=running.tag or None, max_cost_usd=limit,
            kind=JobKind.TRAINING, request=request,
        )
    )  # fmt: skip
    cost = least_cost_usd(backend, shots, circuits)
    allowed = [amount for amount in (limit, settings().job_budget_usd) if amount is not None]
    if allowed and cost > min(allowed):
        raise InputError(
            f"{circuits} circuits cost at least {cost.normalize():f} USD, and "
            f"{min(allowed).normalize():f} USD are allowed: take fewer steps or shots"
        )
    say(f"planned: {how_many(circuits, 'circuit')} of {how_many(shots, 'shot')} each")
    number, _ = hand_over_job(submission)
    if as_json:
        print_json(TrainingJob(jobs=[number], new=[number], least_cost_usd=cost, circuits=circuits))
        return
    print(f"job {number}: new, {circuits} circuits")
    if cost:
        print(f"together they cost at least {cost.normalize():f} USD")
    print(f"then: job {number} --watch, result {number} -o trained.toml")


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
    result = TrainingResult.model_validate(training_document(training).model_dump())
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
