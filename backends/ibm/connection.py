"""The connection to IBM, one a process and device, and the errors of its SDK, translated."""

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from typing import TypeVar

import requests
from attrs import field, frozen
from ibm_cloud_sdk_core import ApiException
from qiskit.exceptions import QiskitError
from qiskit.providers import QiskitBackendNotFoundError
from qiskit_ibm_runtime import IBMBackend
from qiskit_ibm_runtime.accounts.exceptions import AccountNotFoundError, InvalidAccountError
from qiskit_ibm_runtime.api.exceptions import RequestsApiError
from qiskit_ibm_runtime.exceptions import IBMInputValueError, IBMNotAuthorizedError

from backends.backend import SECONDS_PER_CALL
from backends.errors import (
    BackendError,
    CredentialsError,
    GoneError,
    NotAcceptedError,
    UnavailableError,
)
from backends.ibm.account import URL_VARIABLE, devices_in, unknown_device
from backends.ibm.sdk_service import BoundedService
from backends.ibm.transport import TooLongError, call, last_failure, was_accepted
from backends.providers.paid_request import has_left, is_submitting
from backends.providers.retry_policy import POLICIES
from backends.providers.text import UNREADABLE, line
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


VARIABLES = (
    URL_VARIABLE,
    "QISKIT_IBM_TOKEN",
    "QISKIT_IBM_INSTANCE",
    "QISKIT_IBM_URL",
    "QISKIT_IBM_CHANNEL",
    "IAM_URL",
    "GLOBAL_SEARCH_URL",
    "GLOBAL_CATALOG_URL",
)
"""Variables of a connection; all but the first are the SDK's own."""

CONNECTION_SECONDS = 3600.0
"""Seconds for which a connection is cached, with its description of the device."""

SECONDS_WITHOUT_DEVICE = 60.0
"""Seconds for which it is kept if the account does not have the device."""

PATIENCE_SECONDS = SECONDS_PER_CALL - 5.0
T = TypeVar("T")


@frozen(eq=False)
class Connection:
    """A service, and its device if the account has it.

    Jobs are asked about by their ids, also when their device has left the account.
    """

    service: BoundedService
    _device: IBMBackend | BackendError
    made: float = field(factory=time.monotonic)

    @property
    def device(self) -> IBMBackend:
        """Return the device.

        Raises:
            BackendError: if the account has no such device.
        """
        if isinstance(self._device, BackendError):
            raise self._device
        return self._device

    @property
    def is_fresh(self) -> bool:
        """Return whether the connection can still be used."""
        lasts = CONNECTION_SECONDS
        if isinstance(self._device, BackendError):
            lasts = SECONDS_WITHOUT_DEVICE
        return time.monotonic() - self.made < lasts

    @property
    def instance(self) -> str:
        """Return the CRN of the instance that it asks."""
        return str(self.service.active_instance())


def ask(device: str, question: Callable[[Connection], T]) -> T:
    """Return the answer to a question about a device or its jobs, asked within the time.

    A question that meets a token no longer accepted is asked again of a new connection to the same
    instance, unless it has already sent something that could cost money.

    Raises:
        UnavailableError: if IBM could not be asked, or did not answer.
        CredentialsError: if the account is not accepted or there is none.
        BackendError: if IBM or its SDK refuses.
    """
    deadline = time.monotonic() + PATIENCE_SECONDS
    connection, is_new = _connections.get(device, deadline)
    try:
        return _request(device, connection, question, deadline)
    except CredentialsError as error:
        _connections.drop(connection)
        if is_new:
            raise
        if has_left():
            raise UnavailableError(f"{error}; a new token is fetched next time") from error
    before = connection.instance
    connection, _ = _connections.get(device, deadline)
    if connection.instance != before:
        raise UnavailableError(f"'ibm:{device}': the account is now one with another instance")
    try:
        return _request(device, connection, question, deadline)
    except CredentialsError:
        _connections.drop(connection)
        raise


def _request(
    device: str, connection: Connection, question: Callable[[Connection], T], deadline: float
) -> T:
    with call(deadline):
        try:
            return question(connection)
        except FAILURES as error:
            raise explained(error, device) from error


class _Connections:
    """The connections of this process, by device and surroundings."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew; a child of this process must share neither its sockets nor its locks."""
        self._connections: dict[tuple[str | None, ...], Connection] = {}
        self._lock = threading.Lock()

    def get(self, device: str, deadline: float) -> tuple[Connection, bool]:
        """Return a device's connection, and whether it was made for this."""
        key = (device, *map(os.environ.get, VARIABLES))
        if not self._lock.acquire(timeout=max(0, deadline - time.monotonic())):
            raise UnavailableError(f"'ibm:{device}': the connection is still being made; try later")
        try:
            cached = self._connections.get(key)
            if cached is not None and cached.is_fresh:
                return cached, False
            self._connections[key] = _connected(device, deadline)
            return self._connections[key], True
        finally:
            self._lock.release()

    def drop(self, connection: Connection) -> None:
        """Forget a connection, so that the next question makes a new one."""
        for key, cached in list(self._connections.items()):
            if cached is connection:
                self._connections.pop(key, None)


_connections = _Connections()
os.register_at_fork(after_in_child=_connections.forget)


def _connected(device: str, deadline: float) -> Connection:
    """Return a new connection, made in a thread that can be abandoned.

    The SDK looks for the account's instances with timeouts of its own, of a minute each. Nothing
    that is asked here costs money, so that a late answer does no harm.
    """
    outcome: Future[Connection] = Future()

    def attempt() -> None:
        try:
            outcome.set_result(_connect(device, deadline))
        except BaseException as error:  # noqa: BLE001 - it is raised by the thread that waits
            outcome.set_exception(error)

    threading.Thread(target=attempt, daemon=True).start()
    try:
        return outcome.result(timeout=max(0, deadline - time.monotonic()))
    except TimeoutError as error:
        raise UnavailableError(f"'ibm:{device}': IBM did not answer in time; try later") from error


def _connect(device: str, deadline: float) -> Connection:
    url = os.environ.get(URL_VARIABLE)
    with call(deadline):
        try:
            service = BoundedService(url_resolver=(lambda *_: url) if url else None)
            return Connection(service, _found(service, device))
        except IBMInputValueError as error:
            raise CredentialsError(f"'ibm:{device}': {NOT_ACCEPTED}") from error
        except FAILURES as error:
            raise explained(error, device) from error


def _found(service: BoundedService, device: str) -> IBMBackend | BackendError:
    """Return a device, or the error of using it if the account certainly does not have it."""
    if not device:
        return BackendError("'ibm': no device was named")
    try:
        # None stands for all gates of the device: fractional ones beside branches.
        return service.backend(f"ibm_{device}", use_fractional_gates=None)
    except QiskitBackendNotFoundError as error:
        missing = explained(error, device)
        if isinstance(missing, UnavailableError | CredentialsError):
            raise missing from error
        offered = devices_in(service.client.list_backends())
        return BackendError(f"'ibm:{device}': {unknown_device(device, offered)}")
