"""A simulated IBM with a tiny suite, and how its jobs are led."""

from types import SimpleNamespace

import pytest

from tests.backends.ibm.conftest import certificates_are_left_alone, dates_are_read_once
from tests.backends.ibm.simulated import SECRET, point_to
from tests.servers.provider_simulators.faults import Faults
from tests.servers.provider_simulators.machine import Machine
from tests.servers.provider_simulators.noise import NoisyDevices
from tests.servers.provider_simulators.providers.ibm import SimulatedIBM
from tests.servers.provider_simulators.server import Server
from tests.workers.score.tiny import tiny_suite

__all__ = ["certificates_are_left_alone", "dates_are_read_once"]


@pytest.fixture
def ibm(folder, monkeypatch):
    """Return the machine and the provider; the clock's seconds let errors double every day."""
    faults, clock = Faults(seed=1), SimpleNamespace(seconds=0.0)
    machine = Machine(faults)
    noise = NoisyDevices(drift=1.0, clock=lambda: clock.seconds)
    provider = SimulatedIBM(faults, machine, simulator=noise, api_key=SECRET)
    with Server(provider) as server, tiny_suite(folder / "suites"):
        point_to(server, monkeypatch)
        yield SimpleNamespace(machine=machine, clock=clock, provider=provider)
