"""What a report calls things, and links to jobs."""

from collections import Counter
from collections.abc import Collection, Sequence
from datetime import UTC, datetime

from service.report.markup import Html, element
from service.report.reading.compiled import Compiled
from service.report.reading.runs import Run


def run_names(runs: Sequence[Run]) -> list[str]:
    """Return a name for each run: backend and way of compiling; the target where they need it."""
    short = [f"{run.backend} · {run.kind.way}" for run in runs]
    same = Counter(zip((run.kind.program for run in runs), short, strict=True))
    return [
        name if same[run.kind.program, name] == 1 else f"{name} · {run.kind.target}"
        for run, name in zip(runs, short, strict=True)
    ]


def compiled_name(compilation: Compiled) -> str:
    """Return what was compiled, for what and how."""
    kind = compilation.kind
    return f"{kind.program} on {kind.target} · {kind.way}"


def job_link(job: int, linked: Collection[int]) -> Html:
    """Return a job's number, as a link if the page tells more about it."""
    return element("a", str(job), href=f"#job-{job}") if job in linked else Html(job)


def clock(at: datetime) -> str:
    """Return a time in UTC to the second, so that texts sort as times do."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def minute(at: datetime) -> str:
    """Return a time in UTC to the minute."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}"
