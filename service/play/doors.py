"""Access to matches: everybody, with a limit a minute, and not by pages of other sites."""

from collections.abc import Awaitable, Callable
from typing import Annotated, cast

from fastapi import Depends, HTTPException, Request, Response
from fastapi.routing import APIRoute

from play.hosted.matches import Matches
from service.api.dependencies import refuse_foreign, service_of
from service.api.strict_json import StrictRequest

CALLS_A_MINUTE = 1200
"""Requests of one address: ten people in one house, each page asking every 1.5 s, make 400."""
STARTS_A_MINUTE = 10
"""Matches that are started from one address."""
PRIVATE = {"Referrer-Policy": "same-origin"}
"""Links hold secrets. Not `no-referrer`: forms would then come from nowhere."""


class PlayRoute(APIRoute):
    """A route that anybody may take so often a minute; see `refuse_foreign`."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
        """Return the answer to a request."""
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


def matches_of(request: Request) -> Matches:
    """Return all matches of the server of a request."""
    return cast(Matches, request.app.state.matches)


TheMatches = Annotated[Matches, Depends(matches_of)]
