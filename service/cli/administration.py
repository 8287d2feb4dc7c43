"""The commands `token`, `migrate`, `backup` and `restored`."""

import time
from pathlib import Path
from typing import Annotated

import typer
from sqlalchemy.exc import OperationalError
from sqlalchemy.orm import Session

from compiler.errors import InputError
from compiler.words.plurals import how_many
from service.cli.options import MAX_SECONDS, Json, ServiceDatabase
from service.cli.output.printing import print_json, print_result, print_table, say
from service.cli.queue.existing_jobs import existing_records
from service.results.administration import RestoredRecords, TokenList, TokenRow
from workers.accounts.budgets import microusd
from workers.accounts.tokens import Scope, create_token, lifetime, revoke_token, tokens
from workers.records.backup import back_up, doubt_restored
from workers.records.database import open_database
from workers.settings import dollars, settings

Name = Annotated[str, typer.Argument(metavar="NAME")]
"""Name of the token."""


def create_command(
    name: Name,
    *,
    scope: list[str] = [Scope.SUBMIT, Scope.READ, Scope.CANCEL],  # noqa: B006 - typer copies it
    expires: str = "",
    day_budget: str = "",
    calls: Annotated[int | None, typer.Option("--calls-a-minute", min=1, max=1_000_000)] = None,
    database: ServiceDatabase = "",
) -> None:
    """Create a token and print it once; only its SHA-256 is stored.

    A token sees and changes its own jobs; with the scope `all`, those of all tokens.

    Examples:
    - `stichwerk token create alice --scope submit --scope read`

    - `stichwerk token create guest --expires 30d --day-budget 5USD`

    Options:
        scope: Scope; may be repeated: {Scope}.
        expires: Lifetime of the token: 30d, 12h, 90m.
        day_budget: Maximum cost of the token's jobs per day (UTC), such as 5USD.
        calls: Maximum requests per minute; by default STICHWERK_CALLS_A_MINUTE.
    """
    span = lifetime(expires) if expires else None
    budget = microusd(dollars(day_budget)) if day_budget else None
    with _session(database) as session:
        text = create_token(
            session, name, scope, lifetime=span, day_budget_microusd=budget, calls_a_minute=calls
        )
    say(f"token '{name}' for {', '.join(scope)}; it is shown this once:")
    print(text)


def list_command(*, database: ServiceDatabase = "", as_json: Json = False) -> None:
    """List tokens by name, never the tokens themselves.

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
    """Revoke a token; its jobs continue.

    Example: `stichwerk token revoke alice`
    """
    with _session(database) as session:
        revoke_token(session, name)
    say(f"token '{name}' is revoked")


def _session(database: str) -> Session:
    return Session(open_database(database or settings().database))


LOOK_SECONDS = 0.5


def migrate_command(
    *,
    wait: Annotated[float, typer.Option(min=0, max=MAX_SECONDS)] = 0.0,
    database: ServiceDatabase = "",
) -> None:
    """Create or upgrade the tables of the database.

    Other commands also migrate. This one does nothing else, and can wait for a database that is
    starting. It may run several times at once: one process migrates, the others wait.

    Example: `stichwerk migrate --wait 300`

    Options:
        wait: Seconds to wait for the database.
    """
    address = database or settings().database
    end = time.monotonic() + wait
    message = ""
    while True:
        try:
            open_database(address).dispose()
        except InputError as error:
            # An address that makes no sense will not make any later.
            if not isinstance(error.__cause__, OperationalError) or time.monotonic() >= end:
                raise
            # A wrong password looks like a server that is away; this line tells the reader.
            if str(error) != message:
                message = str(error)
                say(f"waiting {wait:g} s at most: {message}")
            time.sleep(LOOK_SECONDS)
        else:
            break
    say("the tables of the database are up to date")


def backup_command(
    *,
    file: Annotated[str, typer.Argument(metavar="FILE")],
    database: ServiceDatabase = "",
) -> None:
    """Copy an SQLite database to a file while the service runs.

    For PostgreSQL use pg_dump. docs/operating.md explains backups and restoring.

    Example: `stichwerk backup stichwerk-2026-01-31.sqlite`

    Options:
        file: File to write; it must not exist.
    """
    back_up(existing_records(database), Path(file))
    say(f"written to {file}")


def restored_command(*, database: ServiceDatabase = "", as_json: Json = False) -> None:
    """Mark records as restored from a backup, before workers start.

    Jobs may have been submitted after the backup. Workers then search the provider for each job
    before they submit it, so that no job is paid for twice. Run it with the workers' environment
    variables.

    Example: `stichwerk restored`, then `stichwerk up`
    """
    with Session(existing_records(database)) as session:
        marked = doubt_restored(session)
    if as_json:
        print_json(RestoredRecords.model_validate(marked))
        return
    say(
        f"{how_many(marked.open, 'job')} will be searched for at providers before they are "
        f"submitted; {marked.ended:,} that had failed or been cancelled, if they are retried"
    )
