"""Clients of the HTTP API: as many as are wanted, each with a connection that stays open."""

import http.client
import json
from concurrent.futures import ThreadPoolExecutor
from time import perf_counter
from typing import Any

from attrs import evolve, field, frozen

from tests.chaos.programs import PROGRAMS

PATIENCE_SECONDS = 120.0
ACCEPTED = 202


class Client:
    """One connection to the API, made again when it breaks."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_SECONDS)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}

    def get(self, path: str) -> tuple[int, Any]:
        """Return the status and the JSON of an answer."""
        return self._request("GET", path, None)

    def submit(self, shots: int, repeat: int = 1) -> tuple[int, Any]:
        """Submit jobs of the one circuit, and return the status and the answer."""
        source = PROGRAMS[-1].source
        request = {
            "file": {"name": source.name, "content": source.content.decode()},
            "backend": "sparse",
            "method": "fast",
            "shots": shots,
            "repeat": repeat,
        }
        return self._request("POST", "/jobs", json.dumps(request))

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _request(self, method: str, path: str, body: str | None) -> tuple[int, Any]:
        self._connection.request(method, path, body, self._headers)
        answer = self._connection.getresponse()
        return answer.status, json.loads(answer.read())


@frozen
class Submitted:
    """Answers to a crowd of clients.

    Args:
        seconds: of each call.
        ids: of the jobs that were accepted.
        refused: all other answers, in words.
        elapsed: seconds from the first call to the last answer.
    """

    seconds: list[float] = field(factory=list)
    ids: list[int] = field(factory=list)
    refused: list[str] = field(factory=list)
    elapsed: float = 0.0


def submit_all(port: int, token: str, submissions: int, clients: int) -> Submitted:
    """Submit jobs one by one from clients that each wait for their answer.

    Args:
        port: of the API.
        token: that may submit.
        submissions: how many in all.
        clients: how many at the same time.
    """
    result, calls = Submitted(), iter(range(submissions))

    def work(client: Client) -> None:
        for _ in calls:
            began = perf_counter()
            try:
                status, answer = client.submit(10)
            except OSError as error:
                result.refused.append(repr(error))
                client.close()
                continue
            result.seconds.append(perf_counter() - began)
            if status == ACCEPTED:
                result.ids.extend(job["id"] for job in answer["jobs"])
            else:
                result.refused.append(f"{status}: {answer}")
        client.close()

    began = perf_counter()
    with ThreadPoolExecutor(clients) as crowd:
        list(crowd.map(work, [Client(port, token) for _ in range(clients)]))
    return evolve(result, elapsed=perf_counter() - began)
