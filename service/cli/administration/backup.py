"""The commands `backup` and `restored`."""

from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from service.cli.options import Json, ServiceDatabase
from service.cli.output.printing import print_json, say
from service.cli.queue.existing_jobs import existing_records
from workers.records.backup import back_up, doubt_restored
from workers.status.problems import counted


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
        print_json({"open": marked.open, "ended": marked.ended})
        return
    say(
        f"{counted(marked.open, 'job')} will be looked for at providers before they are submitted; "
        f"{marked.ended:,} that had failed or been cancelled, if they are retried"
    )
