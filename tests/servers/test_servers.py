"""The servers that other tests rely on."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
import redis

from . import fixtures
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
