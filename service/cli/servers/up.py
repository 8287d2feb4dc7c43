"""The command `up`: everything for one machine."""

import os
import shlex
import signal
import socket
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from http import HTTPStatus
from pathlib import Path
from typing import Annotated
from urllib.request import urlopen

import typer

from compiler.errors import InputError
from service.cli.options import PROCESSES, LogFormatOption, ServiceDatabase
from service.cli.output.printing import say
from service.cli.servers.child_processes import (
    Child,
    Drift,
    FaultRules,
    Noiseless,
    QueueSeconds,
    adopt_orphans,
    answers,
    end_orphans,
    local_redis,
    reap_orphans,
    shown,
    simulated_providers,
    write_scraping,
)
from service.cli.servers.log_format import choose_log_format, log_by
from workers.jobs.states import Queue
from workers.logs import LogFormat, leave
from workers.records.database import open_database
from workers.sandbox.child_environment import hide_environment
from workers.settings import settings

WORKERS = 2
LOOK_SECONDS = 0.2
SOON_SECONDS = 1.2
"""Seconds after SIGTERM until a process is ended; idle ones need less."""
START_SECONDS = 20.0


FOLDER = ".stichwerk"
"""Folder of Redis's data, logs and `prometheus.yml`."""


def up_command(
    *,
    port: Annotated[int, typer.Option(min=1, max=65535 - WORKERS)] = 8000,
    processes: Annotated[int, typer.Option(min=1, max=256)] = PROCESSES,
    simulate_providers: bool = False,
    queue_seconds: QueueSeconds = 0,
    drift: Drift = 0,
    noiseless: Noiseless = False,
    fault: FaultRules = None,
    log_format: LogFormatOption = None,
    database: ServiceDatabase = "",
) -> None:
    """Start Redis, the HTTP API and workers on this machine, until Ctrl-C.

    If Redis already runs at STICHWERK_REDIS, it is used and not stopped. A process that dies is
    restarted; after three times in a row, all processes stop. Ctrl-C lets workers finish their
    jobs; a second Ctrl-C, or SIGTERM, ends them, and the next workers resume their jobs. The folder
    .stichwerk holds the logs, Redis's data and a configuration for Prometheus.

    Example: `stichwerk up --simulate-providers`, then `stichwerk submit skat-4 -b ibm:boston` in
    another shell

    Options:
        port: Port of the HTTP API on 127.0.0.1; the next two serve the workers' metrics.
        processes: Circuits that compile in parallel.
        simulate_providers: Simulate IBM and Amazon Braket on this machine; needs a checkout.
    """
    hide_environment()
    choose_log_format(log_format)
    set_ = settings()
    if set_.log_format is LogFormat.JSON:
        log_by(set_.log_format)
    address = database or set_.database
    address = address if "://" in address else str(Path(address).absolute())
    engine = open_database(address)
    variables = {
        **os.environ,
        "STICHWERK_DATABASE": address,
        "STICHWERK_REDIS": set_.redis,
        "STICHWERK_METRICS_HOST": "127.0.0.1",
    }
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _interrupt)
    metrics_ports = range(port + 1, port + 1 + WORKERS)
    _check_ports(port, *metrics_ports)
    simulated: AbstractContextManager[Mapping[str, str]] = nullcontext({})
    if simulate_providers:
        simulated = simulated_providers(
            queue_seconds=queue_seconds, drift=drift, noiseless=noiseless, faults=fault or ()
        )
    elif fault or queue_seconds or drift or noiseless:
        raise InputError(
            "--fault, --queue-seconds, --drift and --noiseless are for --simulate-providers"
        )
    folder = Path(FOLDER)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(f"folder '{FOLDER}': {error.strerror}") from error
    scraping = write_scraping(engine, folder, port, metrics_ports)
    engine.dispose()
    redis = [] if answers(set_.redis) else [local_redis(set_.redis, folder, variables)]
    try:
        with simulated as addresses:
            if addresses:
                noise = "without noise" if noiseless else "with the noise of their calibration"
                say(
                    f"IBM and Braket are simulated {noise}; jobs that are still queued when you "
                    "stop are submitted by the next workers, with an account to real providers"
                )
            others = _service(folder, {**variables, **addresses}, port, metrics_ports, processes)
            storage = f"--storage.tsdb.path={scraping.parent / 'prometheus'}"
            command = ["prometheus", f"--config.file={scraping}", storage]
            say(f"to collect metrics (optional): {shlex.join(command)}")
            say(f"records in {shown(address)}: run other commands in this folder")
            code = _keep(redis, others, set_.redis, f"http://127.0.0.1:{port}", folder)
    finally:
        end_orphans()
    leave(code)


