"""IBM's SDK, with every request of its sessions bounded."""

import os
from typing import Any
from urllib.parse import quote

import requests
from ibm_cloud_sdk_core import ApiException
from qiskit_ibm_runtime import QiskitRuntimeService
from qiskit_ibm_runtime.api.auth import CloudAuth
from requests.auth import AuthBase

from backends.ibm.transport import BoundedAdapter, note_failure

SECONDS_FOR_TOKEN = 10.0

# Else the SDK looks up the source of every function on the stack, to tell IBM which of its own
# has asked: that takes several times as long as the rest of a request.
os.environ.setdefault("USAGE_DATA_OPT_OUT", "True")


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
            note_failure(error)
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

    @property
    def client(self) -> Any:
        """Return the SDK's client of the API, which answers in the API's own JSON."""
        return self._active_api_client

    def job_data(self, provider_id: str) -> Any:
        """Return the API's description of a job.

        The SDK's client reads it with a decoder that unpacks circuits and arrays of any size.
        """
        path = f"/jobs/{quote(provider_id, safe='')}"
        return self.client._session.get(path, params={"exclude_params": "true"}).json()

    def job_inputs(self, provider_id: str) -> bytes:
        """Return the API's description of a job with its inputs, unchanged."""
        path = f"/jobs/{quote(provider_id, safe='')}"
        content: bytes = self.client._session.get(path, params={"exclude_params": "false"}).content
        return content

    def job_result(self, provider_id: str) -> bytes:
        """Return a job's result as the API sent it; nothing if it is not there."""
        path = f"/jobs/{quote(provider_id, safe='')}/results"
        content: bytes = self.client._session.get(path).content
        return content
