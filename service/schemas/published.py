"""Published schemas that are written by hand, as JSON files.

A schema's version grows when something in an answer is taken away, renamed, or means something
else. What is added does not break anybody, and leaves the version as it is.
"""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

DRAFT = "https://json-schema.org/draft/2020-12/schema"
HERE = Path(__file__).parent


@cache
def schema_files() -> Mapping[str, Path]:
    """Return where the schema of each command is, by the command's words."""
    own = {path.stem.replace("-", " "): path for path in HERE.glob("*.json")}
    return dict(sorted(own.items()))
