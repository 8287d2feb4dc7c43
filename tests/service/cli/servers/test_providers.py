"""Simulated providers: as a program, in the command `up`, and their noise."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.servers.provider_simulators.faults import Faults
from tests.servers.provider_simulators.machine import DAY_SECONDS, Machine
from tests.servers.provider_simulators.noise import NoisyDevices
from tests.servers.provider_simulators.providers.ibm import SimulatedIBM
from tests.servers.provider_simulators.server import Server
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


@pytest.mark.full
def test_a_simulated_machine_plays_as_the_simulator_of_its_noise_does(stichwerk, monkeypatch):
    """The same circuit on both, within four standard deviations; with drift it plays worse."""
    now = [0.0]
    faults, shots = Faults(), 4000
    devices = NoisyDevices(drift=0.05, clock=lambda: now[0])
    simulated = SimulatedIBM(faults, Machine(faults), simulator=devices)
    how = (
        "--pipeline",
        "tket-qiskit",
        "--seeds",
        "1",
        "--encoding",
        "paper",
        "--shots",
        str(shots),
        "--json",
    )

    def raw(backend):
        answer = stichwerk("run", "skat-4", "--backend", backend, *how)
        assert answer.code == 0, answer.err
        return json.loads(answer.out)["scores"]

    with Server(simulated) as server:
        for name, value in simulated.environment(server.url).items():
            monkeypatch.setenv(name, value)
        noisy, reference = raw("aer:torino"), raw("ibm:torino")
        now[0] += 30 * DAY_SECONDS
        later = raw("ibm:torino")
    fidelities = [one["hellinger_fidelity"] for one in (noisy, reference, later)]
    spread = (sum(f * (1 - f) for f in fidelities[:2]) / shots) ** 0.5
    assert abs(fidelities[0] - fidelities[1]) < 4 * spread
    assert fidelities[2] < fidelities[1] - 10 * spread
    assert noisy["normalized_fidelity"] < 0.9


def test_an_installed_wheel_has_no_simulated_providers(stichwerk, monkeypatch, tmp_path):
    monkeypatch.setattr("service.cli.servers.child_processes.CHECKOUT", tmp_path)
    monkeypatch.setenv("STICHWERK_REDIS", "redis://127.0.0.1:1/0")
    answer = stichwerk("up", "--port", str(free_ports(3)), "--simulate-providers")
    assert (answer.code, answer.err.count("\n")) == (2, 1)
    assert str(tmp_path / "tests/servers/provider_simulators") in answer.err
