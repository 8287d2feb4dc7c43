"""Who may come in to play: everybody, so often a minute, and not by a page from elsewhere."""

from collections.abc import Awaitable, Callable
from typing import Annotated, cast
from urllib.parse import urlsplit

from fastapi import Depends, HTTPException, Request, Response
from fastapi.routing import APIRoute

from play.hosted.matches import Matches
from service.api.dependencies import service_of
from service.api.strict_json import StrictRequest

CALLS_A_MINUTE = 1200
"""Of one address: ten people in one house, each page asking every 1.5 s, make 400."""
STARTS_A_MINUTE = 10
"""Matches that are started from one address."""
PRIVATE = {"Referrer-Policy": "same-origin"}
"""Links hold secrets. Not `no-referrer`: forms would then come from nowhere."""
FOREIGN = "forms of other sites are not taken; open the page here and try again"


class PlayRoute(APIRoute):
    """A route that anybody may take so often a minute; see `refuse_foreign`."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
        """Return what answers a request."""
        handle = super().get_route_handler()

        async def guarded(request: Request) -> Response:
            count(request, "play", CALLS_A_MINUTE)
            if request.method == "POST":
                refuse_foreign(request)
            response = await handle(StrictRequest(request.scope, request.receive))
            response.headers.update(PRIVATE)
            return response

        return guarded


def count(request: Request, what: str, a_minute: int) -> None:
    """Count a call of an address.

    Raises:
        HTTPException: if it has called too often.
    """
    address = request.client.host if request.client else ""
    seconds = service_of(request).rates.wait((what, address), a_minute)
    if seconds:
        raise HTTPException(
            429, f"{a_minute} of these a minute are allowed", {"Retry-After": str(seconds)}
        )


def refuse_foreign(request: Request) -> None:
    """Refuse what a page of another site has sent, which browsers tell.

    Programs tell nothing, and nobody can make them send what they do not want to. `Origin` is
    looked at where `Sec-Fetch-Site` is missing: over plain HTTP to another machine.

    Raises:
        HTTPException: if it comes from elsewhere.
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
    """Return the host and port of an origin; None for `null` and for what is none."""
    try:
        return urlsplit(origin).netloc.lower() or None
    except ValueError:
        return None


def matches_of(request: Request) -> Matches:
    """Return all matches of the server of a request."""
    return cast(Matches, request.app.state.matches)


TheMatches = Annotated[Matches, Depends(matches_of)]
