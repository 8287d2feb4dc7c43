"""Matches of Endless Fun, begun and played by chance, for tests."""

from play.endless_fun.match import EndlessMatch
from play.playable import playables

FUN = playables["endless-fun"]


def start(seats=3, seed=1, **options):
    return FUN.start({"seats": seats, "seed": seed, "options": options})


def with_hands(match, *hands):
    """Return a match in which all pawns stand from left to right, and everybody has these cards."""
    fields = {name: getattr(match, name) for name in ("seats", "options", "seed", "measurements")}
    rest = {"table": match.table, "start": match.start, "points": match.points}
    line = tuple((match.first + place) % match.seats for place in range(match.seats))
    return EndlessMatch(**fields, **rest, hands=tuple(map(tuple, hands)), line=line)
