"""The command `campaign`: the run of a schedule that is due, handed to the workers."""

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from compiler.errors import InputError
from compiler.words.plurals import how_many
from service.cli.options import Json, ServiceDatabase
from service.cli.output.printing import say
from service.cli.queue.sending import print_submitted, send_or_say, unattended_queues
from service.cli.queue.submit import beside
from workers.batches.submitting import submit_batch
from workers.jobs.lookup import keyed_job
from workers.jobs.request import recorded_key
from workers.jobs.states import Queue, State
from workers.jobs.submission import least_cost_usd
from workers.records.database import open_database
from workers.records.tables import now
from workers.settings import settings
from workers.untrusted_programs.files import read_source_file

MINUTE = "%Y-%m-%d %H:%M"


def campaign_command(
    *,
    file: Annotated[
        str,
        typer.Argument(
            metavar="CAMPAIGN.toml", help="What is measured, where and when.", show_default=False
        ),
    ],
    run: Annotated[
        str,
        typer.Option(
            help="Begin a run of this name now, whatever the schedule says; the same name again "
            "is the same run.",
            show_default=False,
        ),
    ] = "",
    at: Annotated[
        str,
        typer.Option(
            help="As if it were this time, such as 2026-11-24T02:00, UTC.", show_default=False
        ),
    ] = "",
    database: ServiceDatabase = "",
    as_json: Json = False,
) -> None:
    """Hand the run of a campaign that is due to the workers: one job, whose parts are jobs.

    Whatever calls it again and again, such as cron, a run is begun once: the last one that its
    schedule has made due. The job owns what the run may cost, tells what came of all of it, and
    what has become better or worse since earlier runs; `stichwerk retry` takes up what was lost.

    Examples:
    - `stichwerk campaign nightly.toml`

    - `stichwerk campaign nightly.toml --run after-maintenance`
    """
    from workers.campaigns.file import campaign_from_toml

    if not file.endswith(".toml"):
        raise InputError(f"{file}: a campaign is a .toml")
    path = Path(file)
    text = read_source_file(path).content.decode(errors="replace")
    campaign = campaign_from_toml(text, file, beside(path), path.parent)
    if run and at:
        raise InputError("--run begins now: leave out --at")
    name = run or f"{campaign.due(_time(at)):{MINUTE}}"
    if not name.isprintable() or len(name) > 30:
        raise InputError("--run: take a name of 1 to 30 printable characters")
    key, set_ = f"campaign:{campaign.name}:{name}", settings()
    with Session(open_database(database or set_.database)) as session:
        job = keyed_job(session, recorded_key(key, None))
        new, cost, unattended = [], Decimal(0), []
        if job is None:
            say(f"campaign {campaign.name}, run {name}: checking its jobs")
            batch = campaign.batch(name)
            for of, parts in batch.scores:
                for one in parts:
                    if one.refused:
                        say(f"{of.backend}: {one.part.name}: not supported: {one.refused}")
            jobs = batch.all_jobs
            cost = sum((least_cost_usd(one.backend, one.shots, 1) for one in jobs), Decimal(0))
            job = submit_batch(
                session, set_, batch, key=key, tag=campaign.tag(name),
                max_cost_usd=campaign.max_cost_usd,
            )  # fmt: skip
            new = [job.id]
            say(f"{how_many(len(jobs), 'job')}, {how_many(sum(one.shots for one in jobs), 'shot')}")
            unattended = unattended_queues(session, {one.backend for one in jobs})
        else:
            say(f"campaign {campaign.name}, run {name}: is there already")
        states = {job.id: State(job.state)}
    send_or_say(list(states), Queue.COMPILE, unattended)
    print_submitted(states, new, cost, as_json=as_json)


def _time(text: str) -> datetime:
    if not text:
        return now()
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise InputError(f"--at '{text}': write a time such as 2026-11-24T02:00") from None
    if not 2000 <= found.year <= 9000:
        raise InputError(f"--at '{text}': write a year from 2000 to 9000")
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)
