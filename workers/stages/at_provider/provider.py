"""A provider as stages ask it: every call is timed and told, and its health recorded."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from enum import StrEnum
from time import perf_counter
from typing import ParamSpec, TypeVar

from attrs import field, frozen
from sqlalchemy import Engine, func, insert, select, update
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.orm import Session

from backends import BackendError, CredentialsError, ProviderBackend, UnavailableError
from workers.attributes import build
from workers.clock import database_now, database_time, steady
from workers.events import ProviderCalled, publish
from workers.logs import redacted
from workers.records.tables import ProviderHealth

LOG = logging.getLogger("stichwerk.providers")

AGAIN_SECONDS = 30.0
"""Pause between two records of an unchanged state."""

MAX_DETAIL = 500


class Problem(StrEnum):
    """Why a provider cannot be worked with."""

    UNAVAILABLE = "unavailable"
    CREDENTIALS = "credentials"


@frozen(eq=False)
class HealthBook:
    """Records how calls of providers end: each change at once, the rest now and then."""

    _written: dict[tuple[str, str], tuple[Problem | None, float]] = field(factory=dict)
    _lock: threading.Lock = field(factory=threading.Lock)

    @contextmanager
    def watching(self, engine: Engine, backend: str) -> Iterator[None]:
        """Record how the call in a block ends; failures of the record do not reach the block.

        Args:
            engine: of the database.
            backend: its spec.
        """
        try:
            yield
        except CredentialsError as error:
            self._note(engine, backend, Problem.CREDENTIALS, str(error))
            raise
        except UnavailableError as error:
            self._note(engine, backend, Problem.UNAVAILABLE, str(error))
            raise
        except BackendError:
            # Who refuses a job has answered.
            self._note(engine, backend, None, "")
            raise
        self._note(engine, backend, None, "")

    def _note(self, engine: Engine, backend: str, problem: Problem | None, detail: str) -> None:
        key = (str(engine.url), backend)
        with self._lock:
            before = self._written.get(key)
            fresh = before is not None and steady() - before[1] < AGAIN_SECONDS
            if fresh and before is not None and before[0] is problem:
                return
            self._written[key] = (problem, steady())
        try:
            _write(engine, backend, problem, redacted(" ".join(detail.split()))[:MAX_DETAIL])
        except SQLAlchemyError as error:
            with self._lock:
                self._written.pop(key, None)
            LOG.warning("how %s answers is not recorded: %s", backend, type(error).__name__)


BOOK = HealthBook()
"""This process's."""


def _write(engine: Engine, backend: str, problem: Problem | None, detail: str) -> None:
    values: dict[str, object] = (
        {"answered_at": database_time(), "failing_since": None, "problem": None, "detail": None}
        if problem is None
        else {"failed_at": database_time(), "problem": problem, "detail": detail}
    )
    since = {} if problem is None else {"failing_since": database_time()}
    row = update(ProviderHealth).where(ProviderHealth.backend == backend)
    since_values = {
        name: func.coalesce(ProviderHealth.failing_since, at) for name, at in since.items()
    }
    with engine.begin() as connection:
        if not connection.execute(row.values(values | since_values)).rowcount:
            connection.execute(insert(ProviderHealth).values(values | since | {"backend": backend}))


@frozen
class Answering:
    """The last answers and failures of a provider's backend.

    Args:
        backend: its spec.
        answered_at: time of the last answer.
        failing_since: its first failure since then; None if it answers.
        failing_seconds: since then, by the database's clock; 0 if it answers.
        problem: why it fails; None if it answers.
        detail: the last failure in words.
    """

    backend: str
    answered_at: datetime | None
    failing_since: datetime | None
    failing_seconds: float
    problem: Problem | None
    detail: str | None


def answering(session: Session) -> list[Answering]:
    """Return how all providers that have been called answer."""
    at = database_now(session)
    rows = session.scalars(select(ProviderHealth).order_by(ProviderHealth.backend))
    return [
        build(
            Answering,
            row,
            problem=row.problem and Problem(row.problem),
            failing_seconds=max(0.0, (at - (row.failing_since or at)).total_seconds()),
        )
        for row in rows
    ]


P = ParamSpec("P")
R = TypeVar("R")


@frozen(eq=False)
class Provider:
    """Calls of a backend's provider.

    Args:
        backend: of the provider.
        spec: of the backend.
        engine: of the database in which answers and failures are recorded.
    """

    backend: ProviderBackend
    spec: str
    engine: Engine

    @property
    def name(self) -> str:
        """Return the name of the provider."""
        return self.spec.partition(":")[0]

    def account(self) -> str:
        """Ask whose the jobs are; a backend that knows it already sends no request."""
        try:
            return self.backend.account()
        except BackendError:
            with self._call("account"):
                raise

    def ask(self, call: Callable[P, R], *args: P.args, **options: P.kwargs) -> R:
        """Call a method of the backend."""
        with self._call(call.__name__):
            return call(*args, **options)

    @contextmanager
    def _call(self, call: str) -> Iterator[None]:
        started, outcome = perf_counter(), "error"
        try:
            with BOOK.watching(self.engine, self.spec):
                yield
            outcome = "ok"
        except UnavailableError:
            outcome = "unavailable"
            raise
        except BackendError:
            outcome = "refused"
            raise
        finally:
            publish(ProviderCalled(self.name, call, outcome, perf_counter() - started))
