"""The command `report`."""

from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.orm import Session

from compiler.errors import InputError
from service.options import DATABASE, Database
from service.output import say
from service.report.page import report_html
from workers.database import open_database


def report_command(
    *,
    output: Annotated[str, typer.Option("--output", "-o", help="Where it goes.")] = "report.html",
    database: Database = DATABASE,
) -> None:
    """Write a self-contained HTML page with pictures and tables of what was recorded.

    Example: `stichwerk report -o report.html`
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
    path = Path(output)
    if path.suffix != ".html":
        raise InputError(f"report '{output}': must end in .html")
    if path.is_dir():
        raise InputError(f"report '{output}': is a folder")
    if not path.parent.is_dir():
        raise InputError(f"report '{output}': there is no folder '{path.parent}'")
    return path


def write_report(session: Session, path: Path) -> None:
    """Write the page.

    Raises:
        InputError: if the file cannot be written.
    """
    try:
        path.write_text(report_html(session), encoding="utf-8")
    except OSError as error:
        raise InputError(f"report '{path}': cannot be written: {error.strerror}") from error
