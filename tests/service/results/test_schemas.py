"""Published schemas change only in ways that do not break their readers."""

import json
from copy import deepcopy

import pytest
from jsonschema import Draft202012Validator

from service.cli.front.schema import RESULTS, schema
from tests.service.results.snapshots import ACCEPT, FOLDER, incompatible_changes, snapshot_path


@pytest.mark.parametrize("command", RESULTS)
def test_a_schema_is_the_accepted_one(command):
    path, new = snapshot_path(command), schema(command)
    Draft202012Validator.check_schema(new)
    assert path.exists(), f"a new schema: {ACCEPT}"
    old = json.loads(path.read_text("utf-8"))
    if old["$id"] == new["$id"]:
        broken = incompatible_changes(old, new)
        assert broken == [], f"undo these, or raise `schema_version`; then {ACCEPT}"
    assert old == new, f"the schema has changed: {ACCEPT}"


def test_every_snapshot_has_a_result():
    assert {path.stem.replace("-", " ") for path in FOLDER.glob("*.json")} == {
        name.replace("-", " ") for name in RESULTS
    }


PUBLISHED = {
    "type": "object",
    "properties": {
        "at": {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "jobs": {"type": "array", "items": {"$ref": "#/$defs/Job"}},
    },
    "required": ["at", "jobs"],
    "$defs": {
        "Job": {"type": "object", "properties": {"id": {"type": "integer"}}, "required": ["id"]}
    },
}


@pytest.mark.parametrize(
    ("place", "value", "changes"),
    [
        (("properties", "more"), {"type": "number"}, []),
        (("properties", "at", "anyOf"), [{"type": "null"}, {"type": "string"}], []),
        (("properties", "at"), {"type": "string"}, ["$.at: other types"]),
        (("properties",), {"at": PUBLISHED["properties"]["at"]}, ["$.jobs: gone"]),
        (("required",), ["at"], ["$: fields that are no longer required"]),
        (("$defs", "Job", "properties", "id"), {"type": "number"}, ["$.jobs[].id: other types"]),
        (("$defs", "Job", "properties"), {}, ["$.jobs[].id: gone"]),
    ],
)
def test_incompatible_changes(place, value, changes):
    new = deepcopy(PUBLISHED)
    part = new
    for name in place[:-1]:
        part = part[name]
    part[place[-1]] = value
    assert incompatible_changes(PUBLISHED, new) == changes
