"""A match in a file: all that has happened in it, and who plays."""

import json
from collections.abc import Sequence
from pathlib import Path
from secrets import token_hex
from typing import Any

from attrs import evolve, field, frozen

from backends.regular_files import read_regular_file
from compiler.errors import InputError
from games.match import Match
from games.playing.formats import formats_of, match_formats, match_from_file
from games.playing.playable import match_from_record

MOST_BYTES = 10_000_000
NO_MATCH = (
    "no saved match: --save FILE.json writes one; a game in a .toml is for 'stichwerk games' and "
    "'run'"
)


@frozen
class SavedMatch:
    """What a file holds.

    Args:
        match: as it is.
        bots: the names of those who play seats 1, 2, …
        seed: of the measurements and of the bots' chance.
        backend: on which it is measured; empty for the exact simulator.
        nonce: which tells its jobs from those of a match with equal moves.
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
        if suffix in match_formats:
            return formats_of(self.match.game)[suffix].write(self.match)
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


def read_record(path: Path, bots: Sequence[str], seed: int) -> SavedMatch:
    """Read a file in a format of `games.playing.formats`.

    Args:
        path: of the file.
        bots: who has the seats from 1 on, over and over if too few.
        seed: of the bots' chance, which such a file does not tell.

    Raises:
        InputError: if it cannot be read, or what it tells cannot have happened.
    """
    match = match_from_file(_content(path), path.name, seed)
    others = tuple(bots[seat % len(bots)] for seat in range(match.seats - 1))
    return SavedMatch(match, others, seed)


def _content(path: Path) -> bytes:
    try:
        return read_regular_file(path, MOST_BYTES)
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from error


def read_match(path: Path) -> SavedMatch:
    """Read a file.

    Raises:
        InputError: if it cannot be read, or what it tells cannot have happened.
    """
    try:
        document = json.loads(_content(path))
    except (ValueError, RecursionError) as error:
        told = f"no JSON document: {error}" if path.suffix == ".json" else NO_MATCH
        raise InputError(f"{path}: {told}") from error
    match document:
        case {
            "match": record, "bots": [*bots], "seed": int(seed), "backend": str(backend), **rest
        } if not rest.keys() - {"nonce"} and isinstance(rest.get("nonce", ""), str):  # fmt: skip
            try:
                found = match_from_record(record)
            except InputError as error:
                raise InputError(f"{path}: {error}") from error
            if len(bots) != found.seats - 1 or not all(isinstance(name, str) for name in bots):
                raise InputError(f"{path}: bots: give {found.seats - 1} names")
            saved = SavedMatch(found, tuple(bots), seed, backend)
            # Where a file has none, one is drawn.
            return evolve(saved, nonce=str(rest["nonce"])) if rest else saved
    raise InputError(f"{path}: {NO_MATCH}")
