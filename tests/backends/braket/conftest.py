"""A simulated Amazon Braket over loopback, and the backend that is led there."""

import os
from collections.abc import Iterator

import pytest

from backends import (
    ProviderBackend,
)
from backends.braket.backend import BraketBackend
from backends.braket.connection import forget
from backends.provider_simulators.braket.api import SimulatedBraket
from backends.provider_simulators.faults import Faults
from backends.provider_simulators.machine import Machine
from backends.provider_simulators.server import Server


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    for name in [name for name in os.environ if "AWS" in name or "BRAKET" in name]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AWS_EC2_METADATA_DISABLED", "true")
    monkeypatch.setenv("AWS_SHARED_CREDENTIALS_FILE", "/nonexistent")
    monkeypatch.setenv("AWS_CONFIG_FILE", "/nonexistent")
    faults = Faults()
    with Server(SimulatedBraket(faults, Machine(faults))) as server:
        for name, value in server.provider.environment(server.url).items():
            monkeypatch.setenv(name, value)
        yield server
    forget()


@pytest.fixture
def garnet() -> ProviderBackend:
    return BraketBackend("garnet")
