"""The command `report`."""

from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from service.cli.options import DATABASE, Database
from service.cli.output.plots import output_path, write_output
from service.cli.output.printing import say
from service.report.page import report_html
from workers.records.database import open_database


def report_command(
    *,
    output: Annotated[str, typer.Option("--output", "-o")] = "report.html",
    database: Database = DATABASE,
) -> None:
    """Write all records as one interactive HTML page that works offline.

    The page shows the newest results and their changes, fidelity over time, gate counts,
    comparisons with other compilers, observables, the compiler's passes, the queue, and the newest
    jobs.

    Example: `stichwerk report -o report.html`

    Options:
        output: File to write.
    """
    path = check_report_path(output)
    with Session(open_database(database)) as session:
        write_report(session, path)
    say(f"written to {path}")


def check_report_path(output: str) -> Path:
    """Check where a report is to be written, before anything is computed.

    Raises:
        InputError: if it cannot be there.
    """
    return output_path("report", output, (".html",))


def write_report(session: Session, path: Path) -> None:
    """Write the page.

    Args:
        session: of the database that holds the records.
        path: where it goes.

    Raises:
        InputError: if the file cannot be written.
    """
    write_output("report", path, report_html(session).encode())
