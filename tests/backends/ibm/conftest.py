"""A simulated IBM over loopback, and the backend that is led there."""

from collections.abc import Iterator
from functools import cache

import dateutil.parser
import pytest
from ibm_cloud_sdk_core.http_adapter import SSLHTTPAdapter
from qiskit_ibm_runtime.utils import converters
from requests.adapters import HTTPAdapter

from backends import backend_from_spec
from tests.backends.ibm.simulated import KEYS, NUMBERS, SECRET, point_to
from tests.servers.provider_simulators.faults import Faults
from tests.servers.provider_simulators.machine import Machine
from tests.servers.provider_simulators.providers.ibm import SimulatedIBM
from tests.servers.provider_simulators.server import Server


@pytest.fixture(scope="session", autouse=True)
def dates_are_read_once() -> Iterator[None]:
    """Let no connection wait for the SDK to read the same four thousand dates of a device."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dateutil.parser, "isoparse", cache(dateutil.parser.isoparse))
        patch.setattr(converters, "utc_to_local", cache(converters.utc_to_local))
        yield


@pytest.fixture(scope="session", autouse=True)
def certificates_are_left_alone() -> Iterator[None]:
    """Let no connection wait for the SDK to read certificates: loopback has none to check."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SSLHTTPAdapter, "init_poolmanager", HTTPAdapter.init_poolmanager)
        yield


@pytest.fixture(scope="module")
def ibm_server():
    faults = Faults(seed=1)
    with Server(SimulatedIBM(faults, Machine(faults), api_key=SECRET)) as server:
        yield server


@pytest.fixture
def ibm(ibm_server, monkeypatch):
    """Return the simulated IBM that the environment points to, without faults or jobs."""
    ibm = ibm_server.provider
    point_to(ibm_server, monkeypatch)
    yield ibm
    ibm.faults.clear()
    ibm.machine.queue_seconds = 0
    for waiting in ibm.machine.jobs.values():
        ibm.machine.cancel(waiting)
    ibm.machine.jobs.clear()


@pytest.fixture
def torino(ibm):
    """Return the backend, already connected, so that faults meet the calls under test."""
    backend = backend_from_spec("ibm:torino")
    assert backend.find(KEYS[-1]) == []
    return backend


@pytest.fixture
def anew(monkeypatch):
    """Return what makes the next call connect, as in another process."""
    return lambda: monkeypatch.setenv("QISKIT_IBM_URL", f"https://{next(NUMBERS)}.example")
