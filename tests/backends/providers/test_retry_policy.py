"""Statuses and headers of providers: their meaning, and the longest wait that they can ask for."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from backends import (
    BackendError,
    CredentialsError,
    GoneError,
    NotAcceptedError,
    UnavailableError,
)
from backends.providers.retry_policy import POLICIES, wait_seconds
from workers.clock import pause_seconds

TYPES = {
    BackendError: (400, 405, 406, 411, 413, 415, 418, 422, 451, 499),
    CredentialsError: (401, 403),
    NotAcceptedError: (402, 423, 424),
    GoneError: (404, 410),
    UnavailableError: (-1, 0, 302, 408, 409, 425, 429, 500, 502, 503, 504, 507, 599),
}


@pytest.mark.parametrize(
    ("status", "kind"), [(status, kind) for kind, all_ in TYPES.items() for status in all_]
)
def test_each_status_has_one_meaning(status, kind):
    for policy in POLICIES.values():
        assert policy.error_type(status) is kind
        assert type(policy.error(status, "no")) is kind


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        ("0", 0.0),
        ("1.5", 1.5),
        (" 7 ", 7.0),
        ("900000000", 9e8),
        ("9" * 99, 1e9),
        ("9" * 5000, 1e9),
        *[
            (odd, None)
            for odd in (
                None, "", "-1", "-900000000", "nan", "NaN", "inf", "1e9", "0x10", "1_000", "+5",
                "soon", "1 2", "١", "Wed, 21 Oct 99999 07:28:00 GMT", "Wed, 99 Oct 2065 07:28 GMT",
            )
        ],
    ],
)  # fmt: skip
def test_a_wait_is_a_number_of_seconds_or_nothing(header, seconds):
    assert wait_seconds(header) == seconds


def test_a_wait_may_be_a_date():
    then = datetime.now(UTC) + timedelta(seconds=1000)
    assert 900 < wait_seconds(format_datetime(then, usegmt=True)) <= 1000
    assert wait_seconds("Wed, 21 Oct 2015 07:28:00 GMT") == 0
    assert wait_seconds("Sun Nov  6 08:49:37 1994") == 0
    assert wait_seconds("Fri, 31 Dec 9999 23:59:59 GMT") == 1e9


def test_a_pause_doubles_up_to_its_limit():
    assert [pause_seconds(failures, 1.0, 6.0) for failures in (1, 2, 3, 4, 10**6)] == [
        1.0, 2.0, 4.0, 6.0, 6.0
    ]  # fmt: skip
