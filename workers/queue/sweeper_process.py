"""`python -m workers.queue.sweeper_process`: a sweeper that ends with the process that started it.

It also beats for its worker: it ends whenever that does, however it ends, and unlike the worker's
main process it may have a connection to the database, which a fork would break.
"""

import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from compiler.errors import StichwerkError
from workers.jobs.states import Queue
from workers.logs import leave, log_to_stderr
from workers.metrics.recording import count_events
from workers.notices.sending import Notifier
from workers.queue.broker import send
from workers.queue.fairness import is_local
from workers.queue.heartbeats import Heart, Kind
from workers.queue.lengths import queue_lengths
from workers.queue.sweeper import Sweeper
from workers.records.database import open_database
from workers.sandbox.child_environment import hide_environment
from workers.settings import settings

LOG = logging.getLogger("stichwerk.sweeper")

LOOK_SECONDS = 1.0
"""Between two looks whether the sweeper still runs."""


@contextmanager
def sweeper_beside(queues: Sequence[Queue], processes: int) -> Iterator[None]:
    """Run a sweeper in a process of its own until the block ends; one that dies is replaced.

    Without one, jobs that wait for their provider, or whose message was lost, would stand still.

    Args:
        queues: that the worker beside it listens to.
        processes: of that worker.
    """
    module = ["-m", "workers.queue.sweeper_process"]
    command = [sys.executable, *module, str(os.getpid()), str(processes), *queues]
    stop = threading.Event()
    keeper = threading.Thread(target=_keep, args=(command, stop), name="sweeper", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        stop.set()
        keeper.join()


def _keep(command: Sequence[str], stop: threading.Event) -> None:
    while not stop.is_set():
        with subprocess.Popen(command, stdin=subprocess.PIPE) as sweeper:
            while sweeper.poll() is None and not stop.wait(LOOK_SECONDS):
                pass
        if not stop.is_set():
            LOG.warning("the sweeper has ended with %s; another follows", sweeper.returncode)
            stop.wait(LOOK_SECONDS)


def main(worker: str, processes: str, *queues: str) -> int:
    """Sweep until standard input is closed or a signal comes.

    Args:
        worker: number of its main process.
        processes: that it has.
        queues: that it listens to.
    """
    hide_environment()
    set_ = settings()
    log_to_stderr(set_.log_format)
    count_events()
    stop = threading.Event()
    # The worker that started this tells it when to end: Ctrl-C goes to both.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    threading.Thread(target=_wait_for_end_of_input, args=(stop,), daemon=True).start()
    try:
        engine = open_database(set_.database)
    except StichwerkError as error:
        LOG.critical("%s", error)
        return 2
    hearts = (
        Heart(
            engine,
            Kind.WORKER,
            pid=int(worker),
            queues=[Queue(name) for name in queues],
            processes=int(processes),
        ),
        Heart(engine, Kind.SWEEPER),
    )
    lengths = queue_lengths(set_.redis)
    notifier = Notifier(engine, set_)
    threading.Thread(target=notifier.run, args=(stop,), name="notices", daemon=True).start()
    for heart in hearts:
        heart.start()
    try:
        Sweeper(engine, set_, send=send, waiting=lengths, is_local=is_local).run(stop)
    finally:
        for heart in hearts:
            heart.stop()
    return 0


def _wait_for_end_of_input(stop: threading.Event) -> None:
    # Not through a buffer, whose lock would be held when Python ends.
    while os.read(sys.stdin.fileno(), 1 << 12):
        pass
    stop.set()


if __name__ == "__main__":
    leave(main(*sys.argv[1:]))
