"""Schedules mean what cron means by them."""

from datetime import UTC, datetime

import pytest

from compiler.errors import InputError
from workers.campaigns.file import schedule_from_text

NOW = datetime(2026, 11, 24, 19, 30, 59, tzinfo=UTC)
"""A Tuesday."""


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("* * * * *", "2026-11-24T19:30"),
        ("30 19 * * *", "2026-11-24T19:30"),
        ("31 19 * * *", "2026-11-23T19:31"),
        ("*/15 * * * *", "2026-11-24T19:30"),
        ("0 2-6/2,23 * * *", "2026-11-24T06:00"),
        ("0 2 * * 1-5", "2026-11-24T02:00"),
        ("0 2 * * 0", "2026-11-22T02:00"),
        ("0 2 * * 7", "2026-11-22T02:00"),
        ("0 2 1 * *", "2026-11-01T02:00"),
        # Either of them, if both are restricted.
        ("0 2 1 * 6", "2026-11-21T02:00"),
        ("0 0 29 2 *", "2024-02-29T00:00"),
        ("50 23 31 12 *", "2025-12-31T23:50"),
        ("5/20 4 * * *", "2026-11-24T04:45"),
    ],
)
def test_the_last_time_that_was_due(text, last):
    found = schedule_from_text(text).last(NOW)
    assert f"{found:%Y-%m-%dT%H:%M}" == last


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "write five fields"),
        ("0 2 * *", "write five fields"),
        ("60 2 * * *", "minute '60': must be from 0 to 59"),
        ("0 24 * * *", "hour '24'"),
        ("0 2 0 * *", "day '0'"),
        ("0 2 * 13 *", "month '13'"),
        ("0 2 * * 8", "weekday '8'"),
        ("0 2 * * mon", "weekday 'mon': write"),
        ("*/0 2 * * *", "minute '*/0'"),
        ("5-1 2 * * *", "minute '5-1'"),
        ("-1 2 * * *", "minute '-1'"),
        ("²0 2 * * *", "minute"),
        ("1,,2 2 * * *", "minute '1,,2'"),
        ("0 2 31 2 *", "no such day"),
    ],
)
def test_what_is_refused(text, message):
    with pytest.raises(InputError, match=message.replace("*", r"\*")):
        schedule_from_text(text)
