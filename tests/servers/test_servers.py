"""The servers that other tests rely on."""

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
import redis
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import text

from workers.records.database import NEWEST, connected, open_database
from workers.records.tables import Record

from . import fixtures
from .migrated import really_migrate
from .postgres import PostgresServer
from .process import MissingServerError, wait_until
from .redis import RedisServer

ROOT = Path(__file__).parents[2]


def test_a_restart_keeps_what_redis_appends_and_a_wipe_does_not():
    with fixtures.present(lambda: RedisServer(append_only=True)) as server:
        with redis.Redis.from_url(server.url) as client:
            client.set("name", "value")
        port = server.port
        server.restart()
        assert server.port == port
        with redis.Redis.from_url(server.url) as client:
            assert client.get("name") == b"value"
        server.kill()
        assert not server.answers()
        server.wipe()
        server.start()
        with redis.Redis.from_url(server.url) as client:
            assert client.dbsize() == 0
    assert not server.folder.exists()


@pytest.mark.parametrize("server", [RedisServer, PostgresServer])
def test_a_server_ends_when_the_tests_are_killed(server):
    fixtures.present(server).__exit__(None, None, None)
    program = (
        "import sys\n"
        f"from {server.__module__} import {server.__name__} as Server\n"
        "with Server() as server:\n"
        "    print(server.process.pid, server.folder, flush=True)\n"
        "    sys.stdin.read()\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as tests:
        pid, folder = tests.stdout.readline().split()
        os.kill(int(pid), 0)
        tests.send_signal(signal.SIGKILL)
        tests.wait()
    assert wait_until(lambda: not _runs(int(pid)), 20)
    subprocess.run(["rm", "-r", folder], check=True)


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


@pytest.mark.parametrize(
    ("variable", "outcome"),
    [(None, pytest.skip.Exception), ("CI", pytest.fail.Exception)],
)
def test_a_missing_server_skips_on_a_laptop_and_fails_in_ci(monkeypatch, variable, outcome):
    for name in fixtures.REQUIRED:
        monkeypatch.delenv(name, raising=False)
    if variable:
        monkeypatch.setenv(variable, "true")

    def missing() -> RedisServer:
        raise MissingServerError("redis-server is not installed")

    with pytest.raises(outcome, match="is not installed"):
        fixtures.present(missing)


def test_it_has_the_tables_of_the_models_and_their_version(each_engine):
    with each_engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, Record.metadata) == []
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalars().all()
    assert found == [NEWEST]


def test_its_tables_are_those_of_the_migrations(tmp_path):
    def tables(name):
        with sqlite3.connect(tmp_path / name) as file:
            # Alembic writes what it found of a table in any order.
            return {
                name: sorted(line.strip(",) ") for line in (sql or "").splitlines())
                for name, sql in file.execute("SELECT name, sql FROM sqlite_master")
            }

    migrated = connected(str(tmp_path / "migrated"))
    really_migrate(migrated)
    migrated.dispose()
    open_database(str(tmp_path / "copied")).dispose()
    assert tables("copied") == tables("migrated") != {}
