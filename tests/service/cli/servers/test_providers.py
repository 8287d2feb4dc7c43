"""Simulated providers: as a program, in the command `up`, and their noise."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

from tests.service.cli.servers.started import free_ports

ROOT = Path(__file__).parents[4]
COMMAND = [sys.executable, "-m", "tests.servers.provider_simulators"]


def test_both_providers_answer_where_the_exports_lead():
    with subprocess.Popen(
        [*COMMAND, "--fault", "cut-after:submit:1", "--queue-seconds", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    ) as process:
        exports = {}
        while "STICHWERK_IBM_URL" not in exports:
            word, _, rest = process.stdout.readline().strip().partition(" ")
            assert word == "export"
            name, _, value = rest.partition("=")
            exports[name] = value
        for name in ("STICHWERK_IBM_URL", "AWS_ENDPOINT_URL_BRAKET"):
            url = exports[name].removesuffix("/api/v1")
            with urlopen(f"{url}/audit") as answer:
                assert json.load(answer) == []
            with urlopen(f"{url}/faults") as answer:
                assert [rule["fault"] for rule in json.load(answer)] == ["cut-after"]
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 0


def test_an_installed_wheel_has_no_simulated_providers(stichwerk, monkeypatch, tmp_path):
    monkeypatch.setattr("service.cli.servers.child_processes.CHECKOUT", tmp_path)
    monkeypatch.setenv("STICHWERK_REDIS", "redis://127.0.0.1:1/0")
    answer = stichwerk("up", "--port", str(free_ports(3)), "--simulate-providers")
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert str(tmp_path / "tests/servers/provider_simulators") in answer.err
