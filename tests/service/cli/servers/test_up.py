"""`stichwerk up`: started, used, killed in part, and told to stop, with nothing left of it."""

import json
import os
import signal
import socket
from urllib.request import Request, urlopen

import pytest
from prometheus_client.parser import text_string_to_metric_families

from tests.servers.commands import running_command
from tests.servers.process import free_port, wait_until
from tests.service.cli.servers.started import (
    MARK,
    free_ports,
    marked,
    pool_processes,
    services,
    workers_of,
)

PATIENT_SECONDS = 400.0


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
def up(folder, monkeypatch):
    """The process of a running `stichwerk up`, and its port; all of its processes are marked."""
    port = free_ports(3)
    monkeypatch.setenv("STICHWERK_REDIS", f"redis://127.0.0.1:{free_port()}/0")
    monkeypatch.setenv("STICHWERK_LEASE_SECONDS", "3")
    monkeypatch.setenv("STICHWERK_RESEND_SECONDS", "1")
    words = ("up", "--port", str(port), "--processes", "1", "--simulate-providers")

    def healthy():
        try:
            with urlopen(f"http://127.0.0.1:{port}/health") as answer:
                return json.load(answer)["status"] == "ok"
        except OSError:
            return False

    with running_command(folder, *words, **{MARK: str(folder)}) as command:
        assert wait_until(healthy, PATIENT_SECONDS)
        yield command.process, port
    for pid in marked(str(folder)):
        os.kill(pid, signal.SIGKILL)


@pytest.mark.parametrize(
    "words",
    [("up", "--port", "{taken}"), ("up", "--port", "{before}"), ("serve", "--port", "{taken}"),
     ("worker", "--metrics-port", "{taken}")],
)  # fmt: skip
def test_a_port_that_is_taken_is_refused_at_once(stichwerk, monkeypatch, words):
    monkeypatch.setenv("STICHWERK_REDIS", "redis://127.0.0.1:1/0")
    port = free_ports(3) + 2
    with socket.create_server(("127.0.0.1", port)):
        said = stichwerk(*(word.format(taken=port, before=port - 2) for word in words))
    assert (said.code, said.out, said.err.count("\n")) == (2, "", 1)
    assert str(port) in said.err


def test_jobs_go_to_providers_though_a_worker_dies_and_nothing_outlives_it(up, stichwerk, folder):
    process, port = up

    def said(*words):
        done = stichwerk(*words)
        assert done.code == 0, done.err
        return done.out

    fast = ("--method", "fast", "--shots", "100", "--json")
    first = json.loads(said("submit", "ghz2.qasm", "-b", "braket:garnet", *fast))
    _, submitting = workers_of(process)
    os.kill(submitting, signal.SIGKILL)
    second = json.loads(said("submit", "ghz2.qasm", "-b", "ibm:torino", *fast))
    for job in (*first["jobs"], *second["jobs"]):
        said("job", str(job), "--watch")
        counts = json.loads(said("result", str(job)))["counts"]
        assert sum(counts.values()) == 100
        assert counts["000"] + counts["111"] > 70
    assert "is started again" in (folder / "up.log").read_text()
    token = (folder / ".stichwerk/metrics.token").read_text()
    api, compiling, submitting = scraped(port, token), scraped(port + 1), scraped(port + 2)
    assert api["stichwerk_jobs", "braket:garnet", "done"] == 1
    assert api["stichwerk_broker_up",] == 1
    assert compiling["stichwerk_worker_processes",] == 1
    assert submitting["stichwerk_worker_processes",] == 2
    assert submitting["stichwerk_provider_calls_total", "ibm", "ok", "submit"] == 1
    assert wait_until(lambda: len(services(process.pid)) == 4, PATIENT_SECONDS)
    assert wait_until(lambda: len(pool_processes(process)) == 3, PATIENT_SECONDS)
    started = marked(str(folder))
    assert len(started) >= 10, "Redis, the API and its reader, two workers with all of theirs"
    process.send_signal(signal.SIGTERM)
    assert process.wait(PATIENT_SECONDS) == 0
    assert marked(str(folder)) == {}
