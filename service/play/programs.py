"""Matches for programs: JSON."""

from fastapi import APIRouter, Request, Response

from service.api.dependencies import FOR_ALL
from service.api.errors import refusals
from service.play.doors import STARTS_A_MINUTE, PlayRoute, TheMatches, count
from service.play.schemas import Played, Seen, StartedMatch, Version, Wanted, seen, started
from workers.attributes import attributes

REFUSALS = refusals(
    {
        403: "The request comes from a page of another site",
        **FOR_ALL,
        503: "No room for another match, or no database",
    }
)
UNKNOWN = refusals({404: "Unknown match or seat"})
BODY = refusals({413: "The request is too large"})

router = APIRouter(prefix="/play", route_class=PlayRoute, responses=REFUSALS, tags=["play"])


@router.post("/matches", status_code=201, summary="Start a match", responses=BODY)
def start_match(
    wanted: Wanted, matches: TheMatches, request: Request, response: Response
) -> StartedMatch:
    """Start a match, and return a link for each person's seat.

    The links contain secrets and are shown only once. Bots move after people.
    """
    count(request, "start", STARTS_A_MINUTE)
    names = ("game", "seats", "options", "seed", "chances", "backend")
    answer = started(matches.start(**attributes(names, wanted)))
    response.headers["Location"] = answer.watch
    return answer


@router.get("/{match}/view", summary="Watch a match", responses=UNKNOWN)
def watch_match(match: str, matches: TheMatches) -> Seen:
    """Return the public view of a match."""
    return seen(matches.look(match), None)


@router.get("/{match}/version", summary="Check whether a match has changed", responses=UNKNOWN)
def match_version(match: str, matches: TheMatches) -> Version:
    """Return a number that changes with every event of the match."""
    stored = matches.store.find(match)
    return Version(version=stored.version, thinking=stored.thinking)


@router.get("/{match}/{secret}/view", summary="Show the view of a seat", responses=UNKNOWN)
def see_match(match: str, secret: str, matches: TheMatches) -> Seen:
    """Return the view of the seat with this secret."""
    return seen(*matches.sit(match, secret))


@router.post(
    "/{match}/{secret}/moves",
    summary="Play a move",
    responses=UNKNOWN | BODY | refusals({409: "It is not your turn"}),
)
def move(match: str, secret: str, played: Played, matches: TheMatches) -> Seen:
    """Play a move, and return the seat's view after the bots' moves."""
    return seen(*matches.move(match, secret, played.move, played.number))
