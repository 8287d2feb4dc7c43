"""Objects that all requests share: database, settings, inspector, broker, metrics."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from time import monotonic
from typing import Annotated, cast

from attrs import field, frozen
from fastapi import Depends, Request
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from service.api.broker import BrokerLink
from service.api.limits import Rates
from service.api.metrics import RequestMetrics
from service.api.writers import Writers
from workers.accounts.tokens import digest, digests
from workers.metrics.from_records.collector import RecordCollector
from workers.queue.heartbeats import Heart, Kind
from workers.records.database import ANSWER_SECONDS, at_once
from workers.settings import Settings
from workers.untrusted_programs.inspector import MAX_WAITING, Inspector

MAX_WRITING = 3 * MAX_WAITING
"""Requests that wait to write, out of `service.api.app.THREADS`."""


PAUSE_SECONDS = 0.05
SHARE = 0.05
"""Share of the time that reading the digests may take."""


class KnownTokens:
    """The digests of all tokens; safe to be shared by threads.

    Args:
        engine: of the database.
        clock: returns seconds.
    """

    def __init__(self, engine: Engine, clock: Callable[[], float] = monotonic) -> None:
        self._engine = engine
        self._clock = clock
        self._digests: frozenset[str] = frozenset()
        self._read_again_at = 0.0
        self._lock = threading.Lock()

    def __contains__(self, token: str) -> bool:
        """Return whether a token exists, expired and revoked ones too.

        One that was created a moment ago may be missing; it is there a second later.
        """
        wanted = digest(token)
        if wanted not in self._digests:
            with self._lock:
                self._read()
        return wanted in self._digests

    def _read(self) -> None:
        begun = self._clock()
        if begun < self._read_again_at:
            return
        with Session(at_once(self._engine)) as session:
            self._digests = digests(session)
        ended = self._clock()
        self._read_again_at = ended + max(PAUSE_SECONDS, (ended - begun) / SHARE)


@frozen(eq=False)
class Service:
    """Objects of a server, from its start to its end.

    Args:
        engine: of the database.
        settings: limits and budgets.
        inspector: reads programs.
        broker: tells workers of jobs.
    """

    engine: Engine
    settings: Settings
    inspector: Inspector
    broker: BrokerLink
    metrics: RequestMetrics = field(factory=RequestMetrics, init=False)
    rates: Rates = field(factory=Rates, init=False)
    known_tokens: KnownTokens = field(init=False)
    records: RecordCollector = field(init=False)
    heart: Heart = field(init=False)
    _writers: Writers | None = field(init=False)

    @known_tokens.default
    def _tokens_of_the_database(self) -> KnownTokens:
        return KnownTokens(self.engine)

    @records.default
    def _read_when_asked(self) -> RecordCollector:
        return RecordCollector(self.engine, self.settings, self.broker.lengths)

    @heart.default
    def _heart_of_this_process(self) -> Heart:
        return Heart(self.engine, Kind.API)

    @_writers.default
    def _one_at_a_time(self) -> Writers | None:
        if self.engine.dialect.name != "sqlite":
            return None
        return Writers(min(self.settings.lock_seconds, ANSWER_SECONDS), MAX_WRITING)

    def reading(self) -> Session:
        """Return a session for looking."""
        return Session(self.engine, expire_on_commit=False)

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Return a session for changes.

        Raises:
            BusyWritersError: if others write for too long.
        """
        turn = nullcontext() if self._writers is None else self._writers.turn()
        with turn, self.reading() as session:
            yield session


def service_of(request: Request) -> Service:
    """Return the objects of the server of a request."""
    return cast(Service, request.app.state.service)


TheService = Annotated[Service, Depends(service_of)]
