"""Snapshots of the published schemas, and the changes that break their readers.

`python -m tests.service.results.snapshots` accepts the present schemas. It refuses incompatible
ones whose model has not got a higher `schema_version`.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from service.cli.front.schema import RESULTS, schema, version_of

FOLDER = Path(__file__).parent / "snapshots"
ACCEPT = "accept it with: python -m tests.service.results.snapshots"
KEYWORDS = ("type", "enum", "const", "format", "pattern")


def snapshot_path(command: str) -> Path:
    """Return the file that holds the accepted schema of a command."""
    return FOLDER / f"{command.replace(' ', '-')}.json"


def incompatible_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> list[str]:
    """Return the places where a reader of an old schema fails on results of a new one.

    These are fields that are gone or no longer required, and values of another type. New fields
    are compatible.
    """
    return list(_changes(old, new, old, new, "$"))


def _changes(old: Any, new: Any, old_root: Any, new_root: Any, path: str) -> Iterator[str]:
    olds, news = _alternatives(old, old_root), _alternatives(new, new_root)
    if len(olds) != len(news):
        yield f"{path}: other types"
        return
    for before, after in zip(olds, news, strict=True):
        if any(before.get(word) != after.get(word) for word in KEYWORDS):
            yield f"{path}: other types"
            continue
        if set(before.get("required", ())) - set(after.get("required", ())):
            yield f"{path}: fields that are no longer required"
        for name, part in before.get("properties", {}).items():
            if name not in after.get("properties", {}):
                yield f"{path}.{name}: gone"
            else:
                other = after["properties"][name]
                yield from _changes(part, other, old_root, new_root, f"{path}.{name}")
        for word in ("items", "additionalProperties"):
            # Fields may be named where any were allowed.
            if before.get(word, True) is not True:
                part = after.get(word, True)
                yield from _changes(before[word], part, old_root, new_root, f"{path}[]")


def _alternatives(part: Any, root: Any) -> list[Any]:
    """Return what a value may be, one schema for each type, sorted, references resolved."""
    if not isinstance(part, Mapping):
        return [{"const": part}]
    if "$ref" in part:
        return _alternatives(root["$defs"][part["$ref"].rpartition("/")[2]], root)
    if "anyOf" in part:
        parts = [one for option in part["anyOf"] for one in _alternatives(option, root)]
        return sorted(parts, key=lambda one: json.dumps([one.get(word) for word in KEYWORDS]))
    return [part]


def accept() -> int:
    """Write the present schemas, unless one is incompatible with its own version."""
    for command in RESULTS:
        path, new = snapshot_path(command), schema(command)
        old = json.loads(path.read_text("utf-8")) if path.exists() else None
        if old is not None and version_of(old) == version_of(new):
            for change in incompatible_changes(old, new):
                print(f"{command}: {change}. Raise its `schema_version`.", file=sys.stderr)
                return 1
        path.write_text(json.dumps(new, indent=1, ensure_ascii=False) + "\n", "utf-8")
    for path in set(FOLDER.glob("*.json")) - {snapshot_path(command) for command in RESULTS}:
        path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(accept())
