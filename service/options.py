"""Arguments and options that several commands share."""

import os
from math import isfinite
from typing import Annotated

import typer

from workers.logs import LogFormat

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, nothing else.")]
Seed = Annotated[int, typer.Option(min=0, max=2**31 - 1, help="First seed of the attempts.")]
Shots = Annotated[int, typer.Option(help="How often the circuit runs.")]
Database = Annotated[
    str,
    typer.Option(
        envvar="STICHWERK_DATABASE", help="Records: a file for SQLite, or an SQLAlchemy URL."
    ),
]
ServiceDatabase = Annotated[
    str,
    typer.Option(
        "--database",
        help="Records, by default STICHWERK_DATABASE or stichwerk.sqlite.",
        show_default=False,
    ),
]
Processes = Annotated[
    int, typer.Option(min=1, max=64, help="Processes that make attempts side by side.")
]
LogFormatOption = Annotated[
    LogFormat | None,
    typer.Option(
        "--log-format",
        help="How it logs: text, or json, one object a line.",
        show_default="STICHWERK_LOG_FORMAT, or text",
    ),
]


def finite(seconds: float | None) -> float | None:
    """Refuse a duration that is no number: none of those is below or above a limit.

    Raises:
        BadParameter: if it is not finite.
    """
    if seconds is not None and not isfinite(seconds):
        raise typer.BadParameter(f"{seconds} is not a finite number of seconds")
    return seconds


MOST_SECONDS = 1e9
DATABASE = "stichwerk.sqlite"
PROCESSES = len(os.sched_getaffinity(0))
