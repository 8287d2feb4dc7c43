"""Training on backends: here, or by the workers."""

from collections.abc import Iterator, Sequence

from backends import target_on
from compiler.compilation import Options
from compiler.errors import InputError
from compiler.words.plurals import how_many
from games.sources import Source, read_game
from games.training import CircuitRun, trainings
from games.trick_taking.training.learning import Task
from games.trick_taking.training.on_backends.learning import Backend
from games.trick_taking.training.policy import uniform
from games.trick_taking.weighted.card_plays import CARD_PLAYS
from games.trick_taking.weighted.layout import Layout
from games.trick_taking.weighted.toml import weighted_toml
from service.cli.compiling.quick_run import run_game
from service.cli.output.printing import print_json, say
from service.cli.queue.sending import hand_over_job
from service.cli.train.options import Running
from service.results.games.training import TrainingJob
from workers.compilation.orders import CompileOrder
from workers.jobs.request import Submission
from workers.jobs.states import JobKind
from workers.jobs.submission import checked, least_cost_usd
from workers.jobs.without_queue import check_account
from workers.settings import dollars, settings


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
    number = hand_over_job(submission)
    if as_json:
        print_json(TrainingJob(jobs=[number], new=[number], least_cost_usd=cost, circuits=circuits))
        return
    print(f"job {number}: new, {circuits} circuits")
    if cost:
        print(f"together they cost at least {cost.normalize():f} USD")
    print(f"then: job {number} --watch, result {number} -o trained.toml")
