"""The servers that other tests rely on."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import psycopg
import pytest
import redis
from sqlalchemy import inspect
from sqlalchemy.orm import Session

from workers.records.database import open_database
from workers.records.tables import Token

from . import fixtures
from .postgres import PostgresServer
from .process import MissingServerError, wait_until
from .redis import RedisServer

ROOT = Path(__file__).parents[2]


def test_redis_is_empty_for_every_test(redis_server, redis_url):
    with redis.Redis.from_url(redis_url) as client:
        assert client.dbsize() == 0
        client.set("left", "behind")
    redis_server.flush()
    with redis.Redis.from_url(redis_url) as client:
        assert client.get("left") is None


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


def test_every_postgres_database_is_new_and_takes_the_tables(postgres_server, empty_postgres_url):
    engine = open_database(empty_postgres_url)
    assert "jobs" in inspect(engine).get_table_names()
    engine.dispose()
    other = postgres_server.create("other")
    with psycopg.connect(other.replace("+psycopg", "")) as connection:
        tables = connection.execute(
            "SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'"
        ).fetchone()
    assert tables == (0,)
    postgres_server.drop("other")


def test_what_was_committed_outlives_a_crash_of_postgres(postgres_url, postgres_server):
    engine = open_database(postgres_url)
    with Session(engine) as session:
        session.add(Token(name="kept", digest="0" * 64, scopes=["read"]))
        session.commit()
    postgres_server.crash()
    assert not postgres_server.answers()
    postgres_server.start()
    # A connection that was used a moment ago is not tried before it is used again.
    engine.dispose()
    with Session(engine) as session:
        assert session.get_one(Token, 1).scopes == ["read"]
    engine.dispose()


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
