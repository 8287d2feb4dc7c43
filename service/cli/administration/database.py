"""The command `migrate`."""

import time
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from compiler.errors import InputError
from compiler.words.plurals import how_many
from service.cli.options import MOST_SECONDS, Json, ServiceDatabase
from service.cli.output.printing import print_json, say
from service.cli.queue.existing_jobs import existing_records
from service.results.administration import RestoredRecords
from workers.records.backup import back_up, doubt_restored
from workers.records.database import open_database
from workers.settings import settings

LOOK_SECONDS = 0.5


def migrate_command(
    *,
    wait: Annotated[
        float,
        typer.Option(
            min=0,
            max=MOST_SECONDS,
            help="Seconds that the database may take to answer.",
        ),
    ] = 0.0,
    database: ServiceDatabase = "",
) -> None:
    """Bring the tables of the database up to date, and make them if there are none.

    Every other command does so, too; this one does nothing else, and can wait for a database that
    is still starting. Any number may run at once: one of them migrates, the others wait for it.

    Example: `stichwerk migrate --wait 300`
    """
    address = database or settings().database
    end = time.monotonic() + wait
    told = ""
    while True:
        try:
            open_database(address).dispose()
        except InputError as error:
            # An address that makes no sense will not make any later.
            if not isinstance(error.__cause__, OperationalError) or time.monotonic() >= end:
                raise
            # A wrong password is away for ever, and only whoever reads this can tell.
            if str(error) != told:
                told = str(error)
                say(f"waiting {wait:g} s at most: {told}")
            time.sleep(LOOK_SECONDS)
        else:
            break
    say("the tables of the database are up to date")


def backup_command(
    *,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A new file.", show_default=False)],
    database: ServiceDatabase = "",
) -> None:
    """Copy records in SQLite to a file, as they are at one moment, while everything goes on.

    For PostgreSQL take pg_dump; docs/operating.md tells how, and how to restore either.

    Example: `stichwerk backup stichwerk-2026-01-31.sqlite`
    """
    back_up(existing_records(database), Path(file))
    say(f"written to {file}")


def restored_command(*, database: ServiceDatabase = "", as_json: Json = False) -> None:
    """Say that the records were restored from a backup, before any worker is started.

    Jobs that the backup holds as never submitted may have been submitted since. They are looked
    for by their keys at their providers before they are submitted, so that none is paid for twice.
    Run it with the variables with which the workers run.

    Example: `stichwerk restored`, then `stichwerk up`
    """
    with Session(existing_records(database)) as session:
        marked = doubt_restored(session)
    if as_json:
        print_json(RestoredRecords.model_validate(marked))
        return
    say(
        f"{how_many(marked.open, 'job')} will be looked for at providers before they are "
        f"submitted; {marked.ended:,} that had failed or been cancelled, if they are retried"
    )
