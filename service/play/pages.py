"""Pages and forms of matches."""

from collections.abc import Awaitable, Callable
from pathlib import PurePath
from urllib.parse import urlencode

from fastapi import APIRouter, HTTPException, Request, Response
from fastapi.responses import HTMLResponse, RedirectResponse

from compiler.errors import InputError, StichwerkError
from play.hosted.kept_match import MoveConflictError
from play.hosted.matches import PERSON
from play.playable import playables
from service.api.errors import refusal, told
from service.pages.rendering import render
from service.play.doors import PRIVATE, STARTS_A_MINUTE, PlayRoute, TheMatches, count
from service.play.match_page import (
    LONGEST_RECORD,
    Form,
    Shown,
    match_page,
    move_of,
    players_of,
    record_of,
    rule_picture,
    rules_of,
    seats_of,
    seed_of,
    shown_of,
    usual_seats,
)
from service.play.schemas import MAX_SEED, started

USUAL_GAME = "six-nimmt"
"""The first game of the start page: any number of people can play it."""


class PageRoute(PlayRoute):
    """A route that also refuses by a page."""

    def get_route_handler(self) -> Callable[[Request], Awaitable[Response]]:  # type: ignore[override]
        """Return the answer to a request."""
        handle = super().get_route_handler()

        async def shown(request: Request) -> Response:
            try:
                return await handle(request)
            except HTTPException as error:
                status, detail, more = error.status_code, str(error.detail), error.headers
            except StichwerkError as error:
                refused = refusal(error)
                if refused is None:
                    raise
                (status, more), detail = refused, str(error)
            return HTMLResponse(
                render("problem.html", detail=told(detail)), status, PRIVATE | dict(more or {})
            )

        return shown


router = APIRouter(prefix="/play", route_class=PageRoute, include_in_schema=False)


@router.get("")
def show_start(request: Request, matches: TheMatches) -> HTMLResponse:
    """Show the form that starts a match."""
    game = request.query_params.get("game", USUAL_GAME)
    kind = playables[game]
    players = players_of(kind, request.query_params.get("players", ""))
    fewest, most, _ = kind.seats
    backends = [(name, f"{name}, by jobs") for name in matches.backends]
    page = render(
        "play/start.html",
        game=game,
        title_of_game=kind.title,
        games=[(name, playables[name].title) for name in playables],
        counts=[(str(count), str(count)) for count in range(fewest, most + 1)],
        usual_seats=usual_seats(kind, players),
        rules=kind.rules,
        picture=rule_picture,
        bots=[(PERSON, PERSON), *((name, f"bot: {name}") for name in kind.bots)],
        options={
            name: [(value, kind.names.get(value, value)) for value in values]
            for name, values in kind.options.items()
        },
        backends=[("", "exact simulator"), *backends] if backends else [],
        names=kind.names,
        formats=[
            (suffix, format_.title) for suffix, format_ in kind.formats.items() if format_.read
        ],
        max_seed=MAX_SEED,
        max_record=LONGEST_RECORD,
    )
    return HTMLResponse(page)


@router.post("")
def start_match(form: Form, matches: TheMatches, request: Request) -> Response:
    """Start a match, or show the seats of the game that was chosen.

    A person who plays against bots comes to the match, several get their links.
    """
    if "show" in form:
        query = {name: form[name] for name in ("game", "players") if name in form}
        return RedirectResponse(f"/play?{urlencode(query)}", 303)
    count(request, "start", STARTS_A_MINUTE)
    seats = seats_of(form)
    new = matches.start(
        form.get("game", ""),
        seats,
        rules_of(form),
        seed=seed_of(form),
        chances="chances" in form,
        backend=form.get("backend", ""),
        record=record_of(form),
    )
    if seats.count(PERSON) == 1:
        (secret,) = new.secrets.values()
        return RedirectResponse(f"/play/{new.kept.id}/{secret}", 303)
    origin = str(request.base_url).rstrip("/")
    return HTMLResponse(render("play/links.html", match=started(new), origin=origin), 201)


@router.get("/{match}")
def watch_match(match: str, matches: TheMatches, request: Request) -> HTMLResponse:
    """Show a match to everybody."""
    return HTMLResponse(match_page(matches.look(match), None, shown_of(request.query_params, None)))


@router.get("/{match}/record/{name}")
def download(match: str, name: str, matches: TheMatches) -> Response:
    """Return a match of which nothing is hidden as a file that other programs read."""
    played = matches.look(match).match
    suffix = PurePath(name).suffix
    format_ = playables[played.game].formats.get(suffix)
    if format_ is None:
        raise HTTPException(404, "there is no such file")
    return Response(
        format_.write(played),
        media_type=format_.media_type,
        headers={"Content-Disposition": f'attachment; filename="{played.game}{suffix}"'},
    )


@router.get("/{match}/{secret}")
def show_match(match: str, secret: str, matches: TheMatches, request: Request) -> HTMLResponse:
    """Show a match to a seat."""
    stored, seat = matches.sit(match, secret)
    view = shown_of(request.query_params, len(stored.moves_of(seat)))
    advice = matches.advice(stored, seat) if view.advice else ()
    return HTMLResponse(match_page(stored, seat, view, advice=advice))


@router.post("/{match}/{secret}")
def move(match: str, secret: str, form: Form, matches: TheMatches) -> Response:
    """Play a move, and show the match again."""
    try:
        matches.move(match, secret, *move_of(form))
    except (InputError, MoveConflictError) as error:
        (status, headers), detail = refusal(error) or (422, None), told(str(error))
        page = match_page(*matches.sit(match, secret), Shown(typed=form.get("move", "")), detail)
        return HTMLResponse(page, status, headers)
    return RedirectResponse(f"/play/{match}/{secret}", 303)
