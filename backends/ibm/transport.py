"""Transport of requests to IBM, with time limits and without repeated paid requests."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import local
from typing import Any
from urllib.parse import urlsplit

import requests
from requests.adapters import BaseAdapter, HTTPAdapter
from urllib3 import HTTPConnectionPool, HTTPSConnectionPool, PoolManager
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import HTTPError
from urllib3.util.retry import Retry

from backends.backend import RESULT_BYTES
from backends.providers.paid_request import about_to_leave
from backends.providers.retry_policy import POLICIES

SECONDS_TO_CONNECT = 5.0
CHUNK = 2**16
POLICY = POLICIES["ibm"]
READS = Retry(
    total=POLICY.attempts - 1,
    backoff_factor=POLICY.pause_seconds,
    status_forcelist=POLICY.repeated_statuses,
    allowed_methods=("GET",),
    respect_retry_after_header=False,
    raise_on_status=False,
)
"""Read requests are repeated, but not submissions that may have arrived."""


class TooLongError(requests.RequestException):
    """An answer is longer than any that is meant."""


class _Call(local):
    """State of this thread's call of the provider."""

    deadline: float = 0.0
    accepted: bool = False
    failure: Exception | None = None
    response: requests.Response | None = None


_call = _Call()


@contextmanager
def call(deadline: float) -> Iterator[None]:
    """Let the requests of this thread within the block end by a moment of the monotonic clock."""
    _call.deadline = deadline
    _call.accepted = False
    _call.failure = _call.response = None
    try:
        yield
    finally:
        _call.deadline = 0.0


def was_accepted() -> bool:
    """Return whether a request that changes something has been answered with success."""
    return _call.accepted


def note_failure(failure: Exception) -> None:
    """Remember an error that the SDK may hide; see `last_failure`."""
    _call.failure = failure


def last_failure() -> tuple[Exception | None, requests.Response | None]:
    """Return the last error and the last refusal that this thread's call met.

    The SDK hides some of them: a list of devices that could not be had is an empty one to it.
    """
    return _call.failure, _call.response


class _Checked(HTTPConnection):
    """Makes the last check before a job is sent, once the connection is there."""

    def request(self, method: str, url: str, *args: Any, **options: Any) -> None:
        if method == "POST" and urlsplit(url).path.endswith("/jobs"):
            if self.sock is None:
                self.connect()
            about_to_leave()
        super().request(method, url, *args, **options)


class _CheckedTLS(_Checked, HTTPSConnection):
    pass


class _Pool(HTTPConnectionPool):
    ConnectionCls = _Checked


class _TLSPool(HTTPSConnectionPool):
    ConnectionCls = _CheckedTLS


class _Adapter(HTTPAdapter):
    def init_poolmanager(self, *args: Any, **options: Any) -> None:
        super().init_poolmanager(*args, **options)
        _check(self.poolmanager)

    def proxy_manager_for(self, proxy: str, **options: Any) -> Any:
        manager = super().proxy_manager_for(proxy, **options)
        _check(manager)
        return manager


def _check(manager: PoolManager) -> None:
    manager.pool_classes_by_scheme = {"http": _Pool, "https": _TLSPool}


class BoundedAdapter(BaseAdapter):
    """Sends requests within the call's time and repeats only those that merely read.

    The SDK repeats `POST /jobs` up to five times after a 5xx and waits 15 minutes for an answer,
    and for ever for answers to everything else. Answers are read up to `RESULT_BYTES`.
    """

    def __init__(self) -> None:
        super().__init__()
        self._reads = _Adapter(max_retries=READS)
        self._writes = _Adapter(max_retries=0)
        # A submission finds the connection that the SDK's questions before it have opened.
        self._writes.poolmanager = self._reads.poolmanager
        self._writes.proxy_manager = self._reads.proxy_manager

    def send(self, request: requests.PreparedRequest, **options: Any) -> requests.Response:  # type: ignore[override]
        """Send one request; see `requests.adapters.BaseAdapter.send`."""
        reads = request.method == "GET"
        left = _call.deadline - time.monotonic()
        if left <= 0:
            raise requests.Timeout("no time was left for this request", request=request)
        # A timeout is one attempt's, and does not hold for the pauses between them.
        share = left / POLICY.attempts * 0.9 if reads else left
        to_connect = min(SECONDS_TO_CONNECT, share / 4)
        options |= {"timeout": (to_connect, share - to_connect), "stream": True}
        try:
            response = (self._reads if reads else self._writes).send(request, **options)
            _read(response)
            if response.is_redirect and not reads:
                # Sent elsewhere, it would be sent twice, and without its last check.
                raise requests.TooManyRedirects("it was to be sent elsewhere", response=response)
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


def _read(response: requests.Response) -> None:
    """Read an answer as it arrives, until its end, its limit or that of the call's time."""
    content = bytearray()
    try:
        while chunk := response.raw.read1(CHUNK, decode_content=True):
            content += chunk
            if len(content) > RESULT_BYTES:
                response.raw.close()
                raise TooLongError(f"longer than {RESULT_BYTES} bytes", response=response)
            if time.monotonic() > _call.deadline:
                response.raw.close()
                raise requests.Timeout("the answer did not arrive in time", response=response)
    except HTTPError as error:
        raise requests.ConnectionError(error, response=response) from error
    response.raw.release_conn()
    response._content, response._content_consumed = bytes(content), True
