"""The commands `submit`, for a program or a suite, and `campaign`, for a schedule that is due."""

import re
from collections.abc import Callable, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from backends import target_on
from backends.devices.reading import target_with_calibration
from compiler.errors import InputError
from compiler.words.plurals import how_many
from games.sources import Source
from service.cli import devices
from service.cli.compile_options import (
    CompileArguments,
    MaxCost,
    Mitigation,
    compile_options,
)
from service.cli.options import Json, ServiceDatabase, Tag
from service.cli.output.printing import say
from service.cli.program_argument import Expect, read_source
from service.cli.queue.sending import (
    batch_of,
    hand_over,
    hand_over_batch,
    print_submitted,
    send_or_say,
)
from workers.campaigns.file import campaign_from_toml
from workers.jobs.lookup import keyed_job
from workers.jobs.request import Submission, recorded_key, suite_from_toml
from workers.jobs.states import Queue, State
from workers.jobs.submission import checked, run_again, submit
from workers.mitigation.methods import methods_from_text
from workers.records.database import open_database
from workers.records.tables import now
from workers.settings import dollars, settings
from workers.untrusted_programs.files import read_source_file

SHOTS = 1000

SUITE_LINE = re.compile(r"^\s*suite\s*=", re.MULTILINE)
"""Recognises a suite, also if the remainder of the file is no TOML."""


