"""What all requests share: the database, the settings, the inspector, the broker, the counts."""

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Annotated, cast

from attrs import field, frozen
from fastapi import Depends, Request
from sqlalchemy import Engine
from sqlalchemy.orm import Session

from service.api.broker import BrokerLink
from service.api.known_tokens import KnownTokens
from service.api.metrics import RequestMetrics
from service.api.rate_limits import Rates
from workers.metrics.from_records.collector import RecordCollector
from workers.queue.heartbeats import Heart, Kind
from workers.settings import Settings
from workers.untrusted_programs.inspector import Inspector


@frozen(eq=False)
class Service:
    """What a server works with, from its start to its end.

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
    _turns: AbstractContextManager[object] = field(init=False)

    @known_tokens.default
    def _tokens_of_the_database(self) -> KnownTokens:
        return KnownTokens(self.engine)

    @records.default
    def _read_when_asked(self) -> RecordCollector:
        return RecordCollector(self.engine, self.settings, self.broker.lengths)

    @heart.default
    def _heart_of_this_process(self) -> Heart:
        return Heart(self.engine, Kind.API)

    @_turns.default
    def _taking_turns(self) -> AbstractContextManager[object]:
        # SQLite has one writer at a time; who finds it busy sleeps longer and longer.
        sqlite = self.engine.dialect.name == "sqlite"
        return threading.Lock() if sqlite else nullcontext()

    def reading(self) -> Session:
        """Return a session for looking."""
        return Session(self.engine, expire_on_commit=False)

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """Return a session for changes."""
        with self._turns, self.reading() as session:
            yield session


def service_of(request: Request) -> Service:
    """Return what the server of a request works with."""
    return cast(Service, request.app.state.service)


TheService = Annotated[Service, Depends(service_of)]
