"""Retry policy: the meaning of each provider's failures, and the pause before the next try.

The table `POLICIES` has one row for each provider. A request that only reads is repeated at once,
by the transport; everything else is a matter of the job, which waits and tries again. A request
that may have been accepted is never repeated by the transport.
"""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from attrs import Factory, frozen

from backends.errors import (
    BackendError,
    CredentialsError,
    GoneError,
    NotAcceptedError,
    UnavailableError,
)
from backends.providers.text import MAX_SECONDS

STATUSES: Mapping[int, type[BackendError]] = {
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


@frozen
class RetryPolicy:
    """Failures of one provider.

    `UnavailableError` and `NotAcceptedError` are retried without an end, `CredentialsError` until
    a user cancels the job, every other `BackendError` is final.

    Args:
        codes: error of each of the provider's own error codes, which go before the status.
        attempts: of a request that only reads, within the time of one call.
        repeated_statuses: after which such a request is repeated.
        pause_seconds: before the first repetition; doubled with each.
    """

    codes: Mapping[str, type[BackendError]] = Factory(dict)
    attempts: int = 1
    repeated_statuses: tuple[int, ...] = ()
    pause_seconds: float = 0.0

    def error_type(self, status: int, code: str = "") -> type[BackendError]:
        """Return the error of an answer; every status that is not 4xx is an outage."""
        if code in self.codes:
            return self.codes[code]
        return STATUSES.get(status, BackendError) if 400 <= status < 500 else UnavailableError

    def error(
        self, status: int, message: str, retry_after: str | None = None, code: str = ""
    ) -> BackendError:
        """Return the error of an answer.

        Args:
            status: of HTTP.
            message: of the error.
            retry_after: value of the header `Retry-After`, if there is one.
            code: the provider's own name of the error.
        """
        kind = self.error_type(status, code)
        if issubclass(kind, UnavailableError):
            return kind(message, wait_seconds(retry_after))
        return kind(message)


POLICIES: Mapping[str, RetryPolicy] = {
    "ibm": RetryPolicy(attempts=3, repeated_statuses=(500, 502, 503, 504), pause_seconds=0.2),
    "braket": RetryPolicy(
        codes={
            **dict.fromkeys(
                (
                    "AuthFailure", "ExpiredToken", "ExpiredTokenException", "IncompleteSignature",
                    "InvalidAccessKeyId", "InvalidClientTokenId", "InvalidSignatureException",
                    "InvalidToken", "MissingAuthenticationToken",
                    "MissingAuthenticationTokenException", "SignatureDoesNotMatch",
                    "TokenRefreshRequired", "UnrecognizedClientException",
                ),
                CredentialsError,
            ),
            **dict.fromkeys(
                (
                    "RequestTimeout", "RequestTimeoutException", "SlowDown", "Throttling",
                    "ThrottlingException",
                ),
                UnavailableError,
            ),
        }
    ),
}  # fmt: skip


def wait_seconds(retry_after: str | None) -> float | None:
    """Return the seconds that a header `Retry-After` asks to wait, None if it says nothing usable.

    Args:
        retry_after: a number of seconds from 0 on, or a date as HTTP writes it.
    """
    text = (retry_after or "").strip()[:MAX_LENGTH]
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", text):
        return min(float(text), MAX_SECONDS)
    try:
        moment = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    moment = moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)
    return min(max(0.0, (moment - datetime.now(UTC)).total_seconds()), MAX_SECONDS)
