"""The command `status`: whether the service can work, and its problems."""

from collections.abc import Iterable
from textwrap import TextWrapper

from sqlalchemy.exc import ArgumentError

from compiler.errors import InputError
from service.cli.options import Json, ServiceDatabase
from service.cli.output.printing import print_json, print_table, terminal_width
from service.cli.queue.existing_jobs import existing_address
from service.results.model import Table
from service.results.status import StatusResult, work_tables
from workers.records.database import connected, reason_of
from workers.settings import settings
from workers.status.budgets import spoken
from workers.status.status import Status, service_status

LESS_IMPORTANT = ("jobs in parallel", "since", "version", "revision")
"""Columns that narrow terminals do without."""


def status_command(*, database: ServiceDatabase = "", as_json: Json = False) -> int:
    """Check whether the service can do its work: exit code 0 if it can, else 1.

    The first lines name the problems. Run it with the workers' environment variables, which set the
    budget limits and the address of Redis. The state of providers comes from the workers' calls.

    Example: `stichwerk status`
    """
    address = existing_address(database)
    try:
        engine = connected(address)
    except (ArgumentError, ImportError) as error:
        raise InputError(f"database '{address}': {reason_of(error)}") from error
    status = service_status(engine, settings())
    engine.dispose()
    if as_json:
        print_json(StatusResult.of(status))
    else:
        print_status(status)
    return int(not status.well)


def print_status(status: Status) -> None:
    """Write the problems, then all facts, as tables that fit the terminal."""
    width = terminal_width()
    for word, lines in (
        ("problem", status.problems),
        ("ok", [] if status.problems else ["no problems"]),
        ("note", status.notes),
    ):
        wrapper = TextWrapper(width, subsequent_indent=" " * (len(word) + 2))
        for line in lines:
            print(wrapper.fill(f"{word}: {line}"))
    print()
    for name, facts in (("database", _database(status)), ("Redis", _broker(status))):
        wrapper = TextWrapper(width, initial_indent=f"{name:10}", subsequent_indent=" " * 10)
        print(wrapper.fill(", ".join(facts)))
    for table in _tables(status):
        if table.rows:
            print()
            print_table(table.title, table.columns, table.rows, width, LESS_IMPORTANT)


def _database(status: Status) -> Iterable[str]:
    answer = status.database
    yield answer.address
    yield answer.kind or "no answer"
    if answer.tables is not None:
        yield f"tables of version {answer.tables}"
    if answer.bytes is not None:
        yield _size(answer.bytes)
    if answer.free_bytes is not None:
        yield f"{_size(answer.free_bytes)} free on the disk"


def _broker(status: Status) -> Iterable[str]:
    answer = status.broker
    yield answer.address
    if answer.version is not None:
        yield f"Redis {answer.version}"
        yield "primary" if answer.role == "master" else "read-only replica"
    elif answer.messages is None:
        yield "no answer"


def _tables(status: Status) -> Iterable[Table]:
    yield Table(
        "Queues",
        ("queue", "jobs", "oldest", "messages", "worker processes"),
        [
            (row.queue.value, row.jobs, spoken(row.oldest_seconds) if row.jobs else "",
             row.messages, row.processes)
            for row in status.queues
        ],
    )  # fmt: skip
    yield Table(
        "Budgets (USD)",
        ("budget", "reserved", "limit", "left", ""),
        [
            (row.name, f"{row.reserved_usd:.2f}", _amount(row.limit_usd), _amount(row.left_usd),
             "spent" if row.spent else "")
            for row in status.budgets
            if row.limit_usd is not None or row.reserved_usd
        ],
    )  # fmt: skip
    yield from work_tables(status)


def _amount(usd: object) -> str:
    return "none" if usd is None else f"{usd:.2f}"


def _size(size: int) -> str:
    for unit, length in (("GB", 10**9), ("MB", 10**6)):
        if size >= length:
            return f"{size / length:.1f} {unit}"
    return f"{size / 1000:.0f} kB"
