"""The published schemas: our own commands' are here, a family's beside what it is of.

A schema's version grows when something in an answer is taken away, renamed, or means something
else. What is added does not break anybody, and leaves the version as it is.
"""

from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from service.cli.front.commands import places

DRAFT = "https://json-schema.org/draft/2020-12/schema"
HERE = Path(__file__).parent


@cache
def schema_files() -> Mapping[str, Path]:
    """Return where the schema of each command is, by the command's words."""
    own = {path.stem.replace("-", " "): path for path in HERE.glob("*.json")}
    of_families = {
        words: path for words, place in places().items() if (path := _beside(words, place)).exists()
    }
    return dict(sorted((own | of_families).items()))


def _beside(words: str, place: str) -> Path:
    """Return where a family's command has its schema, without importing any of it."""
    top, *inside = place.partition(":")[0].split(".")
    found = find_spec(top)
    assert found is not None and found.submodule_search_locations, "families are in our packages"
    _, _, second = words.partition(" ")
    name = f"schema-{second}.json" if second else "schema.json"
    return Path(next(iter(found.submodule_search_locations)), *inside[:-1], name)
