"""Arguments and options that several commands share."""

import os
from typing import Annotated

import typer

from workers.logs import LogFormat

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object and nothing else.")]
Details = Annotated[
    bool, typer.Option("--details", help="Also print all fields of the result that are set.")
]
Seed = Annotated[int, typer.Option(min=0, max=2**31 - 1, help="First seed of the attempts.")]
RandomSeed = Annotated[int, typer.Option(min=0, max=2**31 - 1, help="Seed of everything random.")]
Shots = Annotated[int, typer.Option(help="Shots of the circuit.")]
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
    int,
    typer.Option(
        min=1,
        max=64,
        help="Processes that compile in parallel; small programs take one with `fast`.",
    ),
]
LogFormatOption = Annotated[
    LogFormat | None,
    typer.Option(
        "--log-format",
        help="Log format: text, or json (one object a line).",
        show_default="STICHWERK_LOG_FORMAT, or text",
    ),
]

HandOver = Annotated[
    bool,
    typer.Option("--queue", help="Submit to the workers, on any backend: one job with child jobs."),
]
QueueTag = Annotated[str, typer.Option("--tag", help="With --queue: tag of all its jobs.")]
Tag = Annotated[str, typer.Option(help="Tag of the job, to find it again.")]

MAX_SECONDS = 1e9
"""Of any duration; NaN is refused like larger values."""
DATABASE = "stichwerk.sqlite"
PROCESSES = len(os.sched_getaffinity(0))
