"""Campaign files: programs, backends and schedules of measurements."""

from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import product
from pathlib import Path

from attrs import evolve, frozen
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from backends.devices.reading import SNAPSHOT, backend_beside, target_with_calibration
from compiler.errors import InputError
from compiler.formats.toml_document import TomlError, toml_document
from games.sources import Source
from workers.batches.batch import Batch
from workers.jobs.request import Case, case_digest, case_submissions
from workers.jobs.submission import checked
from workers.score.suite import NEWEST, planned_part, score_run, suite_named
from workers.settings import dollars
from workers.suites import Names, first_mistake

FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
MAX_DAYS = 8 * 366 + 1
"""Between two 29ths of February, at most."""


@frozen
class Schedule:
    """Minutes at which something is due, UTC.

    As cron has it, a day is due by its month's or its week's field if both are restricted.

    Args:
        minutes: of an hour, in order.
        hours: of a day, in order.
        days: of a month.
        months: of a year.
        weekdays: from 0, Sunday, to 6.
        any_day: whether the field of days is `*`.
        any_weekday: whether the field of weekdays is `*`.
    """

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: frozenset[int]
    months: frozenset[int]
    weekdays: frozenset[int]
    any_day: bool
    any_weekday: bool

    def last(self, at: datetime) -> datetime | None:
        """Return the last time that was due at a time or before; None if there never is one."""
        for back in range(MAX_DAYS):
            day = (at - timedelta(days=back)).date()
            if self._holds(day):
                for hour, minute in self._times():
                    due = datetime(day.year, day.month, day.day, hour, minute, tzinfo=UTC)
                    if due <= at:
                        return due
        return None

    def _holds(self, day: date) -> bool:
        if day.month not in self.months:
            return False
        of_month, of_week = day.day in self.days, day.isoweekday() % 7 in self.weekdays
        if self.any_day or self.any_weekday:
            return of_month and of_week
        return of_month or of_week

    def _times(self) -> Iterator[tuple[int, int]]:
        """Yield the times of a day, the last one first."""
        for hour in reversed(self.hours):
            for minute in reversed(self.minutes):
                yield hour, minute


def schedule_from_text(text: str) -> Schedule:
    """Return the schedule of five fields, such as `30 2 * * 1-5`.

    Raises:
        InputError: with the invalid field.
    """
    fields = text.split()
    if len(fields) != len(FIELDS):
        raise InputError(
            f"schedule '{text}': write five fields, minute hour day month weekday, such as "
            "'0 2 * * *' for two o'clock each night (UTC)"
        )
    values = [_values(field, *of) for field, of in zip(fields, FIELDS, strict=True)]
    minutes, hours, days, months, weekdays = values
    result = Schedule(
        tuple(sorted(minutes)),
        tuple(sorted(hours)),
        frozenset(days),
        frozenset(months),
        frozenset(day % 7 for day in weekdays),
        fields[2] == "*",
        fields[4] == "*",
    )
    if result.last(datetime(2028, 12, 31, 23, 59, tzinfo=UTC)) is None:
        raise InputError(f"schedule '{text}': there is no such day")
    return result


def _values(text: str, name: str, least: int, most: int) -> set[int]:
    result: set[int] = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        first, dash, last = span.partition("-")
        low, high = (least, most) if span == "*" else (first, last if dash else first)
        if "/" in part and span != "*" and not dash:
            high = most
        numbers = [str(number) for number in (low, high, step if "/" in part else 1)]
        if not all(number.isascii() and number.isdigit() and len(number) < 4 for number in numbers):
            raise InputError(f"schedule: {name} '{text}': write *, 5, 1-5, */15 or 1,3,5")
        begin, end, by = map(int, numbers)
        if not least <= begin <= end <= most or by < 1:
            raise InputError(f"schedule: {name} '{text}': must be from {least} to {most}")
        result.update(range(begin, end + 1, by))
    return result


