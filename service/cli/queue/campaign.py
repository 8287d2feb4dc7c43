"""The command `campaign`: the run of a schedule that is due, handed to the workers."""

from decimal import Decimal
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from compiler.errors import InputError
from compiler.words.plurals import how_many
from service.cli.options import Json, ServiceDatabase
from service.cli.output.printing import say
from service.cli.queue.sending import hand_over_batch, print_submitted, send_or_say
from service.cli.queue.submit import beside
from workers.campaigns.file import campaign_from_toml
from workers.jobs.lookup import keyed_job
from workers.jobs.request import recorded_key
from workers.jobs.states import Queue, State
from workers.records.database import open_database
from workers.records.tables import now
from workers.settings import settings
from workers.untrusted_programs.files import read_source_file

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
