"""Who may come in: the token is looked at before anything else of a request is."""

from collections.abc import Awaitable, Callable
from typing import Annotated, Any, cast

from fastapi import APIRouter, Depends, HTTPException, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.routing import APIRoute
from fastapi.security import HTTPBearer

from service.api.answers import Problem
from service.api.service import service_of
from workers.tokens import Caller, Scope, caller

REFUSALS: dict[int | str, dict[str, Any]] = {
    401: {"model": Problem, "description": "No token, or one that is unknown or revoked"},
    403: {"model": Problem, "description": "The token lacks the scope"},
    422: {"model": Problem, "description": "Something is wrong with the request"},
    503: {"model": Problem, "description": "The database cannot be reached just now"},
}
LONGEST_TOKEN = 200

_bearer = HTTPBearer(auto_error=False, description="A token of `stichwerk token create`")


def guarded_router(scope: Scope) -> APIRouter:
    """Return a router whose routes are open to tokens with a scope only."""

    class Guarded(APIRoute):
        def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
            handle = super().get_route_handler()

            async def guarded(request: Request) -> Response:
                # Not as a dependency: the body is read, and may be refused, before those.
                request.state.caller = await run_in_threadpool(_admitted, request, scope)
                return await handle(request)

            return guarded

    return APIRouter(route_class=Guarded, dependencies=[Depends(_bearer)], responses=REFUSALS)


def caller_of(request: Request) -> Caller:
    """Return who a request comes from."""
    return cast(Caller, request.state.caller)


TheCaller = Annotated[Caller, Depends(caller_of)]


def _admitted(request: Request, scope: Scope) -> Caller:
    scheme, _, text = request.headers.get("authorization", "").partition(" ")
    found = None
    if scheme.lower() == "bearer" and 0 < len(text) <= LONGEST_TOKEN:
        with service_of(request).reading() as session:
            found = caller(session, text.strip())
    if found is None:
        raise HTTPException(
            401,
            "the token is missing, unknown or revoked; send 'Authorization: Bearer stw_…'",
            {"WWW-Authenticate": "Bearer"},
        )
    if scope not in found.scopes:
        raise HTTPException(403, f"this token lacks the scope '{scope}'")
    return found
