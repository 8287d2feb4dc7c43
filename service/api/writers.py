"""Turns at a database that has one writer at a time, with a bounded wait."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from compiler.errors import StichwerkError


class BusyWritersError(StichwerkError):
    """A turn to write does not come in time, or too many threads wait for one."""


class Writers:
    """Turns of the threads that write: SQLite's own lock would serve them in random order.

    Args:
        seconds: for which a thread waits for its turn.
        places: for threads that wait or write; others are refused at once, so that some threads
            are left for requests that read.
    """

    def __init__(self, seconds: float, places: int) -> None:
        self._seconds = seconds
        self._places = threading.BoundedSemaphore(places)
        self._turn = threading.Lock()

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Hold the turn.

        Raises:
            BusyWritersError: if it does not come in time, or too many wait.
        """
        if not self._places.acquire(blocking=False):
            raise BusyWritersError(
                "the database is busy: too many requests wait to write; try again in some seconds"
            )
        try:
            if not self._turn.acquire(timeout=self._seconds):
                raise BusyWritersError(
                    f"the database is busy: others have been writing for {self._seconds:g} s; "
                    "try again in some seconds"
                )
            try:
                yield
            finally:
                self._turn.release()
        finally:
            self._places.release()
