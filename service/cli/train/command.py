"""The command `train`."""

from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from typing import Annotated

import typer
from attrs import frozen
from sqlalchemy.orm import Session

from backends import target_on
from compiler.compilation import Options
from compiler.errors import InputError, meant
from compiler.words.plurals import how_many
from games.sources import Source, read_game
from games.trick_taking.game import TrickTakingGame
from games.trick_taking.rules.rules import SEATS, seat_of
from games.trick_taking.training.backend_learning import check, circuit_count
from games.trick_taking.training.document import TrainingDocument
from games.trick_taking.training.learning import BEST_RESPONSE, OBJECTIVES, Task
from games.trick_taking.training.panels import panels
from games.trick_taking.training.picture import picture
from games.trick_taking.training.result import train_exactly
from games.trick_taking.training.tree import tree_of, uniform
from games.trick_taking.weighted.encoding import Layout, layout_of
from games.trick_taking.weighted.game import WeightedGame, start_of, unweighted
from games.trick_taking.weighted.toml import weighted_toml
from service.cli.compile_options import MaxCost
from service.cli.front.parameters import shared_options
from service.cli.options import HandOver, Json, RandomSeed, Tag
from service.cli.output.panels import write_result
from service.cli.output.plots import Plot, output_path, write_output
from service.cli.output.printing import print_json, progress, say
from service.cli.program_argument import read_source
from service.cli.queue.sending import hand_over_job
from service.results.games.training import TrainingJob, TrainingResult
from workers.compilation.orders import CompileOrder
from workers.jobs.request import Submission
from workers.jobs.states import JobKind
from workers.jobs.submission import checked, least_cost_usd, submit
from workers.jobs.without_queue import check_account, finish_job
from workers.records.database import open_database
from workers.settings import dollars, exact_usd, settings

STEPS, MEASURED_STEPS = 300, 15


@frozen(kw_only=True)
class Running:
    """Options of a training on backends.

    Options:
        backend: Measure P(win) and its gradients on this backend; several backends, separated by
            commas, train one after the other. See 'stichwerk backends'.
        shots: Shots of each circuit.
        pipeline: Compile these circuits with this pipeline only, such as window-qiskit, which is
            fast; by default as 'stichwerk compile --method fast'.
    """

    backend: Annotated[str, typer.Option("--backend", "-b")] = ""
    shots: Annotated[int, typer.Option(min=1, max=1_000_000)] = 1000
    pipeline: str = ""
    queue: HandOver = False
    tag: Tag = ""
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
        if (self.tag or self.max_cost) and not self.backend:
            raise InputError("--tag and --max-cost are for circuits: give a --backend, too")
        if self.queue and (files or not self.backend or "," in self.backend):
            raise InputError(
                "--queue: give one --backend, and leave out --save and --plot: 'stichwerk result' "
                "writes both once the job is done"
            )


running_options = shared_options("running", Running)


def training_submission(
    layout: Layout, task: Task, backend: str, running: Running, seed: int
) -> tuple[Submission, int, Decimal]:
    """Return a training as a job, the number of its circuits, and a lower bound of their cost.

    Args:
        layout: the bits of the game.
        task: options of the training.
        backend: that runs the circuits.
        running: options of the circuits.
        seed: of the first one.

    Raises:
        InputError: if the backend is unknown, or all circuits cost more than the limit.
    """
    # The game as it is at the beginning.
    tree, shots = layout.tree, running.shots
    text = weighted_toml(tree, uniform(tree) if task.start is None else task.start)
    source = Source(f"{tree.game.name.removesuffix('.toml')}.toml", text.encode())
    request = {
        "objective": task.objective, "seat": task.seat, "steps": task.steps,
        "shots": shots, "backend": backend, "seed": seed,
    }  # fmt: skip
    circuits = circuit_count(layout, task)
    options = Options("fast", seed=seed, pipelines=tuple(running.pipeline.split()))
    limit = dollars(running.max_cost) if running.max_cost else None
    submission = checked(
        Submission(
            CompileOrder(source, target_on(backend, ""), options), backend, shots, seed,
            tag=running.tag or None, max_cost_usd=limit,
            kind=JobKind.TRAINING, request=request,
        )
    )  # fmt: skip
    cost = least_cost_usd(backend, shots * circuits, 1)
    allowed = [amount for amount in (limit, settings().job_budget_usd) if amount is not None]
    if allowed and cost > min(allowed):
        raise InputError(
            f"{circuits} circuits cost at least {exact_usd(cost)} USD, and "
            f"{exact_usd(min(allowed))} USD are allowed: take fewer steps or shots"
        )
    say(f"planned: {how_many(circuits, 'circuit')} of {how_many(shots, 'shot')} each")
    return submission, circuits, cost


