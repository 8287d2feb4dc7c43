"""Requests and answers of programs that play."""

from functools import lru_cache
from typing import Annotated, Any

from pydantic import Field, StrictBool, StrictInt, StrictStr

from play.hosted.kept_match import KeptMatch
from play.hosted.matches import LONGEST_MOVE, Started
from play.match import Match
from service.api.errors import told
from service.api.requests import RequestModel
from service.results.model import DescribedModel

MAX_SEATS = 100
LONGEST_NAME = 80
"""Of any game; each has its own limit of a move's length."""
MAX_SEED = 2**31 - 1
MAX_OPTIONS = 50
MAX_VIEWS = 32

Name = Annotated[StrictStr, Field(min_length=1, max_length=LONGEST_NAME, pattern=r"^[!-~]+$")]


class Wanted(RequestModel):
    """Match to start."""

    game: Name
    """Name of a game, such as six-nimmt"""
    seats: list[Name] = Field(min_length=1, max_length=MAX_SEATS)
    """For each seat `person`, or the name of a bot"""
    options: dict[Name, Name] = Field(default_factory=dict, max_length=MAX_OPTIONS)
    """Of the rules, by name"""
    seed: Annotated[StrictInt, Field(ge=0, le=MAX_SEED)] | None = None
    """Seed of all random numbers; it reveals all cards. By default a secret one"""
    chances: StrictBool = True
    """Show probabilities"""
    backend: Annotated[StrictStr, Field(max_length=LONGEST_NAME, pattern=r"^[!-~]*$")] = ""
    """Backend of measurements, one that the server offers; by default the exact simulator"""


class Played(RequestModel):
    """A move."""

    move: StrictStr = Field(min_length=1, max_length=LONGEST_MOVE)
    """One of the view's `legal_moves`, or another legal move of the game"""
    number: StrictInt = Field(ge=0, le=MAX_SEED)
    """`moves_made` of the view in which the move was chosen: a repeated request is played once"""


class SeatLink(DescribedModel):
    """A seat of a new match."""

    seat: int
    bot: str | None
    """Name of the bot; null for a person"""
    link: str | None
    """Link for the person; shown only once"""


class StartedMatch(DescribedModel):
    """A new match."""

    match: str
    watch: str
    """Link for spectators"""
    seats: list[SeatLink]


class Version(DescribedModel):
    """True if anything has happened."""

    version: int
    """Changes with every event"""
    thinking: bool
    """True if a bot or a measurement is pending; ask again soon"""


class Seen(Version):
    """Match as a seat sees it."""

    match: str
    game: str
    bots: dict[str, str]
    """Names of the bots by seat"""
    moves_made: int | None
    """Moves of this seat; null for spectators"""
    view: dict[str, Any]
    """The seat's view, in the format of the game"""
    backend: str
    """Backend of measurements; empty for the exact simulator"""
    waiting: str
    """Progress of the pending measurement, as text"""
    measured: list[dict[str, Any]]
    """All measurements (`outcomes`, with their source in `origin`), and all inspections of a
    device's state (`look`, with measured and exact values)"""


def started(new: Started) -> StartedMatch:
    """Return the links of a new match."""
    path = f"/play/{new.kept.id}"
    return StartedMatch(
        match=new.kept.id,
        watch=path,
        seats=[
            SeatLink(
                seat=place,
                bot=seat.bot,
                link=f"{path}/{new.secrets[place]}" if place in new.secrets else None,
            )
            for place, seat in enumerate(new.kept.seats)
        ],
    )


@lru_cache(MAX_VIEWS)
def _view(match: Match[Any], seat: int | None, *, chances: bool) -> dict[str, Any]:
    """Return a seat's view as JSON.

    Pages poll it, and a view of 256 games on 19 × 19 takes some 0.2 s to write.
    """
    return match.view(seat).as_json(chances=chances)


def seen(match: KeptMatch, seat: int | None) -> Seen:
    """Return the view of a seat, or of a spectator."""
    return Seen(
        version=match.version,
        thinking=match.thinking,
        match=match.id,
        game=match.match.game,
        bots={str(place): name for place, name in match.bots.items()},
        moves_made=None if seat is None else len(match.moves_of(seat)),
        view=_view(match.match, seat, chances=match.chances),
        backend=match.backend,
        waiting=told(match.waiting),
        measured=[
            entry for entry in match.match.record()["log"] if entry.keys() & {"outcomes", "look"}
        ],
    )
