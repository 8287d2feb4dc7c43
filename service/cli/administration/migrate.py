"""The command `migrate`."""

import time
from typing import Annotated

import typer
from sqlalchemy.exc import OperationalError

from compiler.errors import InputError
from service.cli.options import MOST_SECONDS, ServiceDatabase
from service.cli.output.printing import say
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
