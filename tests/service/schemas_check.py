"""Holding an answer to the published schema of its command, and to nothing beside it."""

from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator

from service.results.published import schema


def strict(part: Any) -> Any:
    """Return a schema that takes no property that it does not name."""
    if isinstance(part, list):
        return [strict(one) for one in part]
    if not isinstance(part, Mapping):
        return part
    made = {name: strict(one) for name, one in part.items()}
    return {"additionalProperties": False, **made} if "required" in part else made


def hold_to_schema(command: str, answer: object) -> None:
    """Assert that an answer is what its command's schema says, no less and no more."""
    found = Draft202012Validator(strict(schema(command))).iter_errors(answer)
    assert [f"{error.json_path}: {error.message[:300]}" for error in found] == []