Read = Callable[[str, str], Source]
MAX_JOBS = 2000
"""Of one campaign."""


class _Score(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    backends: Names
    suite: str = NEWEST
    seed: int = Field(0, ge=0, lt=2**31)
    calibration: str = SNAPSHOT
    recompile_after: float | None = Field(None, ge=0, allow_inf_nan=False, strict=False)


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    campaign: str = Field(min_length=1, max_length=40, pattern=r"^[\w.-]+$")
    schedule: str
    max_cost: str | None = None
    score: list[_Score] = []
    case: list[Case] = []


@frozen
class Campaign:
    """Measurements that are repeated on a schedule.

    Args:
        name: of the campaign.
        schedule: of its runs.
        max_cost_usd: limit of the cost of one run; None for no limit of its own.
        file: the jobs of its file.
        folder: of the files that it names.
        read: returns the program of a name, with its expected result.
    """

    name: str
    schedule: Schedule
    max_cost_usd: Decimal | None
    file: _File
    folder: Path
    read: Read

    def due(self, at: datetime) -> datetime:
        """Return the last time at which it was due."""
        result = self.schedule.last(at)
        assert result is not None, "a schedule has been checked"
        return result

    def batch(self, run: str) -> Batch:
        """Return the jobs of one time.

        Raises:
            InputError: if a job cannot be run; parts of scores that cannot be count as 0.
        """
        name = f"{self.name} {run}"
        jobs = {}
        for case in self.file.case:
            for submission in case_submissions(case, self.name, self.read, self.folder):
                ready = checked(submission)
                key = f"campaign:{name}:{case_digest(ready)}"[:150]
                jobs[key] = evolve(ready, tag=self.tag(run), idempotency_key=key)
        scores = []
        for score, backend in self._scored():
            target = target_with_calibration(backend, "", score.calibration, self.folder)
            of = score_run(suite_named(score.suite), backend, name, target)
            parts = tuple(
                planned_part(of, part, score.seed, score.recompile_after) for part in of.suite.parts
            )
            scores.append((of, parts))
        return Batch(f"campaign {self.name}", tuple(jobs.values()), tuple(scores))

    def tag(self, run: str) -> str:
        """Return the tag of the jobs of one run."""
        return f"campaign {self.name} {run}"

    def _scored(self) -> Iterator[tuple[_Score, str]]:
        for score in self.file.score:
            for backend in score.backends:
                yield score, backend_beside(backend, self.folder)


def campaign_from_toml(text: str, name: str, read: Read, folder: Path = Path()) -> Campaign:
    """Return the campaign of a file.

    Args:
        text: of the file.
        name: of the file, for messages.
        read: returns the program of a name in the file; see `suite_from_toml`.
        folder: where files that it names are looked for.

    Raises:
        InputError: with the fault.
    """
    try:
        content = _File.model_validate(toml_document(text, parse_float=Decimal))
        schedule = schedule_from_text(content.schedule)
        limit = None if content.max_cost is None else dollars(content.max_cost)
    except TomlError as error:
        raise InputError(f"{name}: not TOML: {error}") from error
    except InputError as error:
        raise InputError(f"{name}: {error}") from error
    except ValidationError as error:
        keys = {*_File.model_fields, *_Score.model_fields, *Case.model_fields}
        raise InputError(first_mistake(error, keys, name, text)) from error
    for score in content.score:
        suite_named(score.suite)
    sizes = [len(suite_named(score.suite).parts) * len(score.backends) for score in content.score]
    sizes += [
        len(list(product(case.programs, case.backends, case.targets or [""])))
        for case in content.case
    ]
    if not sizes:
        raise InputError(f"{name}: measures nothing; write a [[score]] or a [[case]]")
    if sum(sizes) > MAX_JOBS:
        raise InputError(f"{name}: stands for {sum(sizes):,} jobs; {MAX_JOBS:,} are allowed")
    return Campaign(content.campaign, schedule, limit, content, folder, read)