def _keep(
    redis: Sequence[Child], others: Sequence[Child], broker: str, api: str, folder: Path
) -> int:
    """Start Redis, then the others; keep them running; stop them the other way round."""
    adopt_orphans()
    soon = False
    try:
        for child in redis:
            child.start()
        if not answers(broker, START_SECONDS):
            say(f"Redis does not answer at {shown(broker)}; see {folder}/redis.log")
            return 1
        for child in others:
            child.start()
        say(f"starting workers and the API, logs in {folder}/")
        ready = False
        while all(child.keep() for child in (*redis, *others)):
            time.sleep(LOOK_SECONDS)
            reap_orphans((*redis, *others))
            if not ready and (ready := _healthy(api)):
                say(
                    f"ready: web pages and API at {api}, API documentation at {api}/docs, Redis at "
                    f"{shown(broker)}"
                )
                say("submit with 'stichwerk submit', or over HTTP with a token; Ctrl-C stops")
        say("stopping all programs; jobs are kept and continue after the next start")
    except KeyboardInterrupt as told:
        soon = told.args == (signal.SIGTERM,)
        busy = "is left to the workers of the next start" if soon else "is finished"
        say(f"stopping: the workers' current work {busy}")
        return 0
    finally:
        _stop(redis, others, soon=soon)
    return 1


def _stop(redis: Sequence[Child], others: Sequence[Child], *, soon: bool) -> None:
    """Let all of them finish, or end them at once on a second request.

    Args:
        redis: is stopped last.
        others: are stopped together.
        soon: whether to end these after `SOON_SECONDS`.
    """

    def hurry(*_: object) -> None:
        # Not by raising an exception: it would come in between, and leave some of them running.
        for child in (*others, *redis):
            child.end()

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, hurry)
    for child in others:
        child.tell_to_stop()
    if soon:
        _end_after(SOON_SECONDS, others)
    for child in (*others, *redis):
        child.stop()


def _end_after(seconds: float, children: Sequence[Child]) -> None:
    until = time.monotonic() + seconds
    while any(child.running() for child in children) and time.monotonic() < until:
        time.sleep(0.02)
    for child in children:
        child.end()


def _check_ports(*ports: int) -> None:
    """Refuse ports that are taken, before anything is started."""
    for port in ports:
        try:
            socket.create_server(("127.0.0.1", port)).close()
        except OSError as error:
            raise InputError(
                f"port {port} of 127.0.0.1: {error.strerror}; choose another --port"
            ) from error


def _healthy(api: str) -> bool:
    try:
        with urlopen(f"{api}/health", timeout=LOOK_SECONDS) as answer:
            return bool(answer.status == HTTPStatus.OK)
    except OSError:
        return False


def _interrupt(signum: int, _: object) -> None:
    # Once: a second one must not come in between while they are being stopped.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt(signum)


def _service(
    folder: Path,
    variables: Mapping[str, str],
    port: int,
    metrics_ports: Sequence[int],
    processes: int,
) -> list[Child]:
    """Return the API, a worker that compiles, and one that talks to providers.

    They are apart so that no provider waits for a compilation.
    """
    stichwerk = [sys.executable, "-m", "service"]
    waiting = ",".join((Queue.SUBMIT, Queue.POLL, Queue.SCORE))

    def worker(queues: str, processes: int, metrics_port: int) -> list[str]:
        return [
            *stichwerk, "worker", "--queues", queues, "--processes", str(processes),
            "--metrics-port", str(metrics_port),
        ]  # fmt: skip

    compiling = worker(Queue.COMPILE, processes, metrics_ports[0])
    submitting = worker(waiting, 2, metrics_ports[1])
    return [
        Child("the API", [*stichwerk, "serve", "--port", str(port)], folder / "api.log", variables),
        Child("the compiling worker", compiling, folder / "compile.log", variables),
        Child("the submitting worker", submitting, folder / "submit.log", variables),
    ]
