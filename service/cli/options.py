"""Arguments and options that several commands share."""

import os
from typing import Annotated

import typer

from workers.logs import LogFormat

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object, nothing else.")]
Seed = Annotated[int, typer.Option(min=0, max=2**31 - 1, help="First seed of the attempts.")]
RandomSeed = Annotated[int, typer.Option(min=0, max=2**31 - 1, help="Of all that is random.")]
Plot = Annotated[
    str,
    typer.Option(
        "--plot",
        "--output",
        "-o",
        metavar="FILE.png|.svg|.pdf",
        help="Draw the picture to a .png, .svg or .pdf.",
    ),
]
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

MOST_SECONDS = 1e9
"""Of any duration; what is no number at all is refused with what is larger."""
DATABASE = "stichwerk.sqlite"
PROCESSES = len(os.sched_getaffinity(0))
