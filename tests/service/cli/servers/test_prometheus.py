"""What is written for a Prometheus on the same machine."""

import socket
import stat
import subprocess

import pytest
from sqlalchemy.orm import Session

from compiler.errors import InputError
from service.cli.servers.child_processes import write_scraping
from service.cli.servers.log_format import listening_socket
from tests.servers.fixtures import present
from tests.servers.prometheus import prometheus_program
from tests.service.cli.servers.started import free_ports
from workers.accounts.tokens import Scope, caller, create_token, revoke_token, tokens
from workers.records.database import open_database


@pytest.fixture
def engine(tmp_path):
    engine = open_database(str(tmp_path / "records.sqlite"))
    yield engine
    engine.dispose()


def scopes(engine, text):
    with Session(engine) as session:
        found = caller(session, text)
    return found and found.scopes


def test_a_token_that_opens_the_metrics_only_is_kept_and_read_by_nobody_else(engine, tmp_path):
    write_scraping(engine, tmp_path, 8000, [8001, 8002])
    kept = tmp_path / "metrics.token"
    text = kept.read_text()
    assert scopes(engine, text) == {Scope.METRICS}
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    kept.chmod(0o644)
    write_scraping(engine, tmp_path, 8000, [8001])
    assert kept.read_text() == text
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


@pytest.mark.parametrize("which", ["revoked", "unknown", "with another scope", "no text"])
def test_a_token_that_opens_nothing_is_replaced(engine, tmp_path, which):
    kept = tmp_path / "metrics.token"
    if which == "revoked":
        write_scraping(engine, tmp_path, 8000, [8001])
        with Session(engine) as session:
            revoke_token(session, tokens(session)[0].name)
    elif which == "unknown":
        kept.write_text("stw_unknown")
    elif which == "no text":
        kept.write_bytes(bytes(range(256)) * 1000)
    else:
        with Session(engine) as session:
            kept.write_text(create_token(session, "other", [Scope.READ]))
    before = kept.read_bytes()
    write_scraping(engine, tmp_path, 8000, [8001])
    assert kept.read_bytes() != before
    assert scopes(engine, kept.read_text()) == {Scope.METRICS}
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_prometheus_takes_the_configuration_as_it_is(engine, tmp_path):
    promtool = present(lambda: prometheus_program("promtool"))
    folder = tmp_path / 'a "folder": # with a name'
    folder.mkdir()
    path = write_scraping(engine, folder, 8000, [8001, 8002])
    checked = subprocess.run(
        [promtool, "check", "config", path], cwd="/", capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
    written = path.read_text()
    for port in (8000, 8001, 8002):
        assert f'"127.0.0.1:{port}"' in written
    assert "scrape_interval: 5s" in written


def test_a_folder_that_cannot_be_written(engine, tmp_path):
    (tmp_path / "metrics.token").mkdir()
    with pytest.raises(InputError, match=r"metrics\.token: cannot be written: Is a directory"):
        write_scraping(engine, tmp_path, 8000, [8001])


def test_answers_are_sent_at_once():
    """Else every answer takes 40 ms longer: see Nagle's algorithm and delayed acknowledgements."""
    with (
        listening_socket("127.0.0.1", 0) as listening,
        socket.create_connection(listening.getsockname()),
        listening.accept()[0] as accepted,
    ):
        assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)


def test_an_installed_wheel_has_no_simulated_providers(stichwerk, monkeypatch, tmp_path):
    monkeypatch.setattr("service.cli.servers.child_processes.CHECKOUT", tmp_path)
    monkeypatch.setenv("STICHWERK_REDIS", "redis://127.0.0.1:1/0")
    answer = stichwerk("up", "--port", str(free_ports(3)), "--simulate-providers")
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert str(tmp_path / "tests/servers/provider_simulators") in answer.err
