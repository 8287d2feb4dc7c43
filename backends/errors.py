"""Errors of backends."""

from collections.abc import Mapping

from compiler.errors import InputError, StichwerkError


class BackendError(StichwerkError):
    """A provider refused or failed a job, and asking again would not help."""


class UnavailableError(BackendError):
    """A provider does not answer just now: no connection, too many requests, its own failure.

    It is unknown whether it has received the request.

    Args:
        message: with the cause.
        retry_after: seconds that the provider asks to wait, None without such a number.
    """

    def __init__(self, message: str, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class NotAcceptedError(UnavailableError):
    """A provider answered that it does not take this now, such as while a device is offline.

    The request was heard and not accepted, so that repeating it later cannot pay twice.
    """


class CircuitsRefusedError(BackendError):
    """Some of the circuits of one provider job cannot be run; nothing was sent.

    Args:
        reasons: by the circuit's key.
    """

    def __init__(self, reasons: Mapping[str, str]) -> None:
        super().__init__("; ".join(reasons.values()))
        self.reasons = reasons


class FailedCircuitError(BackendError):
    """A provider ran other circuits of a provider job, but not this one."""


class GoneError(BackendError):
    """A provider answered that the requested object does not exist, or not any longer."""


class CredentialsError(BackendError):
    """A provider does not accept the credentials, or there are none."""


class ResultError(BackendError):
    """A provider's result cannot be read as counts, or is of another job."""


class PriceError(InputError):
    """No price is known for a job, or the table of prices cannot be read."""
