"""What commands families have, from their lists, so that none of them is imported for it."""

import tomllib
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

LISTS = "*/commands.toml"


class Command(NamedTuple):
    """Where a command is, and what it does in one line, so that a list need not import it.

    Args:
        place: `module:attribute`.
        summary: the first line of its help.
    """

    place: str
    summary: str


def family_commands() -> dict[str, Command]:
    """Return what families list, by the command's name; no game is imported for it."""
    found = find_spec("games")
    folders = [] if found is None else found.submodule_search_locations or []
    return {
        name: Command(**entry)
        for folder in folders
        for path in sorted(Path(folder).glob(LISTS))
        for name, entry in tomllib.loads(path.read_text(encoding="utf-8")).items()
    }
