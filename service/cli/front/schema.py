"""The command `schema`."""

from typing import Annotated

import typer

from service.cli.options import Json
from service.cli.output.printing import print_json, print_table
from service.results.published import schema, schema_names, version_of


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
        print_json(schema(" ".join(command)))
        return
    rows = [
        {
            "command": name,
            "version": version_of(found := schema(name)),
            "id": found["$id"],
            "title": found["title"],
        }
        for name in schema_names()
    ]
    if as_json:
        print_json({"schemas": rows})
        return
    print_table("Schemas of answers", ("command", "version", "what it is"), [
        (row["command"], row["version"], row["title"]) for row in rows
    ])  # fmt: skip
