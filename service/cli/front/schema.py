"""The command `schema`."""

from collections.abc import Mapping
from typing import Annotated, Any, get_args

import typer
from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core import core_schema

from compiler.errors import InputError, meant
from compiler.registry import discover
from service.cli.options import Json
from service.cli.output.printing import json_text, print_result, print_rows
from service.results.catalog import SchemaList, SchemaRow
from service.results.model import RESULTS
from workers.score.document import ScoreFile

for package in ("service.results.jobs", "service.results.games", "service.results"):
    discover(package)
RESULTS["score"] = ScoreFile | RESULTS["score"]


class _PublishedSchema(GenerateJsonSchema):
    """Schema without titles that repeat names, which allows fields that a later version adds."""

    def field_title_should_be_set(self, schema: Any) -> bool:
        return False

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        published = super().model_schema(schema)
        published.pop("title")
        published.pop("additionalProperties", None)
        return published


def schema(command: str) -> dict[str, Any]:
    """Return the JSON Schema of a command's output with `--json`.

    Args:
        command: its words, such as `gates check`.

    Raises:
        InputError: if it has none.
    """
    if command not in RESULTS:
        raise InputError(f"no schema of '{command[:40]}'; {meant(command, sorted(RESULTS))}")
    adapter: TypeAdapter[Any] = TypeAdapter(RESULTS[command])
    models = get_args(RESULTS[command]) or (RESULTS[command],)
    version = max(model.schema_version for model in models)
    return {
        "$schema": GenerateJsonSchema.schema_dialect,
        "$id": f"urn:stichwerk:schema:{command.replace(' ', '-')}:{version}",
        "title": f"Result of 'stichwerk {command} --json'",
        **adapter.json_schema(mode="serialization", schema_generator=_PublishedSchema),
    }


def version_of(published: Mapping[str, Any]) -> int:
    """Return the version of a schema, which its identifier ends with."""
    return int(str(published["$id"]).rpartition(":")[2])


def schema_command(
    *,
    command: Annotated[list[str] | None, typer.Argument(metavar="[COMMAND]...")] = None,
    as_json: Json = False,
) -> None:
    """Print the JSON Schema of a command's --json result, or list all schemas.

    Example: `stichwerk schema compile`

    Options:
        command: Words of the command, such as: gates check.
    """
    if command:
        print(json_text(schema(" ".join(command))), end="")
        return
    rows = [
        SchemaRow(command=name, version=version_of(of), id=of["$id"], title=of["title"])
        for name in sorted(RESULTS)
        for of in [schema(name)]
    ]
    print_result(SchemaList(schemas=rows), _print, as_json=as_json)


def _print(result: SchemaList) -> None:
    print_rows("Schemas of results", result.schemas, "command", "version", "description=title")
