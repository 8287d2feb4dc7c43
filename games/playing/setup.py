"""What every game's matches are set up with."""

from collections.abc import Mapping, Sequence
from typing import Any

from attrs import frozen

from compiler.errors import GameError

SHARED = ("seats", "seed", "options")


@frozen
class Setup:
    """What is asked for, as far as all games know it.

    Args:
        seats: how many play.
        seed: of all chance but measurements.
        options: of the rules by name, not yet looked at.
    """

    seats: int
    seed: int
    options: dict[str, Any]


def read_setup(
    setup: Mapping[str, Any], seats: tuple[int, int, int], more: Sequence[str] = ()
) -> Setup:
    """Read what all games know of a setup.

    Args:
        setup: as JSON has it.
        seats: fewest and most that can play, and how many if nobody says.
        more: what else the game knows, and reads itself.

    Raises:
        GameError: naming what is wrong with it.
    """
    known = (*SHARED, *more)
    for key in setup:
        if key not in known:
            raise GameError(f"{str(key)[:40]}: unknown; a setup has {', '.join(known)}")
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
    """Return the number that a value of an option is, which people write as a word.

    What is none is returned as it is, for whoever refuses it.
    """
    if isinstance(word, str) and word.isascii() and word.isdigit() and len(word) < 10:
        return int(word)
    return word
