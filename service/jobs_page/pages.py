"""`/jobs` as a browser asks for it: a page, which then asks the API with its reader's token."""

from importlib.resources import files

from fastapi import APIRouter, HTTPException, Response
from starlette.routing import Match
from starlette.types import Scope

from service.play.doors import PlayRoute

FILES = {
    "page.css": "text/css",
    **dict.fromkeys(
        ("asking.js", "elements.js", "details.js", "list.js", "jobs.js"), "text/javascript"
    ),
}
"""What the page loads, by name: its kind."""


class BrowserRoute(PlayRoute):
    """A route for browsers that open an address; programs send a token, or want no HTML."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Tell whether a request takes this route."""
        headers = dict(scope.get("headers", ()))
        if b"authorization" in headers or b"text/html" not in headers.get(b"accept", b""):
            return Match.NONE, {}
        return super().matches(scope)


router = APIRouter(include_in_schema=False)
_page = APIRouter(route_class=BrowserRoute)
_files = APIRouter(route_class=PlayRoute)


@_page.get("/jobs")
def show_page() -> Response:
    """Show the page; it holds no job, so it needs no token."""
    return _sent("page.html", "text/html")


@_files.get("/jobs/files/{name}")
def show_file(name: str) -> Response:
    """Return what the page loads."""
    if name not in FILES:
        raise HTTPException(404, "there is no such file")
    return _sent(name, FILES[name])


def _sent(name: str, kind: str) -> Response:
    content = (files("service.jobs_page") / "browser" / name).read_text(encoding="utf-8")
    return Response(content, media_type=kind, headers={"Vary": "Accept, Authorization"})


router.include_router(_page)
router.include_router(_files)
