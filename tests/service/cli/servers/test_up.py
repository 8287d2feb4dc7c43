"""Everything for one machine: started, used, killed in part, and stopped."""

import json
import os
import signal
import socket
import subprocess
import sys
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.request import Request, urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.servers.process import free_port, wait_until

PATIENT_SECONDS = 120.0
COMMAND = [sys.executable, "-m", "service"]


def children(pid):
    """Return the processes that a process has started, by what they are."""
    found = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            words = path.read_text().rpartition(")")[2].split()
            if int(words[1]) == pid:
                line = (path.parent / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                found[int(path.parent.name)] = line
    return found


def free_ports(n):
    """Return the first of some ports in a row that nobody listens to now."""
    while True:
        first = free_port()
        with ExitStack() as stack, suppress(OSError, OverflowError):
            for port in range(first, first + n):
                stack.enter_context(socket.create_server(("127.0.0.1", port)))
            return first


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
    variables = os.environ | {"PYTHONPATH": str(Path(__file__).parents[4])}
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
    process.send_signal(signal.SIGINT)
    process.wait(90)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--port", "{taken}"), "port {taken} of 127.0.0.1: "),
        (("--port", "{before}"), "port {taken} of 127.0.0.1: "),
        (("--fault", "cut-after"), "are for --simulate-providers"),
        (("--drift", "0.1"), "--drift and --noiseless are for --simulate-providers"),
        (("--simulate-providers", "--noiseless", "--drift", "0.1"), "leave one out"),
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


def test_a_job_goes_to_a_provider_and_back_though_workers_die(service, tmp_path):
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
    workers = [pid for pid, line in children(process.pid).items() if " worker " in line]
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
    left = children(process.pid)
    process.send_signal(signal.SIGINT)
    assert process.wait(90) == 0
    assert not [pid for pid in left if Path(f"/proc/{pid}").exists()]
