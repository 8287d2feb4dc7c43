"""Saved matches: new ones with their bots, and files of them."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from secrets import token_hex
from typing import Any

from attrs import evolve, field, frozen

from backends.regular_files import read_input
from compiler.errors import InputError, UnknownNameError, naming
from compiler.words.plurals import how_many
from play.match import Match
from play.playable import Playable, match_from_record, playables

MAX_BYTES = 10_000_000
NO_MATCH = (
    "no saved match: --save FILE.json writes one; a game in a .toml is for 'stichwerk games' and "
    "'run'"
)


@frozen
class SavedMatch:
    """Contents of a file.

    Args:
        match: the match.
        bots: names of the bots of seats 1, 2, …
        seed: seed of the measurements and of the bots.
        backend: backend of the measurements; empty for the exact simulator.
        nonce: distinguishes its jobs from those of a match with equal moves.
    """

    match: Match[Any]
    bots: tuple[str, ...]
    seed: int
    backend: str = ""
    nonce: str = field(factory=lambda: token_hex(16))

    def written(self, suffix: str) -> bytes:
        """Return the contents of a file whose name ends in `suffix`.

        Raises:
            GameError: if the match has no such form.
        """
        formats = playables[self.match.game].formats
        if suffix in formats:
            return formats[suffix].write(self.match)
        return self.match.file().encode() if suffix == ".toml" else self.as_bytes()

    def as_bytes(self) -> bytes:
        """Return a file with all of it."""
        document = {
            "match": self.match.record(),
            "bots": list(self.bots),
            "seed": self.seed,
            "backend": self.backend,
            # Without a backend there are no jobs, and equal matches have equal files.
            **({"nonce": self.nonce} if self.backend else {}),
        }
        return (json.dumps(document, indent=1) + "\n").encode()


def read_match(path: Path) -> SavedMatch:
    """Read a file.

    Raises:
        InputError: if it cannot be read, or its match is impossible.
    """
    try:
        document = json.loads(read_input(path, MAX_BYTES))
    except (ValueError, RecursionError) as error:
        message = f"no JSON document: {error}" if path.suffix == ".json" else NO_MATCH
        raise InputError(f"{path}: {message}") from error
    match document:
        case {
            "match": record, "bots": [*bots], "seed": int(seed), "backend": str(backend), **rest
        } if not rest.keys() - {"nonce"} and isinstance(rest.get("nonce", ""), str):  # fmt: skip
            with naming(path, InputError):
                match = match_from_record(record)
            if len(bots) != match.seats - 1 or not all(isinstance(name, str) for name in bots):
                raise InputError(f"{path}: bots: give {match.seats - 1} names")
            saved = SavedMatch(match, tuple(bots), seed, backend)
            # Where a file has none, one is drawn.
            return evolve(saved, nonce=str(rest["nonce"])) if rest else saved
    raise InputError(f"{path}: {NO_MATCH}")


def bot_names(game: str, kind: Playable[Any], text: str) -> tuple[str, ...]:
    """Return the names in a list such as `greedy,expectation`.

    Raises:
        UnknownNameError: if the game has no such bot.
    """
    names = tuple(name.strip() for name in text.split(","))
    for name in names:
        if name not in kind.bots:
            raise UnknownNameError(f"{game} has no bot '{name}'; known: {', '.join(kind.bots)}")
    return names


def chosen_rules(rules: Sequence[str]) -> dict[str, str]:
    """Return options by name from words such as `fillers=no`.

    Raises:
        InputError: if a word is none of them.
    """
    result = {}
    for rule in rules:
        name, equals, value = rule.partition("=")
        if not equals or name in result:
            raise InputError(f"rule '{rule}': write each one once, as name=value")
        result[name] = value
    return result


def new_match(
    game: str, players: int, bots: str, seed: int, rules: Mapping[str, str]
) -> SavedMatch:
    """Return a match that begins.

    Args:
        game: name of the game.
        players: seats; 0 for as many as are usual.
        bots: names of those at the other seats, separated by commas; empty for the usual one.
        seed: seed of all random numbers.
        rules: options of the game by name.

    Raises:
        InputError: if there is no such bot or rule, or there are more bots than seats.
    """
    kind = playables[game]
    names = bot_names(game, kind, bots or kind.usual_bot)
    seats = players or max(kind.seats[2], len(names) + 1)
    if len(names) >= seats > 0 and bots:
        raise InputError(
            f"--bots {bots}: {how_many(len(names), 'bot')}, and {how_many(seats - 1, 'seat')} for "
            "them"
        )
    if unknown := rules.keys() - kind.options.keys():
        listed = "; ".join(f"{name}={', '.join(values)}" for name, values in kind.options.items())
        raise InputError(f"--rule {min(unknown)}: {game} has no such rule; its rules: {listed}")
    match = kind.start({"seats": seats, "seed": seed, "options": dict(rules)})
    return SavedMatch(match, tuple(names[seat % len(names)] for seat in range(seats - 1)), seed)


def loaded_match(game: str, load: str, bots: str, seed: int) -> SavedMatch:
    """Return the match of a file; `bots` and `seed` are for records, which do not have them.

    Raises:
        InputError: if the file cannot be read, or is of another game.
    """
    path, kind = Path(load), playables[game]
    if path.suffix in kind.readers:
        names = bot_names(game, kind, bots or kind.usual_bot)
        match = kind.readers[path.suffix](read_input(path, MAX_BYTES), path.name, seed, dict)
        others = tuple(names[seat % len(names)] for seat in range(match.seats - 1))
        saved = SavedMatch(match, others, seed)
    else:
        saved = read_match(path)
    if (played := saved.match.game) != game:
        raise InputError(
            f"{load}: is a match of {played}, not of {game}: write stichwerk play {played} "
            f"--load {load}"
        )
    for name in saved.bots:
        bot_names(game, kind, name)
    return saved
