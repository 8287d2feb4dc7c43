"""Meaning of HTTP statuses in answers of providers, the same for all of them."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from backends.errors import (
    BackendError,
    CredentialsError,
    GoneError,
    NotAcceptedError,
    UnavailableError,
)
from backends.providers.text import MOST_SECONDS

ERRORS: Mapping[int, type[BackendError]] = {
    401: CredentialsError,
    402: NotAcceptedError,  # the account has used up a quota
    403: CredentialsError,
    404: GoneError,
    408: UnavailableError,
    409: UnavailableError,  # another request for the same thing may still be on its way
    410: GoneError,  # a device is retired, or a result deleted
    423: NotAcceptedError,
    424: NotAcceptedError,  # the device is offline
    425: UnavailableError,
    429: UnavailableError,
}
"""Error of each status from 400 to 499 that is not a final refusal, which is `BackendError`."""


MAX_LENGTH = 100
"""Characters of a header that are read."""


def error_type(status: int) -> type[BackendError]:
    """Return the error of an HTTP status; whatever is not 4xx is an outage."""
    return ERRORS.get(status, BackendError) if 400 <= status < 500 else UnavailableError


def status_error(status: int, message: str, retry_after: str | None = None) -> BackendError:
    """Return the error of an answer.

    Args:
        status: of HTTP.
        message: what happened.
        retry_after: value of the header `Retry-After`, if there is one.
    """
    kind = error_type(status)
    if issubclass(kind, UnavailableError):
        return kind(message, wait_seconds(retry_after))
    return kind(message)


def wait_seconds(retry_after: str | None) -> float | None:
    """Return the seconds that a header `Retry-After` asks to wait, None if it says nothing usable.

    Args:
        retry_after: a number of seconds from 0 on, or a date as HTTP writes it.
    """
    text = (retry_after or "").strip()[:MAX_LENGTH]
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
        return min(float(text), MOST_SECONDS)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return min(max(0.0, (moment - datetime.now(UTC)).total_seconds()), MOST_SECONDS)