def _hand_over(submission: Submission, circuits: int, cost: Decimal, *, as_json: bool) -> None:
    number, _ = hand_over_job(submission)
    if as_json:
        print_json(TrainingJob(jobs=[number], new=[number], least_cost_usd=cost, circuits=circuits))
        return
    print(f"job {number}: new, {circuits} circuits")
    if cost:
        print(f"together they cost at least {exact_usd(cost)} USD")
    print(f"then: job {number} --watch, result {number} -o trained.toml")


def _trained(submissions: Sequence[Submission]) -> TrainingDocument:
    """Run trainings as jobs of this process; return the last result, beside those of all."""
    set_ = settings()
    with Session(open_database(set_.database), expire_on_commit=False) as session:
        documents = []
        for submission in submissions:
            (job,) = submit(session, set_, submission, due=False)
            finish_job(session, job, progress=progress)
            documents.append(TrainingDocument.model_validate(job.result))
    backends = [documents[0].backends[0], *(document.backends[-1] for document in documents)]
    return documents[-1].model_copy(update={"backends": backends})


WEIGHTS = "[[weights]]"
"""Table of a game file in which weights are not equal."""


@running_options
def train_command(
    *,
    game: Annotated[str, typer.Argument(metavar="GAME")],
    seat: Annotated[str, typer.Option(metavar="A|B|C")] = "A",
    objective: Annotated[str, typer.Option(metavar="|".join(OBJECTIVES))] = BEST_RESPONSE,
    steps: Annotated[int, typer.Option(min=0, max=20_000)] = 0,
    running: Running,
    save: Annotated[str, typer.Option(metavar="FILE.toml")] = "",
    seed: RandomSeed = 0,
    plot: Plot = None,
    as_json: Json = False,
) -> None:
    """Train the weights of card plays: a best response or an equilibrium.

    Every legal card has a probability for each position that its seat can distinguish: its hand
    and the cards played so far. All seats know the contents of the game's file. P(win) and its
    gradients are exact, or with --backend measured on circuits by the parameter-shift rule.

    Examples:
    - `stichwerk train skat-9 --plot training.png`

    - `stichwerk train skat-9 --objective equilibrium`

    - `stichwerk train skat-4 --seat B --steps 1000 --json`

    - `stichwerk train skat-4 --seat B --backend sparse,aer:boston --save trained.toml`

    - `stichwerk train skat-4 --objective equilibrium --backend sparse --plot measured.png`

    - `stichwerk train trained.toml --seat A --save answered.toml`

    - `stichwerk train skat-4 --seat B --backend ibm:boston --queue --max-cost 250USD`

    Options:
        game: The file of a trick-taking game, or a name such as skat-9; its lead is free. A file
            with weights, written by --save, continues the training.
        seat: Seat that learns; with equilibrium, the seat whose weights are shown.
        objective: {BEST_RESPONSE}: one seat learns against the others' weights, equal ones if the
            file has none; equilibrium: all learn in turn.
        steps: Steps of the training; 0 for {STEPS}, on backends {MEASURED_STEPS}.
        save: Write the game with the trained weights, for 'stichwerk compile' and 'stichwerk run';
            weights of a best response stay equal if all cards win equally often.
    """
    saved = output_path("--save", save, (".toml",)) if save else None
    game_ = read_game(read_source(game))
    running.check(files=bool(saved or plot))
    rules = game_.rules if isinstance(game_, WeightedGame) else unweighted(game_)
    default = MEASURED_STEPS if running.backend else STEPS
    task = Task(_objective(objective), _seat(rules, seat), steps or default, start_of(game_))
    tree = tree_of(rules)
    if running.backend:
        layout = layout_of(tree)
        check(layout, task)
        names = [name.strip() for name in running.backend.split(",")]
        jobs = [training_submission(layout, task, name, running, seed) for name in names]
        if running.queue:
            _hand_over(*jobs[0], as_json=as_json)
            return
        for name in names:
            check_account(name)
        document = _trained([submission for submission, *_ in jobs])
    else:
        document = train_exactly(tree, task, seed, progress)
    result = TrainingResult.model_validate(document.model_dump())
    write_result(panels(result), result, plot, partial(picture, document), as_json=as_json)
    if saved is not None:
        text = result.trained or ""
        if WEIGHTS not in text:
            say(f"{result.game}: nothing was learned that wins more; all weights are equal")
        write_output("--save", saved, text.encode())


def _objective(objective: str) -> str:
    if objective not in OBJECTIVES:
        raise InputError(f"unknown objective '{objective}'; {meant(objective, OBJECTIVES)}")
    return objective


def _seat(rules: TrickTakingGame, seat: str) -> int:
    number = seat_of(seat, rules.players)
    if number is None:
        raise InputError(f"seat {seat}: {rules.name} has seats A to {SEATS[rules.players - 1]}")
    return number
