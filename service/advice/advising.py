"""Advice for all visitors: a few questions at a time, and the same question only once."""

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock

from attrs import define, field, frozen

from games.advising import Advised, Answers
from games.trick_taking.advice.effort import Effort
from play.hosted.kept_match import Recent
from workers.untrusted_programs.tenant_turns import BusyError

SECONDS, DEALS, PLAYOUTS = 4.0, 300, 300_000
"""Seconds of an advice: about as long as a player waits, if the processors are free."""
AT_ONCE, MAX_WAITING = 2, 10
MAX_ANSWERS = 200


@frozen
class Question:
    """A request of advice.

    Args:
        example: its name; empty for a form.
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
    """Recent requests, and those that wait; safe to be shared by threads."""

    _answers: Recent[Question, Advised] = field(factory=lambda: Recent(MAX_ANSWERS), init=False)
    _lock: Lock = field(factory=Lock, init=False)
    _turns: BoundedSemaphore = field(factory=lambda: BoundedSemaphore(AT_ONCE), init=False)
    _waiting: int = field(default=0, init=False)

    def advice(self, question: Question) -> Advised:
        """Return the advice on a question.

        Raises:
            InputError: if it is none.
            BusyError: if too many others wait.
        """
        advice = self._answers.get(question)
        if advice is not None:
            return advice
        with self._turn():
            # The same question may have been answered while this one waited.
            advice = self._answers.get(question) or _computed(question)
        return self._answers.keep(question, advice)

    @contextmanager
    def _turn(self) -> Iterator[None]:
        with self._lock:
            if self._waiting >= MAX_WAITING:
                raise BusyError(f"{MAX_WAITING} others wait for advice; try again soon")
            self._waiting += 1
        try:
            with self._turns:
                yield
        finally:
            with self._lock:
                self._waiting -= 1


def _computed(question: Question) -> Advised:
    # Compiled by Numba, which no other page needs.
    from games.trick_taking.advice.page.answer import advised
    from games.trick_taking.advice.page.asked import example_of, position_of

    threads = max(1, len(os.sched_getaffinity(0)) // AT_ONCE)
    effort = Effort(PLAYOUTS, DEALS, SECONDS, 0, threads, time.thread_time)
    position = example_of(question.example) if question.example else position_of(question.by_field)
    return advised(position, effort)
