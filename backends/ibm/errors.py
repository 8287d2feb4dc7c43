"""Errors of IBM's SDK, translated to those of the protocol."""

import json
from collections.abc import Iterator

import requests
from ibm_cloud_sdk_core import ApiException
from qiskit.exceptions import QiskitError
from qiskit.providers import QiskitBackendNotFoundError
from qiskit_ibm_runtime.accounts.exceptions import AccountNotFoundError, InvalidAccountError
from qiskit_ibm_runtime.api.exceptions import RequestsApiError
from qiskit_ibm_runtime.exceptions import IBMNotAuthorizedError

from backends.errors import (
    BackendError,
    CredentialsError,
    GoneError,
    NotAcceptedError,
    UnavailableError,
)
from backends.ibm.transport import TooLongError, last_failure, was_accepted
from backends.providers.bounded_json import UNREADABLE
from backends.providers.paid_request import is_submitting
from backends.providers.retry_policy import POLICIES
from backends.providers.text import line
from backends.providers.tls import unsafe

FAILURES = (QiskitError, requests.RequestException, ApiException, *UNREADABLE)
"""Errors of the SDK; the last ones also for unreadable answers of IBM."""

NO_ACCOUNT = (
    "no IBM account: set QISKIT_IBM_TOKEN and QISKIT_IBM_INSTANCE, or save one with "
    "QiskitRuntimeService.save_account"
)
NOT_ACCEPTED = (
    "IBM does not accept the account; check QISKIT_IBM_TOKEN and QISKIT_IBM_INSTANCE or the saved "
    "account"
)


def explained(error: Exception, device: str) -> BackendError:
    """Return our error for an error of the SDK; no message holds a token or a key."""
    where = f"'ibm:{device}'" if device else "'ibm'"
    if was_accepted():
        return UnavailableError(f"{where}: IBM accepted this, but its answer cannot be read")
    chain = list(_chain(error))
    if isinstance(error, QiskitBackendNotFoundError):
        # The SDK takes a list of devices that it could not get for an empty one.
        chain += [hidden for hidden in last_failure()[:1] if hidden is not None]
    if any(isinstance(link, AccountNotFoundError) for link in chain):
        return CredentialsError(f"{where}: {NO_ACCOUNT}")
    status = _status(chain, isinstance(error, QiskitBackendNotFoundError))
    if status is not None:
        return _of_status(status, where)
    broken = next((link for link in chain if isinstance(link, requests.RequestException)), None)
    return _of_the_sdk(error, where) if broken is None else _of_the_connection(broken, where)


def _of_the_connection(error: requests.RequestException, where: str) -> BackendError:
    if isinstance(error, requests.exceptions.SSLError):
        return UnavailableError(f"{where}: {unsafe(error, 'IBM')}")
    if isinstance(error, TooLongError):
        return UnavailableError(f"{where}: IBM's answer is too long to be read")
    return UnavailableError(f"{where}: the connection to IBM failed or took too long")


def _of_the_sdk(error: Exception, where: str) -> BackendError:
    message = line(getattr(error, "message", error))
    if isinstance(error, InvalidAccountError):
        return CredentialsError(f"{where}: {NOT_ACCEPTED}")
    if isinstance(error, QiskitBackendNotFoundError):
        return BackendError(f"{where}: the account has no such device")
    if isinstance(error, ValueError) and not isinstance(error, UnicodeError) and is_submitting():
        return BackendError(
            f"{where}: the device, as it is now, cannot run this; recompile it ({message})"
        )
    if isinstance(error, UNREADABLE):
        return UnavailableError(f"{where}: IBM's answer cannot be read ({type(error).__name__})")
    return BackendError(f"{where}: IBM's SDK refused: {message}")


def _of_status(status: int, where: str) -> BackendError:
    response = last_failure()[1]
    kind = POLICIES["ibm"].error_type(status)
    if kind is CredentialsError:
        message = f"{NOT_ACCEPTED} (status {status})"
    elif kind is UnavailableError:
        message = f"IBM is unavailable (status {status})"
    elif kind is NotAcceptedError:
        message = f"IBM does not accept this now (status {status}): {_reason(response)}"
    elif kind is GoneError:
        message = f"IBM does not have this device or job (status {status}): {_reason(response)}"
    else:
        message = f"IBM refused with status {status}: {_reason(response)}"
    retry_after = None if response is None else response.headers.get("Retry-After")
    return POLICIES["ibm"].error(status, f"{where}: {message}", retry_after)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__


def _status(chain: list[BaseException], is_hidden: bool) -> int | None:
    for link in chain:
        if isinstance(link, IBMNotAuthorizedError):
            return 401
        if isinstance(link, RequestsApiError) and link.status_code > 0:
            return int(link.status_code)
        if isinstance(link, ApiException):
            # A key that is not known is a bad request to the service that issues tokens.
            return 401 if link.status_code == 400 else int(link.status_code)
        if isinstance(link, requests.RequestException) and link.response is not None:
            return int(link.response.status_code)
    response = last_failure()[1]
    return response.status_code if is_hidden and response is not None else None


def _reason(response: requests.Response | None) -> str:
    """Return the provider's own words in a refusal."""
    try:
        answer = json.loads(response.text if response is not None else "")
        error = answer["errors"][0] if "errors" in answer else answer["error"]
        return line(error["message"])
    except UNREADABLE:
        return "no reason given"
