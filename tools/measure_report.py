"""Measure a report of many jobs: seconds to write and to open it, and its size.

Run `.venv/bin/python -m tools.measure_report --jobs 100000`. The jobs are rows made up from one
that really ran; opening needs Debian's package `chromium`.
"""

import argparse
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

from sqlalchemy import insert, inspect
from sqlalchemy.orm import Session

from compiler.compilation import Options
from games.sources import Source
from service.cli.report import write_report
from tools.pictures import chromium
from workers.compilation.compiling import compile_order
from workers.compilation.orders import CompileOrder, plan_order
from workers.jobs.without_queue import run_job
from workers.records.database import open_database
from workers.records.tables import Event, Job, Record, ScoreRow, now

BACKENDS = ("sparse", "aer:torino", "aer:marrakesh", "ibm:torino", "braket:garnet")
ROWS = 5000
STATES = ("queued", "compiling", "verifying", "submitting", "at_provider", "running", "scoring")


def fill(session: Session, jobs: int) -> None:
    """Record many jobs of one game, with the events and scores of jobs of a queue."""
    order = plan_order(CompileOrder(Source("skat-4"), "star:8", Options("fast"), encoding="lean"))
    compilation = compile_order(session, *order, None, lambda _: None)
    first = run_job(session, compilation, "sparse", 1000, 0)
    job, scores = _columns(first), [_columns(score) for score in first.scores]
    start = now() - timedelta(minutes=10 * jobs)
    for begin in range(1, jobs, ROWS):
        numbers = range(first.id + begin, first.id + min(begin + ROWS, jobs))
        times = {number: start + timedelta(minutes=10 * number) for number in numbers}
        rows = [
            job | {"id": number, "key": f"{number:032x}", "backend": BACKENDS[number % 5],
                   "created_at": at, "finished_at": at + timedelta(seconds=70),
                   "submitted_at": at, "estimated_cost_microusd": number % 5 * 100_000}
            for number, at in times.items()
        ]  # fmt: skip
        session.execute(insert(Job), rows)
        session.execute(
            insert(ScoreRow),
            [s | {"job_id": number} for number in numbers for s in scores],
        )
        session.execute(
            insert(Event),
            [
                {"job_id": number, "state": state, "at": at + timedelta(seconds=10 * place)}
                for number, at in times.items()
                for place, state in enumerate((*STATES, "done"))
            ],
        )
    session.commit()


def _columns(row: Record) -> dict[str, Any]:
    """Return a row's columns but its id."""
    return {c.key: getattr(row, c.key) for c in inspect(type(row)).column_attrs if c.key != "id"}


def seconds_to_open(path: Path) -> tuple[float, float]:
    """Return the seconds until the page can be read, and until its first plot is drawn."""
    with chromium() as browser:
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        started = perf_counter()
        page.goto(path.as_uri())
        readable = perf_counter() - started
        page.locator(".plot").first.scroll_into_view_if_needed()
        page.locator(".plot[data-drawn]").first.wait_for()
        drawn = perf_counter() - started
    return readable, drawn


def main() -> None:
    """Make the records, write the report, open it, and print what that took."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--jobs", type=int, default=100_000)
    jobs = parser.parse_args().jobs
    with TemporaryDirectory() as folder:
        path = Path(folder) / "report.html"
        with Session(open_database(f"{folder}/records.sqlite")) as session:
            fill(session, jobs)
            session.expunge_all()
            started, busy = perf_counter(), process_time()
            write_report(session, path)
            written, busy = perf_counter() - started, process_time() - busy
        readable, drawn = seconds_to_open(path)
        print(
            f"{jobs:,} jobs: written in {written:.1f} s ({busy:.1f} s of one core), "
            f"{path.stat().st_size / 1e6:.1f} MB; readable after {readable:.1f} s, "
            f"the first plot after {drawn:.1f} s"
        )


if __name__ == "__main__":
    main()
