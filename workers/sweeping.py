"""`python -m workers.sweeping`: a sweeper that ends when whoever started it does."""

import logging
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from compiler.errors import StichwerkError
from workers.broker import send
from workers.database import open_database
from workers.fairness import is_local
from workers.queue_lengths import queue_lengths
from workers.redaction import RedactingFilter
from workers.settings import settings
from workers.sweeper import Sweeper

LOG = logging.getLogger("stichwerk.sweeper")

LOOK_SECONDS = 1.0
"""Between two looks whether the sweeper still runs."""


@contextmanager
def sweeper_beside() -> Iterator[None]:
    """Run a sweeper in a process of its own until the block ends; one that dies is replaced.

    Without one, jobs that wait for their provider, or whose message was lost, would stand still.
    """
    stop = threading.Event()
    keeper = threading.Thread(target=_keep, args=(stop,), name="sweeper", daemon=True)
    keeper.start()
    try:
        yield
    finally:
        stop.set()
        keeper.join()


def _keep(stop: threading.Event) -> None:
    while not stop.is_set():
        command = [sys.executable, "-m", "workers.sweeping"]
        with subprocess.Popen(command, stdin=subprocess.PIPE) as sweeper:
            while sweeper.poll() is None and not stop.wait(LOOK_SECONDS):
                pass
        if not stop.is_set():
            LOG.warning("the sweeper has ended with %s; another follows", sweeper.returncode)
            stop.wait(LOOK_SECONDS)


def main() -> int:
    """Sweep until standard input is closed or a signal comes."""
    logging.basicConfig(format="%(asctime)s %(name)s: %(message)s", level=logging.INFO)
    for handler in logging.getLogger().handlers:
        handler.addFilter(RedactingFilter())
    stop = threading.Event()
    # Whoever started this tells it when to end: Ctrl-C goes to both.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    threading.Thread(target=_wait_for_end_of_input, args=(stop,), daemon=True).start()
    set_ = settings()
    try:
        engine = open_database(set_.database)
    except StichwerkError as error:
        print(f"stichwerk: {error}", file=sys.stderr)
        return 2
    lengths = queue_lengths(set_.redis)
    Sweeper(engine, set_, send=send, waiting=lengths, is_local=is_local).run(stop)
    return 0


def _wait_for_end_of_input(stop: threading.Event) -> None:
    # Not through a buffer, whose lock would be held when Python ends.
    while os.read(sys.stdin.fileno(), 1 << 12):
        pass
    stop.set()


if __name__ == "__main__":
    sys.exit(main())
