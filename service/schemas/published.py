"""The published schemas: our own commands' are here, a family's beside what it is of.

A schema's version grows when something in an answer is taken away, renamed, or means something
else. What is added does not break anybody, and leaves the version as it is.
"""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from service.cli.families.lists import family_commands

DRAFT = "https://json-schema.org/draft/2020-12/schema"
HERE = Path(__file__).parent
OF_FAMILY, OF_GROUP = "schema.json", "schema-*.json"
"""Beside a family's command, and beside those of a group, with their words for the asterisk."""


@cache
def schema_files() -> Mapping[str, Path]:
    """Return where the schema of each command is, by the command's words."""
    own = {path.stem.replace("-", " "): path for path in HERE.glob("*.json")}
    of_families = {
        name: path
        for name, command in family_commands().items()
        if (path := _folder(command.place) / OF_FAMILY).exists()
    }
    of_groups = {
        f"{name} {path.stem.partition('-')[2]}": path
        for name, command in family_commands().items()
        for path in _folder(command.place).glob(OF_GROUP)
    }
    return dict(sorted((own | of_families | of_groups).items()))


def _folder(place: str) -> Path:
    """Return the folder of what a command's place names, without importing any of it."""
    top, *inside = place.partition(":")[0].split(".")
    found = find_spec(top)
    assert found is not None and found.submodule_search_locations, "families are in our packages"
    return Path(next(iter(found.submodule_search_locations)), *inside[:-1])
