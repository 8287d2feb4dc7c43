"""Everything for one machine: started, used, killed in part, and stopped."""

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.servers.process import free_port, wait_until
from tests.service.cli.servers.started import (
    MARK,
    children,
    free_ports,
    marked,
    pool_processes,
    workers_of,
)

PATIENT_SECONDS = 120.0
COMMAND = [sys.executable, "-m", "service"]


def scraped(port, token=None):
    """Return what a port tells Prometheus, by name and labels."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    with urlopen(Request(f"http://127.0.0.1:{port}/metrics", headers=headers)) as answer:
        families = text_string_to_metric_families(answer.read().decode())
        return {
            (sample.name, *sorted(sample.labels.values())): sample.value
            for family in families
            for sample in family.samples
        }


@pytest.fixture
def service(tmp_path, stichwerk, monkeypatch):
    """A running `stichwerk up`, its port, and what a command says in its folder."""
    port = free_ports(3)
    monkeypatch.setenv("STICHWERK_REDIS", f"redis://127.0.0.1:{free_port()}/0")
    monkeypatch.setenv("STICHWERK_LEASE_SECONDS", "3")
    monkeypatch.setenv("STICHWERK_RESEND_SECONDS", "3")
    variables = os.environ | {"PYTHONPATH": str(Path(__file__).parents[4]), MARK: str(tmp_path)}
    with (tmp_path / "up.log").open("wb") as log:
        process = subprocess.Popen(
            [*COMMAND, "up", "--port", str(port), "--processes", "1", "--simulate-providers"],
            cwd=tmp_path, env=variables, stderr=log,
        )  # fmt: skip

    def said(*words):
        done = stichwerk(*words)
        assert done.code == 0, done.err
        return done.out

    yield process, port, said
    process.send_signal(signal.SIGTERM)
    process.wait(90)
    for pid in marked(str(tmp_path)):
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--port", "{taken}"), "port {taken} of 127.0.0.1: "),
        (("--port", "{before}"), "port {taken} of 127.0.0.1: "),
        (("--fault", "cut-after"), "are for --simulate-providers"),
        (("--drift", "0.1"), "--drift and --noiseless are for --simulate-providers"),
        (("--simulate-providers", "--noiseless", "--drift", "0.1"), "0.1"),
        (("--simulate-providers", "--fault", "fire"), "fire"),
    ],
)
def test_what_cannot_be_started_is_refused_at_once(stichwerk, monkeypatch, words, message):
    monkeypatch.setenv("STICHWERK_REDIS", "redis://127.0.0.1:1/0")
    port = free_ports(3) + 2
    with socket.create_server(("127.0.0.1", port)):
        said = stichwerk("up", *(word.format(taken=port, before=port - 2) for word in words))
    assert said.code == 2
    assert message.format(taken=port) in said.err
    assert said.err.count("\n") == 1


def test_jobs_go_to_providers_though_workers_die_and_nothing_outlives_it(service, tmp_path):
    process, port, said = service

    def healthy():
        with suppress(OSError), urlopen(f"http://127.0.0.1:{port}/health") as answer:
            return json.load(answer)["status"] == "ok"
        return False

    assert wait_until(healthy, PATIENT_SECONDS)
    (tmp_path / "bell.qasm").write_text(
        'OPENQASM 2.0; include "qelib1.inc"; qreg q[2]; creg c[2];'
        "h q[0]; cx q[0], q[1]; measure q -> c;"
    )
    fast = ("--method", "fast", "--shots", "100", "--json")
    first = json.loads(said("submit", "bell.qasm", "-b", "braket:garnet", *fast))
    workers = workers_of(process)
    assert len(workers) == 2
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    second = json.loads(said("submit", "bell.qasm", "-b", "ibm:torino", *fast))
    for job in (*first["jobs"], *second["jobs"]):
        said("job", str(job), "--watch")
        counts = json.loads(said("result", str(job)))["counts"]
        assert sum(counts.values()) == 100
        assert counts["00"] + counts["11"] > 70
    assert "is started again" in (tmp_path / "up.log").read_text()
    token = (tmp_path / ".stichwerk/metrics.token").read_text()
    api, compiling, submitting = scraped(port, token), scraped(port + 1), scraped(port + 2)
    assert api["stichwerk_jobs", "braket:garnet", "done"] == 1
    assert api["stichwerk_broker_up",] == 1
    assert compiling["stichwerk_worker_processes",] == 1
    assert submitting["stichwerk_worker_processes",] == 2
    assert submitting["stichwerk_provider_calls_total", "ibm", "ok", "submit"] == 1
    assert wait_until(lambda: len(children(process.pid)) == 4, PATIENT_SECONDS)
    assert wait_until(lambda: len(pool_processes(process)) == 3, PATIENT_SECONDS)
    started = marked(str(tmp_path))
    assert len(started) >= 10, "Redis, the API and its reader, two workers with all of theirs"
    process.send_signal(signal.SIGTERM)
    assert process.wait(90) == 0
    assert marked(str(tmp_path)) == {}
