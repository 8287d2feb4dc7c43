"""Both simulated providers, led alike."""

from collections.abc import Callable
from functools import partial
from types import ModuleType

import pytest
from attrs import evolve, frozen

from backends import CircuitJob, GoneError, JobState, JobStatus, ProviderBackend, UnavailableError
from backends.providers.retry_policy import POLICIES
from tests.backends.braket import simulated as braket
from tests.backends.braket.conftest import descriptions_are_read_once, garnet, server
from tests.backends.ibm import simulated as ibm_module
from tests.backends.ibm.conftest import anew, dates_are_read_once, ibm, ibm_server, torino
from tests.servers.process import wait_until
from tests.servers.provider_simulators.faults import Fault, Rule
from tests.servers.provider_simulators.protocol import Response
from tests.servers.provider_simulators.server import Server

__all__ = (
    "anew",
    "dates_are_read_once",
    "descriptions_are_read_once",
    "garnet",
    "ibm",
    "ibm_server",
    "server",
    "torino",
)
KEYS = [f"{n:032x}" for n in range(1, 5)]


@frozen(eq=False)
class Site:
    """One provider behind its real SDK.

    Args:
        server: that plays it.
        backend: that is led there.
        tests: the module with a circuit for its machine.
        patch: what is changed until the end of the test.
        connect_anew: lets the next call connect, as in another process.
        address: the variable that leads to it.
        result_bytes: where the bound of its results is.
        late: raised for a result that is not there yet.
    """

    server: Server
    backend: ProviderBackend
    tests: ModuleType
    patch: pytest.MonkeyPatch
    connect_anew: Callable[[], None]
    address: str
    result_bytes: str
    late: type[Exception]

    def job(self) -> CircuitJob:
        return self.tests.job(shots=200)

    def submit(self, key: str = KEYS[0], **options: object) -> str:
        return self.backend.submit({key: self.job()}, key, **options)

    def fail(self, fault: Fault, operation: str = "submit", **rule: object) -> None:
        self.server.provider.faults.add(Rule(fault, operation, **{"times": 1, **rule}))

    def accepted(self, key: str = KEYS[0]) -> list[str]:
        audit = self.server.provider.machine.audit()
        return [entry["id"] for entry in audit if entry["key"] == key]

    def ended(self, id: str, key: str = KEYS[0]) -> JobStatus:
        ended = (JobState.DONE, JobState.FAILED, JobState.CANCELLED)
        assert wait_until(lambda: self.backend.status(id, key).state in ended, 120)
        return self.backend.status(id, key)

    def shots(self, id: str, key: str = KEYS[0]) -> int:
        return sum(self.backend.counts(self.backend.raw_result(id), self.job(), key, id).values())

    def requests(self, **answers: Response) -> list[str]:
        """Return the operations of requests that arrive from now on; answer some otherwise."""
        arrived: list[str] = []

        def noting(route, request):
            arrived.append(route.operation)
            return answers.get(route.operation) or route.answer(request)

        http = self.server.http
        routes = [evolve(route, answer=partial(noting, route)) for route in http.routes]
        self.patch.setattr(http, "routes", routes)
        return arrived


@pytest.fixture(params=sorted(POLICIES))
def site(request, monkeypatch):
    if request.param == "ibm":
        return Site(
            *map(request.getfixturevalue, ("ibm_server", "torino")), ibm_module, monkeypatch,
            request.getfixturevalue("anew"), "STICHWERK_IBM_URL",
            "backends.ibm.transport.RESULT_BYTES", UnavailableError,
        )  # fmt: skip
    assert request.param == "braket", f"{request.param}: add its site"
    return Site(
        *map(request.getfixturevalue, ("server", "garnet")), braket, monkeypatch,
        lambda: None, "AWS_ENDPOINT_URL_BRAKET",
        "backends.braket.backend.RESULT_BYTES", GoneError,
    )  # fmt: skip
