"""Games that several tests of the compiler look at."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
from attrs import frozen

from games.toml import game_from_toml
from games.trick_taking.game import TrickTakingGame


@frozen
class Vector:
    """A game whose state counts and winning chances are known by exact enumeration."""

    name: str
    players: int
    hand: int
    deck: str
    counts: tuple[int, ...]
    p_win: Fraction
    seat: int = 0
    points: dict[str, int] | None = None


NO_JACKS = {"J": 0}
TOY = Vector("toy", 2, 2, "CA C10 CK CQ", (6, 12, 24, 24, 24, 24, 8), Fraction(5, 12))
SIX_CARDS = "CA C10 CK CQ CJ C9"
WITH_SKAT = (30, 60, 120, 120, 120, 120, 40)
THREE_BY_TWO = (90, 180, 360, 720, 360, 360, 360, 360, 63)
VECTORS = (
    TOY,
    Vector("skat", 2, 2, "CA C10 CK CQ CJ", WITH_SKAT, Fraction(3, 10)),
    Vector("skat-plain-jack", 2, 2, "CA C10 CK CQ CJ", WITH_SKAT, Fraction(7, 20), points=NO_JACKS),
    Vector("3x1", 3, 1, "CA C10 CK", (6, 6, 6, 6, 3), Fraction(1, 3)),
    Vector("3x2", 3, 2, SIX_CARDS, THREE_BY_TWO, Fraction(14, 45)),
    Vector(
        "3x2-plain-jack",
        3,
        2,
        "CA C10 CK CQ CJ C9",
        THREE_BY_TWO,
        Fraction(13, 45),
        points=NO_JACKS,
    ),
)

MakeGame = Callable[..., TrickTakingGame]


def toml_value(value: Any) -> str:
    """Return `value` as TOML writes it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return f'"{value}"'
    if isinstance(value, dict):
        return "{" + ", ".join(f'"{k}" = {toml_value(v)}' for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml_value(item) for item in value) + "]"
    return str(value)


@pytest.fixture(scope="session")
def to_toml() -> Callable[..., str]:
    """Return a function that writes keyword arguments as a TOML document."""
    return lambda **keys: "".join(f"{key} = {toml_value(v)}\n" for key, v in keys.items())


@pytest.fixture(scope="session")
def make_game(to_toml: Callable[..., str]) -> MakeGame:
    """Return a function that reads a game of `players`, `hand`, a deck and other TOML keys."""

    def make(players: int, hand: int, deck: str, **keys: Any) -> TrickTakingGame:
        text = to_toml(game="skat", players=players, hand=hand, deck=deck.split(), **keys)
        game = game_from_toml(text, "game")
        assert isinstance(game, TrickTakingGame)
        return game

    return make


@pytest.fixture(scope="session")
def game_of(make_game: MakeGame) -> Callable[[Vector], TrickTakingGame]:
    """Return a function that makes a vector's game."""

    def of(vector: Vector) -> TrickTakingGame:
        points = {} if vector.points is None else {"points": vector.points}
        return make_game(vector.players, vector.hand, vector.deck, party=[vector.seat], **points)

    return of


@pytest.fixture(params=VECTORS, ids=lambda vector: vector.name)
def vector(request: pytest.FixtureRequest) -> Vector:
    """Each of the vectors whose states are found in an instant."""
    return request.param


@pytest.fixture(params=[v for v in VECTORS if v.points is None], ids=lambda vector: vector.name)
def program_vector(request: pytest.FixtureRequest) -> Vector:
    """Each of these vectors once: what a card is worth changes no program."""
    return request.param


@pytest.fixture(scope="session")
def toy(game_of: Callable[[Vector], TrickTakingGame]) -> TrickTakingGame:
    """The four-card toy, read from TOML."""
    return game_of(TOY)
