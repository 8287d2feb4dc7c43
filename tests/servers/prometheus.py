"""A real Prometheus for tests."""

import json
import shutil
import signal
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

from .process import LocalServer, MissingServerError


def prometheus_program(name: str = "prometheus") -> str:
    """Return the path of `prometheus`, or of `promtool`, which comes with it.

    Raises:
        MissingServerError: if it is not installed.
    """
    if found := shutil.which(name):
        return found
    raise MissingServerError(f"{name} is not installed: apt-get install prometheus")


class PrometheusServer(LocalServer):
    """A Prometheus with what it has scraped since it was started.

    Args:
        configuration: the text of its `prometheus.yml`.
    """

    name = "prometheus"
    last_words = "KILL"

    def __init__(self, configuration: str) -> None:
        self.program = prometheus_program()
        super().__init__()
        (self.folder / "prometheus.yml").write_text(configuration)

    @property
    def url(self) -> str:
        """Return its address."""
        return f"http://127.0.0.1:{self.port}"

    def command(self) -> Sequence[str]:
        """Return the command; see `LocalServer.command`."""
        return [
            self.program,
            "--config.file=prometheus.yml",
            "--storage.tsdb.path=data",
            f"--web.listen-address=127.0.0.1:{self.port}",
        ]

    def answers(self) -> bool:
        """Tell whether it takes questions."""
        with suppress(OSError), urlopen(f"{self.url}/-/ready", timeout=2) as answer:
            return bool(answer.status == 200)
        return False

    def stop(self) -> None:
        """End it; what it has scraped stays."""
        self.signal_and_wait(signal.SIGTERM)

    def ask(self, path: str, **parameters: str | Sequence[str]) -> Any:
        """Return the data of an answer of its HTTP API.

        Args:
            path: below `/api/v1/`.
            parameters: of the query.
        """
        question = urlencode(_listed(parameters))
        with urlopen(f"{self.url}/api/v1/{path}?{question}", timeout=30) as answer:
            return json.load(answer)["data"]

    def now(self) -> float:
        """Return its time, in Unix seconds."""
        (found,) = self.query("vector(time())")
        return float(found["value"][1])

    def query(self, expression: str) -> list[dict[str, Any]]:
        """Return the samples of an instant query: their `metric` and `value`.

        Raises:
            HTTPError: if Prometheus does not understand it.
        """
        return list(self.ask("query", query=expression)["result"])


def _listed(parameters: Mapping[str, str | Sequence[str]]) -> list[tuple[str, str]]:
    return [
        (name, one)
        for name, value in parameters.items()
        for one in ([value] if isinstance(value, str) else value)
    ]
