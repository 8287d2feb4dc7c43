"""A simulated Amazon Braket over loopback, and the backend that is led there."""

import os
from collections.abc import Iterator
from functools import cache

import pytest
from botocore.loaders import JSONFileLoader

from backends import ProviderBackend
from backends.braket.backend import BraketBackend
from backends.braket.connection import forget
from tests.servers.provider_simulators.faults import Faults
from tests.servers.provider_simulators.machine import Machine
from tests.servers.provider_simulators.providers.braket import SimulatedBraket
from tests.servers.provider_simulators.server import Server


@pytest.fixture(scope="session", autouse=True)
def descriptions_are_read_once() -> Iterator[None]:
    """Let no session wait for the SDK to read its descriptions of the services again."""
    read = cache(JSONFileLoader().load_file)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(JSONFileLoader, "load_file", lambda _, path: read(path))
        yield


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
