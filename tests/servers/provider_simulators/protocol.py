"""What a simulated provider and its server say to each other."""

import json
import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import unquote

from attrs import Factory, frozen

from backends.aer import AerBackend
from backends.backend import LocalBackend
from compiler.registry import Registry
from tests.servers.provider_simulators.faults import Faults
from tests.servers.provider_simulators.machine import Machine


@frozen
class Request:
    """What a client asks; header names are lower case, parameters come from the route's path."""

    method: str
    path: str
    query: Mapping[str, Sequence[str]]
    headers: Mapping[str, str]
    body: bytes
    parameters: Mapping[str, str] = Factory(dict)

    def json(self) -> Any:
        """Return the body read as JSON.

        Raises:
            Refusal: 400 if it is none.
        """
        try:
            return json.loads(self.body)
        except ValueError as error:
            raise Refusal(400, "BadRequest", "the body is not JSON") from error


@frozen
class Response:
    """What a client is answered."""

    status: int = 200
    body: bytes = b""
    headers: Mapping[str, str] = Factory(dict)
    content_type: str = "application/json"

    @classmethod
    def of_json(cls, value: Any, status: int = 200, **headers: str) -> "Response":
        """Return an answer in JSON; underscores in the names of headers become hyphens."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return cls(status, json.dumps(value).encode(), named)


class Refusal(Exception):  # noqa: N818 - an answer, not an error of the server's
    """A refusal of a request, worded by the provider.

    Args:
        status: of HTTP.
        code: the provider's short name of it.
        message: why.
        retry_after: seconds that the client is asked to wait.
        details: further parts of the answer.
    """

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        retry_after: float | None = None,
        **details: Any,
    ) -> None:
        super().__init__(message)
        self.status, self.code, self.message = status, code, message
        self.retry_after, self.details = retry_after, details


@frozen
class Route:
    """What a client can ask.

    Args:
        method: of HTTP.
        path: with the names of its parts; see `server`.
        operation: its name, for faults; without one it never fails.
        answer: what answers it.
        takes_token: whether it is asked with a token, which may expire.
    """

    method: str
    path: str
    operation: str
    answer: Callable[[Request], Response]
    takes_token: bool = True

    def parameters(self, method: str, path: str) -> dict[str, str] | None:
        """Return the parts of a path that have names, or None if the route is not for it."""
        pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(self.path))
        pattern = re.sub(r"\\{(\w+)\\\+\\}", r"(?P<\1>.+)", pattern)
        match = re.fullmatch(pattern, path) if method == self.method else None
        return {k: unquote(v) for k, v in match.groupdict().items()} if match else None


class Provider(ABC):
    """A provider's API over a machine that runs its jobs.

    Args:
        faults: what goes wrong.
        machine: runs the jobs.
        simulator: of the circuits; Aer without noise if None.
        seed: of the shots; each job has its own generator.
    """

    def __init__(
        self,
        faults: Faults,
        machine: Machine,
        *,
        simulator: LocalBackend | None = None,
        seed: int = 0,
    ) -> None:
        self.faults = faults
        self.machine = machine
        self.simulator = simulator or AerBackend("")
        self.seed = seed

    @abstractmethod
    def environment(self, url: str) -> Mapping[str, str]:
        """Return the variables by which the provider's SDK finds this at a URL."""

    @abstractmethod
    def routes(self) -> Sequence[Route]:
        """Return what can be asked."""

    @abstractmethod
    def refused(self, refusal: Refusal) -> Response:
        """Return a refusal in the provider's words; the server adds Retry-After by itself."""

    @abstractmethod
    def expire(self) -> Response:
        """Forget the tokens issued so far, and return the answer to one that has expired."""

    def fences(self) -> Sequence[Mapping[str, Any]]:
        """Return what was opened for jobs to be submitted under, with `id` and `open`."""
        return ()


PROVIDERS = Registry[type[Provider]](
    "simulated provider", "tests.servers.provider_simulators.providers"
)

provider_simulator = PROVIDERS.register
"""Decorator of a provider's API: `@provider_simulator("ibm")`."""
