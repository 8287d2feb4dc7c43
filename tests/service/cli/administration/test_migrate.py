"""The command `migrate`."""

import json
import sqlite3
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic
from types import SimpleNamespace

import pytest

from service.cli import administration as migrate
from tests.servers.fixtures import present
from tests.servers.postgres import PostgresServer
from tests.service.conftest import Stichwerk


def test_the_tables_are_made(stichwerk: Stichwerk, folder: Path) -> None:
    answer = stichwerk("migrate", "--database", "new.sqlite")
    assert (answer.code, answer.out) == (0, "")
    assert answer.err == "the tables of the database are up to date\n"
    with sqlite3.connect(folder / "new.sqlite") as records:
        names = {name for (name,) in records.execute("SELECT name FROM sqlite_master")}
    assert {"jobs", "alembic_version"} <= names
    assert stichwerk("migrate", "--database", "new.sqlite").code == 0


def test_a_database_that_starts_later_is_waited_for(
    stichwerk: Stichwerk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with present(PostgresServer) as server:
        server.stop()
        pauses = []

        def start(seconds: float) -> None:
            pauses.append(seconds)
            server.start()

        monkeypatch.setattr(migrate, "time", SimpleNamespace(monotonic=monotonic, sleep=start))
        answer = stichwerk("migrate", "--wait", "60", "--database", server.url())
        assert (answer.code, pauses) == (0, [migrate.LOOK_SECONDS])
        waiting, done = answer.err.splitlines()
        assert waiting.startswith("waiting 60 s at most: database 'postgresql")
        assert "refused" in waiting
        assert done == "the tables of the database are up to date"
        with server.connect() as connection:
            found = connection.execute("SELECT to_regclass('jobs')").fetchone()
    assert found == ("jobs",)


def test_no_database_is_one_line(stichwerk: Stichwerk, monkeypatch: pytest.MonkeyPatch) -> None:
    away = "postgresql+psycopg://user:hidden@127.0.0.1:1/x"
    answer = stichwerk("migrate", "--database", away)
    assert (answer.code, answer.out, answer.err.count("\n")) == (2, "", 1)
    assert "hidden@" not in answer.err

    def never(_: float) -> None:
        pytest.fail("waits for what cannot come")

    monkeypatch.setattr(migrate, "time", SimpleNamespace(monotonic=monotonic, sleep=never))
    for wrong in ("nothing://here", "/proc/none/x.sqlite\0"):
        answer = stichwerk("migrate", "--wait", "60", "--database", wrong)
        assert (answer.code, answer.err.count("\n")) == (2, 1), wrong


CREATED_AND_EXPIRES = ("created", "expires")


def test_a_token_is_printed_once_and_never_again(stichwerk: Stichwerk) -> None:
    made = stichwerk("token", "create", "alice", "--scope", "submit", "--scope", "read")
    assert made.code == 0
    text = made.out.strip()
    assert text.startswith("stw_")
    assert text not in made.err
    listed = stichwerk("token", "list")
    assert "alice" in listed.out
    assert text not in listed.out + listed.err
    listed = json.loads(stichwerk("token", "list", "--json").out)
    (one,) = listed["tokens"]
    assert (one["token"], one["scopes"], one["revoked_at"]) == ("alice", ["submit", "read"], None)
    assert stichwerk("token", "revoke", "alice").code == 0
    (one,) = json.loads(stichwerk("token", "list", "--json").out)["tokens"]
    assert one["revoked_at"] is not None


def test_a_token_may_end_and_have_limits(stichwerk: Stichwerk) -> None:
    limits = ("--expires", "30d", "--day-budget", "5USD", "--calls-a-minute", "100")
    assert stichwerk("token", "create", "guest", *limits).code == 0
    (one,) = json.loads(stichwerk("token", "list", "--json").out)["tokens"]
    assert (one["day_budget_usd"], one["calls_a_minute"]) == ("5", 100)
    created, expires = (datetime.fromisoformat(one[f"{name}_at"]) for name in CREATED_AND_EXPIRES)
    assert timedelta(days=29.9) < expires - created < timedelta(days=30.1)
    assert one["expires_at"][:10] in stichwerk("token", "list").out