@compile_options
def submit_command(
    *,
    program: Annotated[str, typer.Argument(metavar="PROGRAM|SUITE.toml")] = "",
    backend: devices.Backend = "",
    target: devices.BackendTarget = "",
    calibration: devices.Calibration = "",
    recompile_after: devices.RecompileAfter = None,
    shots: int | None = None,
    expect: Expect = "",
    arguments: CompileArguments,
    mitigation: Mitigation = "",
    max_cost: MaxCost = "",
    tag: Tag = "",
    repeat: int = 1,
    like_job: Annotated[int | None, typer.Option(metavar="JOB")] = None,
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> None:
    """Submit a job, or a suite of jobs, to the workers.

    A suite contains programs, backends and options; of the options below, only --tag,
    --calibration, --recompile-after and --database apply to a suite. Submitting a suite again adds
    only missing jobs, and lists the state of the others. The minimum cost is printed at once. The
    cost of a job is estimated after compilation, before the job is sent to the provider.

    Examples:
    - `stichwerk submit skat-4 --backend ibm:boston --shots 4000 --max-cost 5USD`

    - `stichwerk submit nightly.toml`

    - `stichwerk submit skat-4 --backend ibm:boston --recompile-after 24 --max-cost 5USD`

    - `stichwerk submit skat-4 --backend ibm:boston --mitigation dd,twirling,zne`

    - `stichwerk submit ansatz.qasm --backend ibm:boston --bind-file values.json`

    - `stichwerk submit --like-job 1 --tag nightly`

    Options:
        program: A game's name, a game's .toml, a circuit, or a suite (.toml).
        shots: Shots of each job; by default {SHOTS}, or those of the job of --like-job.
        repeat: Number of jobs, with consecutive seeds.
        like_job: Run the native circuit of this job again, without compiling. Of the other options,
            only --backend, --shots, --repeat, --tag and --max-cost apply.
    """
    limit = dollars(max_cost) if max_cost else None
    methods = methods_from_text(mitigation)
    if like_job is not None:
        if program or target or expect or methods:
            raise InputError(
                "--like-job runs a circuit that is there: leave out program, target, --expect and "
                "--mitigation"
            )
        handed = hand_over(
            lambda session, limits: run_again(
                session, limits, like_job, backend=backend, shots=shots, repeat=repeat,
                tag=tag or None, max_cost_usd=limit,
            ),
            database,
            queue=Queue.SUBMIT,
        )  # fmt: skip
        print_submitted(*handed, as_json=as_json)
        return
    if (suite := _suite(program)) is not None:
        _check_suite(program, backend or target, expect, methods)
        path = Path(program)
        submissions = suite_from_toml(
            suite, program, beside(path), tag or None, path.parent,
            calibration=calibration, recompile_after=recompile_after,
        )  # fmt: skip
    else:
        for name, value in (
            ("argument PROGRAM|SUITE.toml, or --like-job", program),
            ("option --backend; see 'stichwerk backends'", backend),
        ):
            if not value:
                raise InputError(f"missing {name}")
        calibration = calibration or devices.default_calibration(backend, target)
        target = target_with_calibration(backend, target, calibration)
        orders = arguments.orders(read_source(program, expect), target_on(backend, target))
        submissions = [
            Submission(order, backend, SHOTS if shots is None else shots, arguments.options.seed,
                       repeat, tag or None, limit, max_calibration_hours=recompile_after)
            for order in orders
        ]  # fmt: skip
    ready = _checked(submissions)
    if suite is None and (len(ready) > 1 or methods):
        key, batch = batch_of(ready, methods)
        job = hand_over_batch(
            batch, key=key, tag=tag or None, limit=limit, database=database, as_json=as_json
        )
        if methods:
            say(f"stichwerk result {job} shows raw and mitigated values when it is done")
        return
    handed = hand_over(
        lambda session, limits: [job for item in ready for job in submit(session, limits, item)],
        database,
    )
    print_submitted(*handed, as_json=as_json)


def _checked(submissions: Sequence[Submission]) -> list[Submission]:
    """Return submissions with their orders filled in, and tell where a long check is."""
    ready = []
    for place, submission in enumerate(submissions, start=1):
        if len(submissions) > 1:
            where = f"{place} of {len(submissions)}"
            say(f"checking {submission.order.source.name} for {submission.backend} ({where})")
        ready.append(checked(submission))
    return ready


def _check_suite(program: str, where: str, expect: str, methods: Sequence[str]) -> None:
    """Refuse options that a suite says itself, or that are for one program."""
    if where:
        raise InputError(f"{program}: a suite names its backends and targets itself")
    if expect:
        raise InputError(f'{program}: a suite names expected results itself: expect = "…"')
    if methods:
        raise InputError(f"{program}: --mitigation is for one program, not for a suite")


def _suite(program: str) -> str | None:
    """Return the text of a suite file, None if the program is something else."""
    if not program.endswith(".toml"):
        return None
    text = read_source(program).content.decode(errors="replace")
    return text if SUITE_LINE.search(text) else None


def beside(path: Path) -> Callable[[str, str], Source]:
    """Return a reader of the programs that a file names: a file beside it, or a game."""

    def read(name: str, expect: str) -> Source:
        file = path.parent / name
        try:
            exists = file.is_file()
        except OSError as error:
            raise InputError(f"{path}: '{name}': {error.strerror}") from error
        beside = str(path.parent / expect) if expect else ""
        return read_source(str(file) if exists else name, beside)

    return read


MINUTE = "%Y-%m-%d %H:%M"


def campaign_command(
    *,
    file: Annotated[str, typer.Argument(metavar="CAMPAIGN.toml")],
    run: str = "",
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> None:
    """Submit the due run of a scheduled campaign.

    Call it repeatedly, for example from cron: each due run starts once. A run is a job with child
    jobs; it shows the results and the changes since earlier runs. `stichwerk retry` resumes failed
    parts.

    Examples:
    - `stichwerk campaign nightly.toml`

    - `stichwerk campaign nightly.toml --run after-maintenance`

    Options:
        file: The campaign: a .toml with suites, backends and a schedule.
        run: Start a run with this name now, independent of the schedule. A repeated name refers to
            the same run.
    """
    if not file.endswith(".toml"):
        raise InputError(f"{file}: a campaign is a .toml")
    path = Path(file)
    text = read_source_file(path).content.decode(errors="replace")
    campaign = campaign_from_toml(text, str(path), beside(path), path.parent)
    name = run or f"{campaign.due(now()):{MINUTE}}"
    if not name.isprintable() or len(name) > 30:
        raise InputError("--run: take a name of 1 to 30 printable characters")
    key = f"campaign:{campaign.name}:{name}"
    with Session(open_database(database or settings().database)) as session:
        job = keyed_job(session, recorded_key(key, None))
        states = {} if job is None else {job.id: State(job.state)}
    if states:
        say(f"campaign {campaign.name}, run {name}: is there already")
        send_or_say(list(states), Queue.COMPILE, [])
        print_submitted(states, [], Decimal(0), as_json=as_json)
        return
    say(f"campaign {campaign.name}, run {name}: checking its jobs")
    batch = campaign.batch(name)
    for of, parts in batch.scores:
        for part in parts:
            if part.refused:
                say(f"{of.backend}: {part.part.name}: {part.outcome}: {part.refused}")
    jobs, limit = batch.all_jobs, campaign.max_cost_usd
    say(f"{how_many(len(jobs), 'job')}, {how_many(sum(job.shots for job in jobs), 'shot')}")
    tag = campaign.tag(name)
    hand_over_batch(batch, key=key, tag=tag, limit=limit, database=database, as_json=as_json)
