"""Schedules as cron writes them: minute, hour, day of the month, month, day of the week."""

from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from attrs import frozen

from compiler.errors import InputError

FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
MOST_DAYS = 8 * 366 + 1
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
        for back in range(MOST_DAYS):
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
    """Return the schedule that five fields stand for, such as `30 2 * * 1-5`.

    Raises:
        InputError: saying what is wrong with it.
    """
    fields = text.split()
    if len(fields) != len(FIELDS):
        raise InputError(
            f"schedule '{text}': write five fields, minute hour day month weekday, such as "
            "'0 2 * * *' for two o'clock each night (UTC)"
        )
    found = [_values(one, *of) for one, of in zip(fields, FIELDS, strict=True)]
    minutes, hours, days, months, weekdays = found
    made = Schedule(
        tuple(sorted(minutes)),
        tuple(sorted(hours)),
        frozenset(days),
        frozenset(months),
        frozenset(day % 7 for day in weekdays),
        fields[2] == "*",
        fields[4] == "*",
    )
    if made.last(datetime(2028, 12, 31, 23, 59, tzinfo=UTC)) is None:
        raise InputError(f"schedule '{text}': there is no such day")
    return made


def _values(text: str, name: str, least: int, most: int) -> set[int]:
    found: set[int] = set()
    for part in text.split(","):
        span, _, step = part.partition("/")
        first, dash, last = span.partition("-")
        low, high = (least, most) if span == "*" else (first, last if dash else first)
        if "/" in part and span != "*" and not dash:
            high = most
        numbers = [str(one) for one in (low, high, step if "/" in part else 1)]
        if not all(one.isascii() and one.isdigit() and len(one) < 4 for one in numbers):
            raise InputError(f"schedule: {name} '{text}': write *, 5, 1-5, */15 or 1,3,5")
        begin, end, by = map(int, numbers)
        if not least <= begin <= end <= most or by < 1:
            raise InputError(f"schedule: {name} '{text}': must be from {least} to {most}")
        found.update(range(begin, end + 1, by))
    return found
