"""Suite files: reading, and messages about mistakes."""

from collections.abc import Iterable, Mapping
from decimal import Decimal
from types import MappingProxyType
from typing import Annotated, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from compiler.compilation.options import check_objective
from compiler.errors import InputError, meant, naming
from compiler.formats.key_lines import key_lines, line_of
from compiler.formats.toml_document import TomlError, toml_document

MISTAKES: Mapping[str, str] = MappingProxyType(
    {
        "list_type": "must be a list, in brackets",
        "string_type": "must be a text, in quotes",
        "int_type": "must be a whole number",
    }
)
"""Allowed values, by the kind of mistake; other mistakes have pydantic's message."""


def first_mistake(error: ValidationError, keys: Iterable[str], name: str, text: str) -> str:
    """Return the message about a mistake in a file, with its line and a suggestion.

    Args:
        error: of its model.
        keys: the keys that it may have.
        name: of the file.
        text: of the file.
    """
    errors = error.errors()
    # A key that is misspelt is missing, too.
    first = min(errors, key=lambda each: each["type"] != "extra_forbidden")
    path = first["loc"]
    lines = key_lines(text, json=False)
    where = f"{name}, line {line_of(lines, path)}" if path[:1] in lines else name
    place = ".".join(str(part) for part in path)
    if first["type"] == "extra_forbidden":
        return f"{where}: '{place}' is not known; {meant(str(path[-1]), sorted(keys))}"
    if first["type"] == "missing":
        return f"{where}: '{place}' is missing"
    if first["type"] == "list_type" and isinstance(first["input"], dict):
        return f"{where}: {place}: write [[{place}]], with two brackets"
    return f"{where}: {place}: {MISTAKES.get(first['type'], first['msg'])}"


def json_mistake(error: Exception) -> str:
    """Return the message about a mistake in a JSON file, with its key."""
    if not isinstance(error, ValidationError):
        return f"not JSON: {error}"
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    return f"{place}: {first['msg']}" if place else str(first["msg"])


Names = Annotated[list[str], Field(min_length=1, max_length=1000)]


class Shared(BaseModel):
    """Values that all cases of a suite's file share, and each may set for itself."""

    model_config = ConfigDict(extra="forbid", strict=True)

    objective: str = "two_qubit_gates"
    seed: int = Field(0, ge=0, lt=2**31)


F = TypeVar("F", bound=Shared)
C = TypeVar("C", bound=Shared)


def cases_from_toml(text: str, name: str, file: type[F], case: type[C]) -> tuple[F, list[C]]:
    """Return the contents of a suite's file, and its cases with the shared values filled in.

    A file is one case by itself if it has all required keys of a case, and others in `[[case]]`.

    Args:
        text: of the file.
        name: of the file, for messages.
        file: its model, with the field `case` and with defaults for all required keys of a case.
        case: the model of one case; its required keys have no defaults.

    Raises:
        InputError: with the fault.
    """
    try:
        content = file.model_validate(toml_document(text, parse_float=Decimal))
        needed = [field for field, info in case.model_fields.items() if info.is_required()]
        values = content.model_dump(include=set(case.model_fields), exclude_unset=True)
        shared = {field: value for field, value in values.items() if field not in needed}
        cases = [shared | each.model_dump(exclude_unset=True) for each in dict(content)["case"]]
        named = [field for field in needed if values.get(field)]
        if named and named != needed:
            raise InputError(f"{name}: {' and '.join(needed)} must both be named")
        entries = [case.model_validate(each) for each in ([values] if named else []) + cases]
    except TomlError as error:
        raise InputError(f"{name}: not TOML: {error}") from error
    except ValidationError as error:
        keys = {*file.model_fields, *case.model_fields}
        raise InputError(first_mistake(error, keys, name, text)) from error
    if not entries:
        wanted = " and ".join(f"{field} = [...]" for field in needed)
        raise InputError(f"{name}: names no programs; write {wanted}")
    for entry in entries:
        with naming(name, InputError):
            check_objective(entry.objective)
    return content, entries
