"""A campaign at Braket, played over loopback: drift, and the calibration that explains it."""

import json
import os
from types import SimpleNamespace

import pytest

from backends.braket.connection import forget
from tests.backends.braket.conftest import descriptions_are_read_once
from tests.servers.provider_simulators.faults import Faults
from tests.servers.provider_simulators.machine import DAY_SECONDS, Machine
from tests.servers.provider_simulators.noise import NoisyDevices
from tests.servers.provider_simulators.providers.braket import SimulatedBraket
from tests.servers.provider_simulators.server import Server
from tests.service.cli.score.led import ended

__all__ = ["descriptions_are_read_once"]

NIGHTLY = """campaign = "nightly"
schedule = "0 2 * * *"

[[case]]
programs = ["ghz2.qasm"]
backends = ["braket:garnet"]
shots = 1000
method = "fast"
"""


@pytest.fixture
def clock(monkeypatch):
    """Return the clock of a Braket whose errors double every day of it."""
    for name in [name for name in os.environ if "AWS" in name or "BRAKET" in name]:
        monkeypatch.delenv(name)
    faults, clock = Faults(), SimpleNamespace(seconds=0.0)
    noise = NoisyDevices(drift=1.0, clock=lambda: clock.seconds)
    with Server(SimulatedBraket(faults, Machine(faults), simulator=noise)) as server:
        for name, value in server.provider.environment(server.url).items():
            monkeypatch.setenv(name, value)
        yield clock
    forget()


def run_of(stichwerk, folder, at):
    """Return what is told of the run that is due at a time, once it has ended."""
    answer = stichwerk("campaign", "nightly.toml", "--at", at, "--json")
    assert answer.code == 0, answer.err
    (job_id,) = json.loads(answer.out)["jobs"]
    ended(folder, job_id)
    return json.loads(stichwerk("job", str(job_id), "--json").out)


def test_drift_is_told_with_the_error_of_iqms_that_has_grown(stichwerk, folder, clock):
    (folder / "nightly.toml").write_text(NIGHTLY)
    assert run_of(stichwerk, folder, "2026-11-23T02:00")["batched"]["drifts"] == []
    clock.seconds += 4 * DAY_SECONDS
    later = run_of(stichwerk, folder, "2026-11-27T02:00")
    assert later["state"] == "done", later["events"]
    (drift,) = later["batched"]["drifts"]
    assert (drift["backend"], drift["verdict"]) == ("braket:garnet", "worse")
    changed = drift["calibration"]["changed"]
    assert changed["now"] == pytest.approx(min(0.5, 16 * changed["before"]))
    assert f": {changed['what']} error " in drift["told"]
    kept = json.loads(stichwerk("job", str(drift["job"]), "--json").out)["calibration"]
    assert {one["what"] for one in kept["errors"]} == {"r", "cz", "readout"}
