"""The command `providers`: both simulated providers, until it is interrupted."""

import json
import signal
import socket
import subprocess
import sys
from urllib.request import urlopen

import pytest

from backends.aer import AerBackend
from backends.provider_simulators.faults import Faults
from backends.provider_simulators.ibm.api import SimulatedIBM
from backends.provider_simulators.machine import DAY_SECONDS, Machine
from backends.provider_simulators.noise import NoisyDevices
from backends.provider_simulators.server import Server
from service.cli import main
from service.cli.servers.providers import simulated_noise

COMMAND = [sys.executable, "-c", "from service.cli import main; main()", "providers"]


def test_both_providers_answer_where_the_exports_lead():
    with subprocess.Popen(
        [*COMMAND, "--fault", "cut-after:submit:1", "--queue-seconds", "2"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        exports = {}
        while "AWS_ENDPOINT_URL_STS" not in exports:
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
        assert process.wait(30) == 130


@pytest.mark.full
def test_a_simulated_machine_plays_as_the_simulator_of_its_noise_does(stichwerk, monkeypatch):
    """The same circuit on both, within four standard deviations; with drift it plays worse."""
    now = [0.0]
    faults, shots = Faults(), 4000
    devices = NoisyDevices(drift=0.05, clock=lambda: now[0])
    simulated = SimulatedIBM(faults, Machine(faults), simulator=devices)
    how = ("--pipeline", "tket", "--encoding", "paper", "--shots", str(shots), "--json")

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


def test_noise_is_left_out_where_it_is_asked_for():
    assert isinstance(simulated_noise(0.0, noiseless=True), AerBackend)
    assert isinstance(simulated_noise(0.5, noiseless=False), NoisyDevices)


def test_a_fault_that_is_none_and_a_port_in_use_are_refused(capsys):
    with pytest.raises(SystemExit) as code:
        main(["providers", "--fault", "burn"])
    assert code.value.code == 2
    assert "FAULT[:OPERATION[:AMOUNT[:SECONDS]]]" in capsys.readouterr().err
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(SystemExit) as code:
        main(["providers", "--port-ibm", str(taken.getsockname()[1])])
    assert code.value.code == 2
    assert "127.0.0.1" in capsys.readouterr().err
