"""The games that can be played move by move, by name."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Generic, TypeVar

from attrs import frozen

from compiler.errors import GameError
from compiler.registry import Registry
from play.match import Match, replayed
from play.rules import GameRules
from play.view import View

SHARED = ("seats", "seed", "options")


@frozen
class Setup:
    """The setup keys that all games share.

    Args:
        seats: number of players.
        seed: seed of all random numbers but measurements.
        options: options of the rules by name, not checked yet.
    """

    seats: int
    seed: int
    options: dict[str, Any]


def read_setup(
    setup: Mapping[str, Any], seats: tuple[int, int, int], more: Sequence[str] = ()
) -> Setup:
    """Read the setup keys that all games share.

    Args:
        setup: the setup as JSON.
        seats: minimum, maximum and default number of players.
        more: further keys, which the game reads itself.

    Raises:
        GameError: naming the invalid key or value.
    """
    keys = (*SHARED, *more)
    for key in setup:
        if key not in keys:
            raise GameError(f"{str(key)[:40]}: unknown; a setup has {', '.join(keys)}")
    fewest, most, usual = seats
    wanted, seed = setup.get("seats", usual), setup.get("seed", 0)
    if type(wanted) is not int or not fewest <= wanted <= most:
        allowed = f"a whole number from {fewest} to {most}" if fewest < most else f"{most}"
        raise GameError(f"seats = {str(wanted)[:20]}: must be {allowed}")
    if type(seed) is not int or seed < 0:
        raise GameError(f"seed = {seed!r}: must be a whole number from 0 on")
    options = setup.get("options", {})
    if not isinstance(options, Mapping):
        raise GameError(f"options = {options!r}: write an object of names and values")
    return Setup(wanted, seed, dict(options))


def number_in(word: object) -> object:
    """Return the number of an option's value, which people write as a word.

    Any other value is returned unchanged; the caller refuses it.
    """
    if isinstance(word, str) and word.isascii() and word.isdigit() and len(word) < 10:
        return int(word)
    return word


V = TypeVar("V", bound=View)


class Bot(ABC, Generic[V]):
    """Chooses moves from the view of its seat."""

    @abstractmethod
    def move(self, view: V, random: Random) -> str:
        """Return a legal move.

        Args:
            view: view of the seat that moves.
            random: source of chance.
        """


class RandomBot(Bot[V]):
    """Takes any legal move."""

    def move(self, view: V, random: Random) -> str:
        """Return a legal move; see `Bot`."""
        return random.choice(view.legal_moves)


Limited = Callable[[Mapping[str, Any]], dict[str, Any]]


@frozen
class MatchFormat:
    """A file format of matches that other programs read and write, too; nothing is hidden in it.

    Args:
        title: one line for people.
        media_type: media type in HTTP.
        write: returns the file of a match.
        read: returns a match from the content of a file, its name, the seed of all future random
            numbers, and a function that adds limits to a setup, such as `Playable.served`. It
            raises `GameError`, naming the file, the place and the mistake. None if a match cannot
            continue from such a file.
    """

    title: str
    media_type: str
    write: Callable[[Match[Any]], bytes]
    read: Callable[[bytes, str, int, Limited], Match[Any]] | None = None


class Playable(ABC, Generic[V]):
    """A game that can be played move by move.

    Attributes:
        title: one line for lists.
        seats: minimum, maximum and default number of players.
        options: values of each rule, the default first.
        bots: factory of each bot, by name.
        usual_bot: the name of the default bot.
        formats: file formats of its matches, by suffix.
        rules: the rules for players.
        names: labels of rules and their values on a form, where they differ from the words.
    """

    title: str
    seats: tuple[int, int, int]
    options: Mapping[str, tuple[str, ...]]
    bots: Mapping[str, Callable[[], Bot[V]]]
    usual_bot: str
    formats: Mapping[str, MatchFormat] = {}
    rules: GameRules
    names: Mapping[str, str] = {}

    @abstractmethod
    def start(self, setup: Mapping[str, Any]) -> Match[V]:
        """Return a match at its beginning.

        Args:
            setup: `seats`, `seed` (of all random numbers but measurements), `options` by name, and
                further keys of the game.

        Raises:
            GameError: naming the invalid key or value.
        """

    @property
    def readers(self) -> Mapping[str, Callable[[bytes, str, int, Limited], Match[Any]]]:
        """Readers of the files from which a match goes on, by file suffix."""
        return {suffix: kind.read for suffix, kind in self.formats.items() if kind.read}

    def served(self, setup: Mapping[str, Any]) -> dict[str, Any]:
        """Return the setup of a match on a public server.

        Args:
            setup: the requested setup. Limits of resources are added to it.
        """
        return dict(setup)


playables: Registry[Playable[Any]] = Registry("playable game", "play")

P = TypeVar("P", bound=type[Playable[Any]])


def playable(name: str) -> Callable[[P], P]:
    """Return a decorator that files a playable game under `name`."""
    file = playables.register(name)

    def decorate(kind: P) -> P:
        file(kind())
        return kind

    return decorate


def match_from_record(record: object) -> Match[Any]:
    """Return a recorded match in its recorded state.

    Raises:
        GameError: naming the mistake.
        UnknownNameError: if there is no such game.
    """
    match record:
        case {"game": str(game), "setup": dict(setup), "log": log, **rest} if not rest:
            return replayed(playables[game].start(setup), log)
    raise GameError(
        "this is no match: write an object with game (a name), setup (an object) and log (a list)"
    )
