"""How requests travel to IBM: in time, and none that could cost money twice."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import local
from typing import Any

import requests
from ibm_cloud_sdk_core import ApiException
from qiskit_ibm_runtime import QiskitRuntimeService
from qiskit_ibm_runtime.api.auth import CloudAuth
from requests.adapters import BaseAdapter, HTTPAdapter
from requests.auth import AuthBase
from urllib3.util.retry import Retry

SECONDS_TO_CONNECT = 5.0
SECONDS_FOR_TOKEN = 10.0
ATTEMPTS = 3
READS = Retry(
    total=ATTEMPTS - 1,
    backoff_factor=0.2,
    status_forcelist=(500, 502, 503, 504),
    allowed_methods=("GET",),
    respect_retry_after_header=False,
    raise_on_status=False,
)
"""What is only read is asked for again, but not what may have been heard already."""


class _Call(local):
    """What this thread's call of the provider has done so far."""

    deadline: float = 0.0
    posted: bool = False
    accepted: bool = False
    failure: Exception | None = None
    response: requests.Response | None = None


_call = _Call()


@contextmanager
def call(deadline: float) -> Iterator[None]:
    """Let the requests of this thread within the block end by a moment of the monotonic clock."""
    _call.deadline = deadline
    _call.posted = _call.accepted = False
    _call.failure = _call.response = None
    try:
        yield
    finally:
        _call.deadline = 0.0


def has_posted() -> bool:
    """Tell whether this thread's call has sent a request that changes something."""
    return _call.posted


def was_accepted() -> bool:
    """Tell whether such a request has been answered with success."""
    return _call.accepted


def last_failure() -> tuple[Exception | None, requests.Response | None]:
    """Return the last error and the last refusal that this thread's call met.

    The SDK hides some of them: a list of devices that could not be had is an empty one to it.
    """
    return _call.failure, _call.response


class BoundedAdapter(BaseAdapter):
    """Sends requests within the call's time and repeats only those that merely read.

    The SDK repeats `POST /jobs` up to five times after a 5xx and waits 15 minutes for an answer,
    and for ever for answers to everything else.
    """

    def __init__(self) -> None:
        super().__init__()
        self._reads = HTTPAdapter(max_retries=READS)
        self._writes = HTTPAdapter(max_retries=0)

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:  # type: ignore[override]
        """Send one request; see `requests.adapters.BaseAdapter.send`."""
        reads = request.method == "GET"
        left = _call.deadline - time.monotonic()
        if left <= 0:
            raise requests.Timeout("no time was left for this request", request=request)
        # A timeout is one attempt's, and does not hold for the pauses between them.
        share = left / ATTEMPTS * 0.9 if reads else left
        to_connect = min(SECONDS_TO_CONNECT, share / 4)
        options["timeout"] = (to_connect, share - to_connect)
        _call.posted = _call.posted or not reads
        try:
            response = (self._reads if reads else self._writes).send(request, **options)
        except requests.RequestException as error:
            _call.failure = error
            raise
        if response.status_code >= 400:
            _call.response = response
        elif not reads:
            _call.accepted = True
        return response

    def close(self) -> None:
        """Close all connections."""
        self._reads.close()
        self._writes.close()


class TokenAuth(AuthBase):
    """Signs requests with the account's token, fetched when it is due.

    The SDK sends the API key itself when no token can be had, and then lets every further request
    wait for a minute, because its token manager believes that another thread is fetching one.
    """

    def __init__(self, signer: CloudAuth) -> None:
        self._crn = signer.crn
        self._tokens = signer.tm
        self._tokens.http_config = {"timeout": SECONDS_FOR_TOKEN}

    def __call__(self, request: requests.PreparedRequest) -> requests.PreparedRequest:
        """Add the instance and the token to a request's headers."""
        try:
            token = self._tokens.get_token()
        except (requests.RequestException, ApiException) as error:
            self._tokens.request_time = 0
            _call.failure = error
            raise
        request.headers.update({"Service-CRN": self._crn, "Authorization": f"Bearer {token}"})
        return request


class BoundedService(QiskitRuntimeService):
    """The SDK's service with every one of its sessions bounded, from its first request on.

    The SDK offers no other way to set the timeouts and retries of its sessions.
    """

    @property
    def _active_api_client(self) -> Any:
        return self.__dict__["_client"]

    @_active_api_client.setter
    def _active_api_client(self, client: Any) -> None:
        session = client._session
        if isinstance(session.auth, CloudAuth):
            session.auth = TokenAuth(session.auth)
            for prefix in ("https://", "http://"):
                session.mount(prefix, BoundedAdapter())
        self.__dict__["_client"] = client
