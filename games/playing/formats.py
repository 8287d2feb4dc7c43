"""File formats of matches that other programs read and write, too."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from pathlib import PurePath
from typing import Any

from compiler.errors import GameError
from compiler.registry import Registry
from games.match import Match

Limited = Callable[[Mapping[str, Any]], dict[str, Any]]


class MatchFormat(ABC):
    """A file format of matches in which nothing is hidden.

    Attributes:
        title: one line for people.
        kind: as HTTP calls it.
        games: of which matches are read and written, by name.
    """

    title: str
    kind: str
    games: tuple[str, ...]

    @abstractmethod
    def read(self, content: bytes, seed: int = 0, limited: Limited = dict) -> Match[Any]:
        """Return a match.

        Args:
            content: of the file.
            seed: of all chance that is still to come.
            limited: adds limits to a setup, such as `Playable.served` of the game.

        Raises:
            GameError: saying where it is wrong, and how.
        """

    @abstractmethod
    def write(self, match: Match[Any]) -> bytes:
        """Return the file of a match of one of `games`."""


match_formats: Registry[type[MatchFormat]] = Registry("format of matches", "games")
match_format = match_formats.register


def formats_of(game: str) -> Mapping[str, MatchFormat]:
    """Return the formats of a game's matches, by how names of files end."""
    return {name: kind() for name, kind in match_formats.items() if game in kind.games}


def match_from_file(
    content: bytes, name: str, seed: int = 0, limited: Limited = dict
) -> Match[Any]:
    """Return the match of a file.

    Args:
        content: of the file.
        name: of the file.
        seed: of all chance that is still to come.
        limited: see `MatchFormat.read`.

    Raises:
        GameError: naming the file, where it is wrong, and how.
        UnknownNameError: if its name ends in no known way.
    """
    try:
        return match_formats[PurePath(name).suffix]().read(content, seed, limited)
    except GameError as error:
        raise GameError(f"{name}: {error}") from error
