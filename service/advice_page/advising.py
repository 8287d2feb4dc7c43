"""Advice for everybody: one after the other, and the same question is not worked out twice."""

import os
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock

from attrs import define, field, frozen

from games.advising import Advised, Answers, Bounds, advisers
from workers.untrusted_programs.tenant_turns import BusyError

SECONDS, DEALS, PLAYOUTS = 4.0, 300, 300_000
"""Of an advice: about as long as somebody waits, if the processors are free."""
AT_ONCE, MOST_WAITING = 2, 10
MOST_KEPT = 200
GAME = "skat"


@frozen
class Question:
    """What somebody asks.

    Args:
        example: its name; empty for what a form says.
        answers: of the form, by field.
    """

    example: str
    answers: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def by_field(self) -> Answers:
        """The answers of the form."""
        return dict(self.answers)


@define(eq=False)
class Advising:
    """What has been asked lately, and those who wait; safe to be shared by threads."""

    _kept: OrderedDict[Question, Advised] = field(factory=OrderedDict, init=False)
    _lock: Lock = field(factory=Lock, init=False)
    _turns: BoundedSemaphore = field(factory=lambda: BoundedSemaphore(AT_ONCE), init=False)
    _waiting: int = field(default=0, init=False)

    def advice(self, question: Question) -> Advised:
        """Return the advice on a question.

        Raises:
            InputError: if it is none.
            BusyError: if too many others wait.
        """
        found = self._known(question)
        if found is not None:
            return found
        with self._turn():
            # Who has waited may find that another has asked the same.
            found = self._known(question) or _worked_out(question)
        with self._lock:
            self._kept[question] = found
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return found

    def _known(self, question: Question) -> Advised | None:
        with self._lock:
            if question in self._kept:
                self._kept.move_to_end(question)
            return self._kept.get(question)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        with self._lock:
            if self._waiting >= MOST_WAITING:
                raise BusyError(f"{MOST_WAITING} others wait for advice; try again soon")
            self._waiting += 1
        try:
            with self._turns:
                yield
        finally:
            with self._lock:
                self._waiting -= 1


def _worked_out(question: Question) -> Advised:
    threads = max(1, len(os.sched_getaffinity(0)) // AT_ONCE)
    bounds = Bounds(SECONDS, DEALS, PLAYOUTS, threads, time.thread_time)
    adviser = advisers[GAME]
    if question.example:
        return adviser.example(question.example, bounds)
    return adviser.position(question.by_field, bounds)
