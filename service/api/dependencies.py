"""Objects that all requests share, and authentication, which comes before all other parts."""

import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, nullcontext
from time import monotonic
from typing import Annotated, cast
from urllib.parse import urlsplit

from attrs import field, frozen
from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer
from sqlalchemy import Engine
from sqlalchemy.orm import Session
from starlette.routing import Match
from starlette.types import Scope as ASGIScope

from service.api.broker import BrokerLink
from service.api.errors import COOKIE, accepts_page, refusals
from service.api.limits import Rates
from service.api.metrics import RequestMetrics
from service.api.strict_json import StrictRequest
from service.api.writers import Writers
from workers.accounts.tokens import Caller, Scope, caller, digest, digests
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


FOR_ALL = {
    422: "Invalid request",
    421: "Unknown name in the Host header",
    429: "Too many requests; Retry-After is the time to wait",
}
"""Refusals of all routes."""
REFUSALS = refusals(
    {
        401: "The token is missing, unknown, expired or revoked",
        403: "The token lacks the scope",
        **FOR_ALL,
        503: "The database is unavailable",
    }
)
LONGEST_TOKEN = 200

FAILURES_A_MINUTE = 60
"""Requests from one address without a valid token; others are answered with 429.

They keep no valid token out. Guessing is hopeless at any rate: a token has 256 random bits.
"""

_bearer = HTTPBearer(auto_error=False, description="A token of `stichwerk token create`")

FOREIGN = "request from another site refused; open this page directly and try again"


def guarded_router(scope: Scope, *, for_browsers: bool = False) -> APIRouter:
    """Return a router whose routes are open to tokens with a scope only.

    Args:
        scope: that a token needs.
        for_browsers: whether only requests that accept HTML take the routes; others take those of
            the API with the same address.
    """

    class Guarded(APIRoute):
        def matches(self, scope: ASGIScope) -> tuple[Match, ASGIScope]:
            if for_browsers and not accepts_page(Request(scope)):
                return Match.NONE, {}
            return super().matches(scope)

        def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
            handle = super().get_route_handler()

            async def guarded(request: Request) -> Response:
                # Not as a dependency: the body is read, and may be refused, before those.
                request.state.caller = await run_in_threadpool(_admitted, request, scope)
                return await handle(StrictRequest(request.scope, request.receive))

            return guarded

    return APIRouter(route_class=Guarded, dependencies=[Depends(_bearer)], responses=REFUSALS)


def caller_of(request: Request) -> Caller:
    """Return who a request comes from."""
    return cast(Caller, request.state.caller)


TheCaller = Annotated[Caller, Depends(caller_of)]


def _admitted(request: Request, scope: Scope) -> Caller:
    service = service_of(request)
    result = caller_of_token(request, _token(request))
    a_minute = result.calls_a_minute or service.settings.calls_a_minute
    seconds = service.rates.wait(result.token_id, a_minute)
    if seconds:
        raise HTTPException(429, f"{a_minute} calls a minute are allowed", _later(seconds))
    if scope not in result.scopes:
        raise HTTPException(403, f"this token lacks the scope '{scope}'")
    return result


def _token(request: Request) -> str:
    """Return the bearer's token, else that of the cookie; empty for none.

    The cookie is `SameSite=Strict`. Requests that change data are checked for their origin, too,
    since a proxy may add the token of a user whom it knows by a cookie of its own.
    """
    if request.method not in ("GET", "HEAD"):
        refuse_foreign(request)
    authorization = request.headers.get("authorization")
    if authorization is not None:
        scheme, _, text = authorization.partition(" ")
        return text.strip() if scheme.lower() == "bearer" else ""
    return request.cookies.get(COOKIE, "")


def caller_of_token(request: Request, text: str) -> Caller:
    """Return the caller of a token.

    Raises:
        HTTPException: if the token is invalid, or the address has tried too many.
    """
    service = service_of(request)
    result = _caller(request, text) if 0 < len(text) <= LONGEST_TOKEN else None
    if result is None:
        seconds = service.rates.wait(_address(request), FAILURES_A_MINUTE)
        if seconds:
            raise HTTPException(429, "too many requests without a valid token", _later(seconds))
        raise HTTPException(
            401,
            "the token is missing, unknown, expired or revoked; send 'Authorization: Bearer stw_…'",
            {"WWW-Authenticate": "Bearer"},
        )
    return result


def refuse_foreign(request: Request) -> None:
    """Refuse requests that browsers send for pages of another site.

    Programs send no such headers, and cannot be made to send requests by a page. `Origin` is
    checked where `Sec-Fetch-Site` is missing: over plain HTTP to another machine.

    Raises:
        HTTPException: if it comes from another site.
    """
    site = request.headers.get("sec-fetch-site")
    if site is not None:
        if site not in ("same-origin", "none"):
            raise HTTPException(403, FOREIGN)
        return
    origin = request.headers.get("origin")
    if origin is not None and _host(origin) != request.headers.get("host", "").lower():
        raise HTTPException(403, FOREIGN)


def _host(origin: str) -> str | None:
    """Return the host and port of an origin; None for `null` and for invalid ones."""
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


def _caller(request: Request, text: str) -> Caller | None:
    service = service_of(request)
    # A client that tries one token after the other does not make the database look all of them
    # up. A token that exists is let in all the same: many clients may share an address.
    exhausted = service.rates.exhausted(_address(request), FAILURES_A_MINUTE)
    if exhausted and text not in service.known_tokens:
        return None
    with Session(at_once(service.engine)) as session:
        return caller(session, text)


def _address(request: Request) -> str:
    return request.client.host if request.client else ""


def _later(seconds: int) -> dict[str, str]:
    return {"Retry-After": str(seconds)}
