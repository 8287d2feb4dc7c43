"""A running `stichwerk serve` for attacks, with a token and a log."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
from attrs import evolve, frozen
from sqlalchemy.orm import Session

from workers.accounts.tokens import Scope, create_token
from workers.records.database import open_database

from ..servers.commands import SERVING, running_command
from ..servers.nginx import NginxServer
from ..servers.process import free_port
from .attack import Siege


@frozen(eq=False)
class Api:
    """A server that runs.

    Args:
        port: that it listens at.
        tokens: that may do everything but see others' jobs.
        log: what it says.
        client: of all threads; to make one for each request takes longer than most answers.
    """

    port: int
    tokens: tuple[str, ...]
    log: Path
    client: httpx2.Client

    def post(self, body: bytes, token: int = 0) -> httpx2.Response:
        """Submit a body."""
        return self.ask("POST", "/jobs", token, content=body)

    def ask(self, method: str, path: str, token: int = 0, **given: Any) -> httpx2.Response:
        """Return the answer to a request."""
        headers = {"Authorization": f"Bearer {self.tokens[token]}"}
        headers["Content-Type"] = "application/json"
        address = f"http://127.0.0.1:{self.port}{path}"
        return self.client.request(method, address, headers=headers, **given)


@contextmanager
def api(siege: Siege, descriptors: int = 4096) -> Iterator[Api]:
    """Run a server with an empty database and so many descriptors, perhaps behind an nginx."""
    with _served(siege, descriptors) as served:
        if not siege.nginx:
            yield served
            return
        with NginxServer(served.port) as nginx:
            yield evolve(served, port=nginx.port)


@contextmanager
def _served(siege: Siege, descriptors: int) -> Iterator[Api]:
    with tempfile.TemporaryDirectory(prefix="stichwerk-attack-") as name:
        folder = Path(name)
        address = str(folder / "records.sqlite")
        engine = open_database(address)
        with Session(engine) as session:
            scopes = set(Scope) - {Scope.ALL}
            tokens = tuple(create_token(session, f"t{n}", scopes) for n in range(2))
        engine.dispose()
        environment = {
            **{name: text for name, text in os.environ.items() if "STICHWERK" not in name},
            "STICHWERK_DATABASE": address,
            "STICHWERK_REDIS": f"redis://127.0.0.1:{free_port()}/0",
            **({"STICHWERK_CONNECTIONS_PER_ADDRESS": "500"} if siege.nginx else {}),
        }
        with (
            running_command(
                folder, "serve", "--port", "0", ready=SERVING, environment=environment,
                prefix=("prlimit", f"--nofile={descriptors}:{descriptors}"),
            ) as served,
            httpx2.Client(verify=False, trust_env=False, timeout=120) as client,
        ):  # fmt: skip
            yield Api(served.port, tokens, served.log, client)
