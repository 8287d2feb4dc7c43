"""Client of the HTTP API of a Stichwerk service: submit jobs, wait for them, read results."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic, sleep
from typing import Any
from uuid import uuid4

from urllib3 import PoolManager, Retry
from urllib3.exceptions import HTTPError

from compiler.errors import StichwerkError
from games.sources import CIRCUITS

FINAL = frozenset({"done", "failed", "cancelled"})
"""States of a job that has ended."""

Json = dict[str, Any]


class ClientError(StichwerkError):
    """The service refused a request, or could not be reached.

    Attributes:
        status: HTTP status of the response, None if there was none.
    """

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Client:
    """Connection to a service, for one user.

    Requests that the service cannot take now (429 and 503) are sent again after the time that it
    names. A submission carries an idempotency key, so that a repeated request makes no second job.

    Args:
        url: Address of the service.
        token: Secret that `stichwerk token create` prints; by default the environment variable
            `STICHWERK_TOKEN`. Empty for a service that asks for none.
        retries: Number of times that a request is sent again.
    """

    def __init__(
        self, url: str = "http://127.0.0.1:8000", token: str | None = None, retries: int = 5
    ) -> None:
        self.url = url.rstrip("/")
        secret = os.environ.get("STICHWERK_TOKEN", "") if token is None else token
        headers = {"Accept": "application/json"}
        if secret:
            headers["Authorization"] = f"Bearer {secret}"
        self._pool = PoolManager(
            headers=headers,
            retries=Retry(
                retries, status_forcelist={429, 503}, allowed_methods=None,
                backoff_factor=0.5, redirect=0, raise_on_status=False,
            ),
        )  # fmt: skip

    def submit(
        self,
        program: str | None = None,
        *,
        backend: str,
        file: str | Path | None = None,
        key: str | None = None,
        **options: Any,
    ) -> list[int]:
        """Submit jobs; give either a built-in game or a file.

        Args:
            program: Name of a built-in game, such as `skat-4`.
            backend: Spec of the backend, such as `aer:boston` or `ibm:boston`.
            file: A `.qasm` file, or the `.toml` file of a game.
            key: The same key stands for the same jobs; by default each call has its own.
            options: Further fields of the request, such as `shots`, `target`, `tag`, `repeat` and
                `max_cost_usd`; `/docs` of the service lists them.

        Returns:
            The numbers of the jobs.

        Raises:
            ClientError: If the service refuses them.
        """
        body: Json = {"backend": backend, **options}
        if program is not None:
            body["program"] = program
        if file is not None:
            content = Path(file).read_text("utf-8")
            circuit = str(file).endswith(CIRCUITS)
            body |= (
                {"file": {"name": Path(file).name, "content": content}}
                if circuit
                else {"game": content}
            )
        accepted = self._request("POST", "/jobs", body, {"Idempotency-Key": key or uuid4().hex})
        return [int(job["id"]) for job in accepted["jobs"]]

    def job(self, job: int) -> Json:
        """Return a job: its state, stages, figures of its circuit, cost and error.

        Raises:
            ClientError: If there is no such job.
        """
        return self._request("GET", f"/jobs/{job}")

    def wait(self, job: int, timeout: float | None = None, poll_seconds: float = 1.0) -> Json:
        """Wait until a job has ended, and return it.

        Args:
            job: Its number.
            timeout: Seconds to wait, None for as long as it takes.
            poll_seconds: Seconds between two requests.

        Raises:
            TimeoutError: If it has not ended in time; it goes on.
            ClientError: If there is no such job.
        """
        end = None if timeout is None else monotonic() + timeout
        while (record := self.job(job))["state"] not in FINAL:
            if end is not None and monotonic() >= end:
                raise TimeoutError(f"job {job} is still {record['state']} after {timeout} s")
            sleep(poll_seconds)
        return record

    def result(self, job: int) -> Json:
        """Return the counts and scores of a job that is done.

        Raises:
            ClientError: If there is none, or it is not done.
        """
        return self._request("GET", f"/jobs/{job}/result")

    def jobs(self, **filters: str | int) -> Sequence[Json]:
        """Return jobs, the newest first.

        Args:
            filters: Such as `state`, `tag`, `backend`, `limit` and `before`.

        Raises:
            ClientError: If a filter is refused.
        """
        return self._request("GET", "/jobs", fields=filters)["jobs"]

    def cancel(self, job: int) -> None:
        """Cancel a job.

        Raises:
            ClientError: If there is no such job, or it has ended.
        """
        self._request("POST", f"/jobs/{job}/cancel")

    def _request(
        self,
        method: str,
        path: str,
        body: Json | None = None,
        headers: Mapping[str, str] | None = None,
        fields: Mapping[str, Any] | None = None,
    ) -> Json:
        try:
            response = self._pool.request(
                method, self.url + path, json=body, fields=fields,
                headers={**self._pool.headers, **(headers or {})},
            )  # fmt: skip
        except HTTPError as error:
            raise ClientError(f"{self.url}: no response ({type(error).__name__})") from error
        try:
            content = response.json()
        except ValueError as error:
            raise ClientError(
                f"{self.url}{path}: status {response.status} without JSON", response.status
            ) from error
        if response.status >= 400:
            raise ClientError(str(content.get("detail", content)), response.status)
        return content
