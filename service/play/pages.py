"""Matches for people: pages and forms."""

from collections.abc import Awaitable, Callable
from importlib.resources import files
from pathlib import PurePath
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from compiler.errors import InputError, StichwerkError
from games.playing.formats import formats_of
from games.playing.playable import playables
from service.api.errors import refusal, told
from service.play.doors import PRIVATE, STARTS_A_MINUTE, PlayRoute, TheMatches, count
from service.play.errors import MoveConflictError
from service.play.forms import Form, move_of, players_of, record_of, rules_of, seats_of, seed_of
from service.play.html.layout import FILES, problem_page
from service.play.html.start import links_page, start_page
from service.play.html.table import table_page
from service.play.schemas import started
from service.play.shown import Shown, shown_of

USUAL_GAME = "six-nimmt"
"""What the start page offers first: the game that any number of people can play."""


class PageRoute(PlayRoute):
    """A route that also refuses by a page."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
        """Return what answers a request."""
        handle = super().get_route_handler()

        async def shown(request: Request) -> Response:
            try:
                return await handle(request)
            except HTTPException as error:
                status, detail, more = error.status_code, str(error.detail), error.headers
            except StichwerkError as error:
                found = refusal(error)
                if found is None:
                    raise
                (status, more), detail = found, str(error)
            return HTMLResponse(problem_page(told(detail)), status, PRIVATE | dict(more or {}))

        return shown


router = APIRouter(prefix="/play", route_class=PageRoute, include_in_schema=False)


@router.get("")
def show_start(request: Request, matches: TheMatches) -> HTMLResponse:
    """Show the form that starts a match."""
    game = request.query_params.get("game", USUAL_GAME)
    players = players_of(playables[game], request.query_params.get("players", ""))
    offered = matches.measuring.backends
    return HTMLResponse(start_page(game, players, offered))


@router.post("")
def start_match(form: Form, matches: TheMatches, request: Request) -> Response:
    """Start a match and show its links, or show the seats of the game that was chosen."""
    if "show" in form:
        asked = {name: form[name] for name in ("game", "players") if name in form}
        return RedirectResponse(f"/play?{urlencode(asked)}", 303)
    count(request, "start", STARTS_A_MINUTE)
    new = matches.start(
        form.get("game", ""),
        seats_of(form),
        rules_of(form),
        seed=seed_of(form),
        chances="chances" in form,
        backend=form.get("backend", ""),
        record=record_of(form),
    )
    return HTMLResponse(links_page(started(new), str(request.base_url).rstrip("/")), 201)


@router.get("/files/{name}")
def show_file(name: str) -> Response:
    """Return what pages load."""
    if name not in FILES:
        raise HTTPException(404, "there is no such file")
    content = (files("service.play") / "browser" / name).read_text(encoding="utf-8")
    return Response(content, media_type=FILES[name])


@router.get("/{match}")
def watch_match(match: str, matches: TheMatches, request: Request) -> HTMLResponse:
    """Show a match to everybody."""
    return HTMLResponse(table_page(matches.look(match), None, shown_of(request.query_params, None)))


@router.get("/{match}/record/{name}")
def download(match: str, name: str, matches: TheMatches) -> Response:
    """Return a match of which nothing is hidden as a file that other programs read."""
    played = matches.look(match).match
    suffix = PurePath(name).suffix
    format_ = formats_of(played.game).get(suffix)
    if format_ is None:
        raise HTTPException(404, "there is no such file")
    return Response(
        format_.write(played),
        media_type=format_.kind,
        headers={"Content-Disposition": f'attachment; filename="{played.game}{suffix}"'},
    )


@router.get("/{match}/{secret}")
def show_match(match: str, secret: str, matches: TheMatches, request: Request) -> HTMLResponse:
    """Show a match to a seat."""
    kept, seat = matches.sit(match, secret)
    asked = shown_of(request.query_params, len(kept.moves_of(seat)))
    return HTMLResponse(table_page(kept, seat, asked))


@router.post("/{match}/{secret}")
def move(match: str, secret: str, form: Form, matches: TheMatches) -> Response:
    """Play a move, and show the match again."""
    try:
        matches.move(match, secret, *move_of(form))
    except (InputError, MoveConflictError) as error:
        (status, headers), detail = refusal(error) or (422, None), told(str(error))
        page = table_page(*matches.sit(match, secret), Shown(typed=form.get("move", "")), detail)
        return HTMLResponse(page, status, headers)
    return RedirectResponse(f"/play/{match}/{secret}", 303)
