"""A simulated IBM: as much of its HTTP API as qiskit-ibm-runtime calls for devices and jobs."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from backends.backend import LocalBackend
from tests.servers.provider_simulators.faults import Faults
from tests.servers.provider_simulators.ibm.access import API_KEY, CRN, Access
from tests.servers.provider_simulators.ibm.devices import Devices, usage
from tests.servers.provider_simulators.ibm.jobs import Jobs
from tests.servers.provider_simulators.ibm.sessions import Sessions
from tests.servers.provider_simulators.machine import Machine
from tests.servers.provider_simulators.noise import growth_of
from tests.servers.provider_simulators.protocol import (
    Provider,
    Refusal,
    Request,
    Response,
    Route,
    provider_simulator,
)

Answer = Callable[[Request], Response]


@provider_simulator("ibm")
class SimulatedIBM(Provider):
    """Tokens, instances, the catalogue, three devices, their jobs and sessions.

    Args:
        faults: as of `Provider`, and so are `machine`, `simulator` and `seed`.
        api_key: of its account; `access` takes further accounts and instances.
        token_seconds: how long a token lasts.
    """

    def __init__(
        self,
        faults: Faults,
        machine: Machine,
        *,
        simulator: LocalBackend | None = None,
        seed: int = 0,
        api_key: str = API_KEY,
        token_seconds: int = 3600,
    ) -> None:
        super().__init__(faults, machine, simulator=simulator, seed=seed)
        self.access = Access(api_key, token_seconds)
        self._devices = Devices(machine, growth_of(self.simulator))
        self.sessions = Sessions()
        self._jobs = Jobs(machine, self.simulator, seed, self.sessions)

    def environment(self, url: str) -> dict[str, str]:
        """Return the variables by which the SDK and the backend find this at a URL."""
        return {
            "QISKIT_IBM_TOKEN": self.access.api_key,
            "QISKIT_IBM_INSTANCE": CRN,
            "IAM_URL": f"{url}/iam",
            "GLOBAL_SEARCH_URL": f"{url}/search",
            "GLOBAL_CATALOG_URL": f"{url}/catalog",
            "STICHWERK_IBM_URL": f"{url}/api/v1",
        }

    def routes(self) -> Sequence[Route]:
        """Return what can be asked."""
        api, devices = "/api/v1", self._devices

        def route(method: str, path: str, operation: str, answer: Answer) -> Route:
            return Route(method, api + path, operation, self._for_holders(answer))

        return [
            Route("POST", "/iam/identity/token", "token", self.access.token, takes_token=False),
            Route("POST", "/search/v3/resources/search", "search", self.access.instances),
            Route("GET", "/catalog/{plan}", "catalog", self.access.plan),
            route("GET", "/backends", "devices", devices.listed),
            route("GET", "/backends/{name}/configuration", "configuration", devices.configuration),
            route("GET", "/backends/{name}/properties", "properties", devices.properties),
            route("GET", "/backends/{name}/status", "device-status", devices.status),
            route("GET", "/instances/usage", "usage", usage),
            route("POST", "/jobs", "submit", self._jobs.submit),
            route("GET", "/jobs", "find", self._jobs.found),
            route("GET", "/jobs/{id}", "status", self._jobs.status),
            route("GET", "/jobs/{id}/results", "result", self._jobs.result),
            route("GET", "/jobs/{id}/metrics", "metrics", self._jobs.metrics),
            route("POST", "/jobs/{id}/cancel", "cancel", self._jobs.cancel),
            route("POST", "/sessions", "fence", self.sessions.create),
            route("GET", "/sessions/{id}", "fence-details", self.sessions.details),
            route("PATCH", "/sessions/{id}", "close-fence", self.sessions.update),
        ]

    def fences(self) -> Sequence[Mapping[str, Any]]:
        """Return the sessions."""
        return self.sessions.audit()

    def refused(self, refusal: Refusal) -> Response:
        """Return a refusal as the runtime's API words it."""
        error = {"code": refusal.code, "message": refusal.message, "more_info": ""}
        return Response.of_json({"errors": [error], "trace": "simulated"}, refusal.status)

    def expire(self) -> Response:
        """Revoke all tokens."""
        self.access.revoke()
        return self.refused(Refusal(401, "1217", "The token is not valid or has expired."))

    def _for_holders(self, answer: Answer) -> Answer:
        def checked(request: Request) -> Response:
            self.access.check_instance(request)
            return answer(request)

        return checked
