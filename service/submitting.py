"""The command `submit`: one program, or a suite of them."""

import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer
from redis.exceptions import RedisError
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from compiler.errors import InputError
from compiler.lowering.portfolio import BUDGET, SEEDS
from compiler.workload import Source
from service.compile_options import (
    AnyInput,
    Budget,
    Encoding,
    MaxCost,
    Method,
    ObjectiveName,
    Pipelines,
    Seeds,
    Without,
    check_objective,
    read_source,
)
from service.options import Json, Seed, ServiceDatabase, Shots
from service.output import print_json, say
from workers.database import open_database
from workers.orders import CompileOrder
from workers.records import Job
from workers.request import Submission
from workers.settings import dollars, settings
from workers.states import State
from workers.submission import checked, least_cost_usd, submit
from workers.suite_files import suite_from_toml

SUITE_LINE = re.compile(r"^\s*suite\s*=", re.MULTILINE)
"""What tells a suite from a game, also if the rest of the file is no TOML."""


def submit_command(
    *,
    program: Annotated[
        str,
        typer.Argument(
            metavar="PROGRAM|SUITE.toml",
            help="A game's name, a game's .toml, a circuit, or a suite: a .toml that names many.",
            show_default=False,
        ),
    ],
    backend: Annotated[
        str, typer.Option("--backend", "-b", help="See 'stichwerk backends'; not for a suite.")
    ] = "",
    target: Annotated[
        str, typer.Option("--target", "-t", help="Where to lower to; by default the backend's.")
    ] = "",
    shots: Shots = 1000,
    repeat: Annotated[int, typer.Option(help="Jobs to make, with seeds that count up.")] = 1,
    tag: Annotated[str, typer.Option(help="A name under which the jobs are found again.")] = "",
    max_cost: MaxCost = "",
    method: Method = "best",
    pipeline: Pipelines = None,
    encoding: Encoding = "best",
    objective: ObjectiveName = "two_qubit_gates",
    seed: Seed = 0,
    seeds: Seeds = SEEDS,
    budget: Budget = BUDGET,
    without: Without = None,
    any_input: AnyInput = False,
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> None:
    """Record a job, or a suite of jobs, for the workers, and return its number at once.

    A suite names programs, backends and whatever else; of the options only --tag and --database
    apply to it. Submitted again, only its missing jobs are made; the others are listed with
    their state. What a job costs is estimated once it is compiled, before it is submitted; what
    new ones cost at least is printed at once.

    Examples:
    - `stichwerk submit skat-4 --backend ibm:torino --shots 4000 --max-cost 5USD`

    - `stichwerk submit nightly.toml`
    """
    check_objective(objective)
    limit = dollars(max_cost) if max_cost else None
    if (suite := _suite(program)) is not None:
        if backend or target:
            raise InputError(f"{program}: a suite names its backends and targets itself")
        asked = suite_from_toml(suite, program, _beside(Path(program)), tag or None)
    else:
        if not backend:
            raise InputError("missing option --backend; see 'stichwerk backends'")
        order = CompileOrder(
            read_source(program),
            target,
            method,
            encoding,
            objective,
            seed,
            pipelines=tuple(pipeline or ()),
            seeds=seeds,
            budget=budget,
            without=tuple(without or ()),
            any_input=any_input,
        )
        asked = [Submission(order, backend, shots, seed, repeat, tag or None, limit)]
    ready = []
    for place, one in enumerate(asked, start=1):
        if len(asked) > 1:
            say(f"checking {one.order.source.name} for {one.backend} ({place} of {len(asked)})")
        ready.append(checked(one))
    set_ = settings()
    with Session(open_database(database or set_.database)) as session:
        last = session.scalar(select(func.max(Job.id))) or 0
        batches = [submit(session, set_, one) for one in ready]
        states = {job.id: State(job.state) for batch in batches for job in batch}
    if not _told(list(states)):
        say(f"no Redis at {_shown(set_.redis)}: the jobs are recorded, and wait for a worker")
    new = [job for job in states if job > last]
    cost = Decimal(0)
    for one, batch in zip(ready, batches, strict=True):
        cost += least_cost_usd(one.backend, one.shots, sum(job.id > last for job in batch))
    if as_json:
        print_json({"jobs": list(states), "new": new, "least_cost_usd": _exact(cost)})
        return
    for job, state in states.items():
        print(f"job {job}: {'new' if job > last else _known(job, state)}")
    if cost:
        it_costs = "it costs" if len(new) == 1 else "together they cost"
        say(f"{it_costs} at least {_exact(cost)} USD")


def _known(job: int, state: State) -> str:
    again = state in (State.FAILED, State.CANCELLED)
    return f"{state} already" + (f" (stichwerk retry {job})" if again else "")


def _exact(amount: Decimal) -> str:
    return f"{amount.normalize():f}"


def _told(jobs: list[int]) -> bool:
    from workers.broker import send_if_possible
    from workers.queue_lengths import queue_lengths
    from workers.states import Queue

    try:
        # Celery would try for some seconds to reach a Redis that is away.
        queue_lengths(settings().redis)()
    except RedisError:
        return False
    # What has been submitted before is looked at once more, which does no harm.
    return all(send_if_possible(job, Queue.COMPILE) for job in jobs)


def _shown(address: str) -> str:
    return address.rpartition("@")[2]


def _suite(program: str) -> str | None:
    """Return the text of a suite file, None if the program is something else."""
    if not program.endswith(".toml"):
        return None
    text = read_source(program).content.decode(errors="replace")
    return text if SUITE_LINE.search(text) else None


def _beside(path: Path) -> Callable[[str], Source]:
    def read(name: str) -> Source:
        found = path.parent / name
        try:
            there = found.is_file()
        except OSError as error:
            raise InputError(f"{path}: '{name}': {error.strerror}") from error
        return read_source(str(found) if there else name)

    return read
