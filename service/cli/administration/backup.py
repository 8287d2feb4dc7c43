"""The command `backup`."""

from pathlib import Path
from typing import Annotated

import typer

from service.cli.options import ServiceDatabase
from service.cli.output.printing import say
from service.cli.queue.existing_jobs import existing_records
from workers.records.backup import back_up


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
