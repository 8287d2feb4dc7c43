"""Arguments and options that several commands share."""

import os
from typing import Annotated

import typer

from workers.logs import LogFormat

Json = Annotated[bool, typer.Option("--json")]
"""Print one JSON object and nothing else."""
Details = Annotated[bool, typer.Option("--details")]
"""Also print all non-empty fields of the result."""
Seed = Annotated[int, typer.Option(min=0, max=2**31 - 1)]
"""First seed of the attempts."""
RandomSeed = Annotated[int, typer.Option(min=0, max=2**31 - 1)]
"""Seed of all random choices."""
Shots = Annotated[int, typer.Option()]
"""Shots of the circuit."""
Database = Annotated[str, typer.Option(envvar="STICHWERK_DATABASE")]
"""Database: a file for SQLite, or an SQLAlchemy URL."""
ServiceDatabase = Annotated[str, typer.Option("--database")]
"""Database: a file or an SQLAlchemy URL; by default STICHWERK_DATABASE, or stichwerk.sqlite."""
Processes = Annotated[int, typer.Option(min=1, max=64)]
"""Processes that compile in parallel; with `fast`, small programs use one."""
LogFormatOption = Annotated[
    LogFormat | None, typer.Option("--log-format", show_default="STICHWERK_LOG_FORMAT, or text")
]
"""Log format: text, or json (one object a line)."""

HandOver = Annotated[bool, typer.Option("--queue")]
"""Submit to the workers, on any backend: one job with child jobs."""
QueueTag = Annotated[str, typer.Option("--tag")]
"""With --queue: tag of all its jobs."""
Tag = Annotated[str, typer.Option()]
"""Tag of the job, by which commands select it."""

MAX_SECONDS = 1e9
"""Of any duration; NaN is refused like larger values."""
DATABASE = "stichwerk.sqlite"
PROCESSES = len(os.sched_getaffinity(0))
