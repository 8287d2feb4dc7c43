"""Names in a report, and links to jobs."""

from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime

from compiler.judge import observable_title
from compiler.scores.scoring import Score
from service.pages.tables import Number
from workers.records.queries.compilations import Compiled
from workers.records.queries.runs import Run


def run_names(runs: Sequence[Run]) -> list[str]:
    """Return a name for each run: backend and way; target and circuit where they need it."""
    names = [f"{run.backend} · {run.configuration.way}" for run in runs]
    for more in (
        lambda run: run.configuration.target,
        lambda run: f"circuit {run.circuit.removeprefix('compilation ')[:12]}",
    ):
        same = Counter(zip((run.configuration.program for run in runs), names, strict=True))
        names = [
            name if same[run.configuration.program, name] == 1 else f"{name} · {more(run)}"
            for run, name in zip(runs, names, strict=True)
        ]
    return names


def compiled_name(compilation: Compiled) -> str:
    """Return program, target and method."""
    configuration = compilation.configuration
    return f"{configuration.program} on {configuration.target} · {configuration.way}"


def clock(at: datetime) -> str:
    """Return a time in UTC to the second, so that texts sort as times do."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M:%S}"


def minute(at: datetime) -> str:
    """Return a time in UTC to the minute."""
    return f"{at.astimezone(UTC):%Y-%m-%d %H:%M}"


def newest(shown: int, total: int, what: str) -> str:
    """Return how many of how many records are shown."""
    if shown >= total:
        return f"all {total:,} {what}"
    return f"the newest {shown:,} of {total:,} {what}"


def first_observable(score: Score | None) -> Number | None:
    """Return the most important observable of a score with its interval; None without any."""
    name, row = next(iter(score.observables.items()), ("", None)) if score else ("", None)
    if row is None or row.measured is None:
        return None
    interval = "" if row.low is None else f" [{row.low:.3f}, {row.high:.3f}]"
    return Number(f"{observable_title(name, row.kind)} {row.measured:.3f}{interval}")
