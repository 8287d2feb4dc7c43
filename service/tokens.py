"""The commands `token create`, `token list` and `token revoke`."""

from typing import Annotated

import typer
from sqlalchemy.orm import Session

from service.options import Json, ServiceDatabase
from service.output import print_json, print_table, say
from workers.database import open_database
from workers.settings import settings
from workers.tokens import Scope, create_token, revoke_token, tokens

token_app = typer.Typer(
    name="token",
    help="Create, list and revoke the tokens that open the HTTP API.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="What the token is called.")]


@token_app.command("create")
def create_command(
    name: Name,
    *,
    scope: Annotated[
        list[str], typer.Option(help=f"What it allows; may be repeated: {', '.join(Scope)}.")
    ] = [Scope.SUBMIT, Scope.READ, Scope.CANCEL],  # noqa: B006 - typer copies it
    database: ServiceDatabase = "",
) -> None:
    """Create a token and print it, once: only its SHA-256 is kept.

    It sees and touches the jobs that were submitted with it; with the scope `all`, everybody's.

    Example: `stichwerk token create alice --scope submit --scope read`
    """
    with _session(database) as session:
        text = create_token(session, name, scope)
    say(f"token '{name}' for {', '.join(scope)}; it is shown this once:")
    print(text)


@token_app.command("list")
def list_command(*, database: ServiceDatabase = "", as_json: Json = False) -> None:
    """List the tokens by name, never the tokens themselves.

    Example: `stichwerk token list`
    """
    with _session(database) as session:
        rows = [
            {
                "token": token.name,
                "scopes": token.scopes,
                "created_at": token.created_at.isoformat(),
                "revoked_at": token.revoked_at and token.revoked_at.isoformat(),
            }
            for token in tokens(session)
        ]
    if as_json:
        print_json({"tokens": rows})
        return
    print_table(
        "Tokens",
        ("name", "scopes", "created", "revoked"),
        [
            (row["token"], ", ".join(row["scopes"] or ()), row["created_at"], row["revoked_at"])
            for row in rows
        ],
    )


@token_app.command("revoke")
def revoke_command(name: Name, *, database: ServiceDatabase = "") -> None:
    """Let a token open nothing any more; its jobs go on.

    Example: `stichwerk token revoke alice`
    """
    with _session(database) as session:
        revoke_token(session, name)
    say(f"token '{name}' is revoked")


def _session(database: str) -> Session:
    return Session(open_database(database or settings().database))
