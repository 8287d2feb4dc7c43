"""The command `report`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy import select, union
from sqlalchemy.orm import Session

from compiler.errors import InputError
from compiler.near_misses import nearest
from service.cli.options import DATABASE, Database
from service.cli.output.plots import output_path, write_output
from service.cli.output.printing import say
from service.report.page import report_html
from workers.records.database import open_database
from workers.records.queries.scope import Scope
from workers.records.tables import Compilation, Job


def report_command(
    *,
    output: Annotated[str, typer.Option("--output", "-o", help="File to write.")] = "report.html",
    since: Annotated[
        str, typer.Option(help="Only records of this day or later, such as 2026-01-31.")
    ] = "",
    program: Annotated[str, typer.Option(help="Only records of this program.")] = "",
    database: Database = DATABASE,
) -> None:
    """Write all records as one interactive HTML page that works offline.

    It shows the newest figures and their changes, fidelity over time, two-qubit gates, peers,
    P(win), cards and players, compilations pass by pass, the queue, and the newest jobs.
    Comparisons with peers are always shown in full.

    Examples:
    - `stichwerk report -o report.html`

    - `stichwerk report --program skat-4 --since 2026-01-31`
    """
    path = check_report_path(output)
    scope = Scope(_day(since), program or None)
    with Session(open_database(database)) as session:
        _check_recorded(session, program)
        write_report(session, path, scope)
    say(f"written to {path}")


def _check_recorded(session: Session, program: str) -> None:
    """Refuse a program that nothing is recorded of, where there is something of others."""
    names = set(session.scalars(union(select(Compilation.program), select(Job.program))))
    if program and names and program not in names:
        near = nearest(program, names)
        hint = f"did you mean '{near}'?" if near else f"one that is: {min(names)}"
        raise InputError(f"program '{program}': not recorded; {hint}")


def _day(text: str) -> datetime | None:
    try:
        return datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=UTC) if text else None
    except ValueError as error:
        raise InputError(f"since '{text}': write a day such as 2026-01-31") from error


def check_report_path(output: str) -> Path:
    """Check where a report is to be written, before anything is computed.

    Raises:
        InputError: if it cannot be there.
    """
    return output_path("report", output, (".html",))


def write_report(session: Session, path: Path, scope: Scope | None = None) -> None:
    """Write the page.

    Args:
        session: of the database that holds the records.
        path: where it goes.
        scope: which records; all by default.

    Raises:
        InputError: if the file cannot be written.
    """
    write_output("report", path, report_html(session, scope).encode())
