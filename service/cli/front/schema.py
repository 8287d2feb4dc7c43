"""The command `schema`."""

from typing import Annotated

import typer

from service.cli.options import Json
from service.cli.output.printing import json_text, print_result, print_rows
from service.results.catalog import SchemaList, SchemaRow
from service.results.published import RESULTS, schema, version_of


def schema_command(
    *,
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="[COMMAND]...", help="Such as: gates check.", show_default=False),
    ] = None,
    as_json: Json = False,
) -> None:
    """Print the JSON Schema of what a command prints with --json, or list all that are published.

    Example: `stichwerk schema compile`
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
    print_rows("Schemas of results", result.schemas, "command", "version", "what it is=title")
