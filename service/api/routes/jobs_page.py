"""`/jobs` for a browser: a page whose script calls the API with its reader's token."""

from fastapi import APIRouter
from fastapi.responses import HTMLResponse
from starlette.routing import Match
from starlette.types import Scope

from service.pages.rendering import render
from service.play.doors import PlayRoute
from workers.jobs.states import State


class BrowserRoute(PlayRoute):
    """Route for browsers that open an address; programs send a token, or want no HTML."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Tell whether a request takes this route."""
        headers = dict(scope.get("headers", ()))
        if b"authorization" in headers or b"text/html" not in headers.get(b"accept", b""):
            return Match.NONE, {}
        return super().matches(scope)


router = APIRouter(route_class=BrowserRoute, include_in_schema=False)


@router.get("/jobs")
def show_page() -> HTMLResponse:
    """Show the page, which needs no token: it contains no job."""
    page = render("jobs.html", states=[state.value for state in State])
    return HTMLResponse(page, headers={"Vary": "Accept, Authorization"})
