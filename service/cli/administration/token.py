"""The commands `token create`, `token list` and `token revoke`."""

from typing import Annotated

import typer
from sqlalchemy.orm import Session

from service.cli.options import Json, ServiceDatabase
from service.cli.output.printing import print_result, print_table, say
from service.results.administration import TokenList, TokenRow
from workers.accounts.budgets import microusd
from workers.accounts.tokens import Scope, create_token, lifetime, revoke_token, tokens
from workers.records.database import open_database
from workers.settings import dollars, settings

Name = Annotated[str, typer.Argument(metavar="NAME", help="What the token is called.")]


def create_command(
    name: Name,
    *,
    scope: Annotated[
        list[str], typer.Option(help=f"What it allows; may be repeated: {', '.join(Scope)}.")
    ] = [Scope.SUBMIT, Scope.READ, Scope.CANCEL],  # noqa: B006 - typer copies it
    expires: Annotated[
        str, typer.Option(help="After how long it opens nothing any more: 30d, 12h, 90m.")
    ] = "",
    day_budget: Annotated[
        str, typer.Option(help="What its jobs of one day (UTC) may cost together, such as 5USD.")
    ] = "",
    calls: Annotated[
        int | None,
        typer.Option(
            "--calls-a-minute",
            min=1,
            max=1_000_000,
            help="How often it may call, instead of STICHWERK_CALLS_A_MINUTE.",
            show_default=False,
        ),
    ] = None,
    database: ServiceDatabase = "",
) -> None:
    """Create a token and print it, once: only its SHA-256 is kept.

    It sees and touches the jobs that were submitted with it; with the scope `all`, everybody's.

    Examples:
    - `stichwerk token create alice --scope submit --scope read`

    - `stichwerk token create guest --expires 30d --day-budget 5USD`
    """
    span = lifetime(expires) if expires else None
    budget = microusd(dollars(day_budget)) if day_budget else None
    with _session(database) as session:
        text = create_token(
            session,
            name,
            scope,
            lifetime=span,
            day_budget_microusd=budget,
            calls_a_minute=calls,
        )
    say(f"token '{name}' for {', '.join(scope)}; it is shown this once:")
    print(text)


def list_command(*, database: ServiceDatabase = "", as_json: Json = False) -> None:
    """List the tokens by name, never the tokens themselves.

    Example: `stichwerk token list`
    """
    with _session(database) as session:
        rows = [TokenRow.of(token) for token in tokens(session)]
    print_result(TokenList(tokens=rows), _print_tokens, as_json=as_json)


def _print_tokens(result: TokenList) -> None:
    print_table(
        "Tokens",
        ("name", "scopes", "created", "expires", "revoked", "USD a day", "calls a minute"),
        [
            (
                row.token,
                ", ".join(row.scopes),
                *(
                    at and f"{at:%Y-%m-%dT%H:%M}"
                    for at in (row.created_at, row.expires_at, row.revoked_at)
                ),
                row.day_budget_usd,
                row.calls_a_minute,
            )
            for row in result.tokens
        ],
    )


def revoke_command(name: Name, *, database: ServiceDatabase = "") -> None:
    """Let a token open nothing any more; its jobs go on.

    Example: `stichwerk token revoke alice`
    """
    with _session(database) as session:
        revoke_token(session, name)
    say(f"token '{name}' is revoked")


def _session(database: str) -> Session:
    return Session(open_database(database or settings().database))
