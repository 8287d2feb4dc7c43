"""Shared parts of the commands about jobs: their numbers, and records that must exist."""

from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import Engine
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from compiler.errors import InputError
from workers.logs import redacted
from workers.records.database import open_database
from workers.settings import settings

JobId = Annotated[str, typer.Argument(metavar="ID")]
"""Number of a job."""
JobIds = Annotated[list[str], typer.Argument(metavar="ID...")]
"""Numbers of jobs."""


def job_number(text: str, command: str) -> int:
    """Return the number in a user's text.

    Args:
        text: of the user.
        command: whose help lists numbers.

    Raises:
        InputError: if it is no number.
    """
    # Databases number jobs with less digits by far.
    if not (text.isascii() and text.isdecimal() and len(text) < 40):
        raise InputError(f"job '{text[:40]}': not a number; see 'stichwerk {command} --help'.")
    return int(text)


def existing_records(database: str) -> Engine:
    """Return an engine for existing records: reading commands create none.

    Args:
        database: a file for SQLite or an SQLAlchemy URL; if empty, that of the settings.

    Raises:
        InputError: if there are none, or they cannot be opened.
    """
    return open_database(existing_address(database))


def existing_address(database: str) -> str:
    """Return the address of existing records; see `existing_records`."""
    address = database or settings().database
    file = _sqlite_file(address)
    try:
        exists = not file or Path(file).exists()
    except OSError as error:
        raise InputError(f"database '{redacted(address)}': {error.strerror}") from error
    if not exists:
        raise InputError(f"no records at '{redacted(address)}'; name others with --database")
    return address


def _sqlite_file(address: str) -> str | None:
    if "://" not in address:
        return address
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        return None
    return url.database if url.get_backend_name() == "sqlite" else None
