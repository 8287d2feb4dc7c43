"""The command `worker`."""

import os
from contextlib import ExitStack
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from compiler.errors import InputError
from service.cli.options import PROCESSES, LogFormatOption, ServiceDatabase
from service.cli.output.printing import say
from service.cli.servers.log_format import address_of, choose_log_format, listening_socket, log_by
from workers.jobs.states import Queue
from workers.logs import LogFormat, leave, write_at_once
from workers.sandbox.child_environment import hide_environment
from workers.sandbox.memory import share
from workers.settings import PREFIX, settings

ALL_QUEUES = ",".join(Queue)

MULTIPROCESS_FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""The variable that prometheus_client reads when it is imported."""


def worker_command(
    *,
    queues: str = ALL_QUEUES,
    processes: Annotated[int, typer.Option(min=1, max=256)] = PROCESSES,
    metrics_port: Annotated[int | None, typer.Option(min=0, max=65535, show_default="none")] = None,
    log_format: LogFormatOption = None,
    database: ServiceDatabase = "",
) -> None:
    """Start a worker that runs queued jobs until it is stopped.

    Redis is at STICHWERK_REDIS (redis://127.0.0.1:6379/0). A sweeper beside it finds the jobs that
    are due. Ctrl-C lets the worker finish its job; a second Ctrl-C ends it. Metrics are served at
    STICHWERK_METRICS_HOST (127.0.0.1), without a token.

    Example: `stichwerk worker --queues submit,poll,score --processes 1`

    Options:
        queues: Queues to serve, separated by commas: {Queue}.
        processes: Jobs that run in parallel.
        metrics_port: Port of the metrics and the health check; 0 selects a free port.
    """
    chosen = _queues(queues)
    hide_environment()
    choose_log_format(log_format)
    if database:
        os.environ["STICHWERK_DATABASE"] = database
    # Celery reads this when it is imported: the signal of containers then lets work be finished.
    os.environ.setdefault("REMAP_SIGTERM", "SIGQUIT")

    set_ = settings()
    # Each of its processes may take as much, in any kind of work.
    os.environ[f"{PREFIX}SIMULATION_BYTES"] = str(set_.simulation_bytes or share(processes))
    as_json = set_.log_format is LogFormat.JSON
    if as_json:
        log_by(set_.log_format)
    with ExitStack() as stack:
        # Before all other imports: counters need the folder.
        os.environ.pop(MULTIPROCESS_FOLDER, None)
        if metrics_port is not None:
            listening = stack.enter_context(listening_socket(set_.metrics_host, metrics_port))
            folder = stack.enter_context(
                TemporaryDirectory(prefix="stichwerk-metrics-", ignore_cleanup_errors=True)
            )
            os.environ[MULTIPROCESS_FOLDER] = folder

            from workers.metrics.exporter import exporting

            stack.enter_context(exporting(listening, Path(folder)))
            say(f"stichwerk: metrics on {address_of(listening)}/metrics")
        from workers.metrics.recording import count_events
        from workers.queue.broker import run_worker
        from workers.queue.sweeper_process import sweeper_beside
        from workers.records.database import open_database

        if as_json:
            # Its messages at the end are written without a logger.
            vars(import_module("celery.apps.worker"))["safe_say"] = write_at_once
        count_events()
        open_database(set_.database).dispose()
        stack.enter_context(sweeper_beside(chosen, processes))
        code = run_worker(
            [
                # Else it begins with a banner of many lines.
                *(["--quiet"] if as_json else []),
                "worker",
                "--loglevel=INFO",
                f"--queues={','.join(chosen)}",
                f"--concurrency={processes}",
                "--without-gossip",
                "--without-mingle",
                f"--hostname=stichwerk-{os.getpid()}@%h",
            ]
        )
    leave(code)


def _queues(text: str) -> list[Queue]:
    names = [name.strip() for name in text.split(",") if name.strip()]
    unknown = [name for name in names if name not in set(Queue)]
    if unknown or not names:
        raise InputError(
            f"queues '{text}': unknown {', '.join(unknown) or 'nothing'}; known: {', '.join(Queue)}"
        )
    return [Queue(name) for name in dict.fromkeys(names)]
