"""A simulated Amazon: as much of Braket, S3 and STS as the Braket SDK calls for tasks."""

from collections.abc import Callable, Sequence
from datetime import datetime

from backends.backend import JobState, LocalBackend
from tests.servers.provider_simulators.braket.access import (
    ACCESS_KEY,
    ACCOUNT,
    SECRET_KEY,
    account_of,
    caller_identity,
    refusal_as_json,
    signed_region,
    store_error,
)
from tests.servers.provider_simulators.braket.devices import BY_ARN, description, summary
from tests.servers.provider_simulators.braket.tasks import Owner, Tasks
from tests.servers.provider_simulators.faults import Fault, Faults
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

PAGE = 100
FILTERS = (("deviceArn", "EQUAL"), ("createdAt", "GTE"))
LONG_AGO = "1970-01-01T00:00:00Z"


@provider_simulator("braket")
class SimulatedBraket(Provider):
    """All gate devices that the SDK names and their tasks; results are in any bucket asked for.

    Submissions with the same client token are one task, as at Braket.

    Args:
        faults: as of `Provider`, and so are `machine`, `simulator` and `seed`.
        access_key: of the account `ACCOUNT`.

    Attributes:
        accounts: by the access key that each is accepted with.
    """

    def __init__(
        self,
        faults: Faults,
        machine: Machine,
        *,
        simulator: LocalBackend | None = None,
        seed: int = 0,
        access_key: str = ACCESS_KEY,
    ) -> None:
        super().__init__(faults, machine, simulator=simulator, seed=seed)
        self._access_key = access_key
        self.accounts = {access_key: ACCOUNT}
        self._growth = growth_of(self.simulator)
        self._tasks = Tasks(machine, self.simulator, seed)

    def environment(self, url: str) -> dict[str, str]:
        """Return the variables by which the SDK finds this at a URL."""
        return {
            "AWS_ACCESS_KEY_ID": self._access_key,
            "AWS_SECRET_ACCESS_KEY": SECRET_KEY,
            "AWS_REGION": "eu-north-1",
            "AWS_ENDPOINT_URL_BRAKET": url,
            "AWS_ENDPOINT_URL_S3": url,
            "AWS_ENDPOINT_URL_STS": url,
        }

    def routes(self) -> Sequence[Route]:
        """Return what can be asked."""

        def route(method: str, path: str, operation: str, answer: Answer) -> Route:
            return Route(method, path, operation, self._for_holders(answer))

        return [
            route("GET", "/device/{arn}", "device", self._device),
            route("POST", "/devices", "devices", self._devices),
            route("POST", "/quantum-task", "submit", self._submit),
            route("GET", "/quantum-task/{arn}", "status", self._status),
            route("PUT", "/quantum-task/{arn}/cancel", "cancel", self._cancel),
            route("POST", "/quantum-tasks", "find", self._find),
            route("POST", "/", "identity", self._identity),
            route("PUT", "/{bucket}", "bucket", lambda _: Response(200)),
            route("HEAD", "/{bucket}", "bucket", lambda _: Response(200)),
            route("GET", "/{bucket}/{key+}", "result", self._result),
        ]

    def refused(self, refusal: Refusal) -> Response:
        """Return a refusal as Braket words it."""
        return refusal_as_json(refusal)

    def expire(self) -> Response:
        """Refuse a session's token."""
        message = "The security token included in the request is expired"
        return self.refused(Refusal(403, "ExpiredTokenException", message))

    def _for_holders(self, answer: Answer) -> Answer:
        def checked(request: Request) -> Response:
            account_of(request, self.accounts)
            return answer(request)

        return checked

    def _identity(self, request: Request) -> Response:
        return caller_identity(account_of(request, self.accounts))

    def _owner(self, request: Request) -> Owner:
        return Owner(account_of(request, self.accounts), signed_region(request))

    def _device(self, request: Request) -> Response:
        device = BY_ARN.get(request.parameters["arn"])
        if device is None or self.faults.fires(Fault.DEVICE_LEFT, "device"):
            raise Refusal(404, "ResourceNotFoundException", "no such device")
        told = description(device, self._growth())
        if self.faults.fires(Fault.DEVICE_PAUSED, "device"):
            told["deviceStatus"] = "OFFLINE"
        return Response.of_json(told)

    def _devices(self, request: Request) -> Response:
        """Return the devices of the region, and those of all regions."""
        here = ("", self._owner(request).region)
        told = [summary(device) for arn, device in BY_ARN.items() if arn.split(":")[3] in here]
        return Response.of_json({"devices": told})

    def _submit(self, request: Request) -> Response:
        if self.faults.fires(Fault.DEVICE_LEFT, "submit"):
            raise Refusal(410, "DeviceRetiredException", "the device has been retired")
        if self.faults.fires(Fault.DEVICE_PAUSED, "submit"):
            raise Refusal(424, "DeviceOfflineException", "the device is offline")
        task = self._tasks.create(request.json(), self._owner(request))
        return Response.of_json({"quantumTaskArn": self.machine.told_id(task.job)}, 201)

    def _find(self, request: Request) -> Response:
        asked = request.json()
        filters = {(each["name"], each["operator"]): each["values"] for each in asked["filters"]}
        if not {("deviceArn", "EQUAL")} <= set(filters) <= set(FILTERS):
            raise Refusal(400, "ValidationException", f"the simulation filters by {FILTERS} only")
        since = datetime.fromisoformat(filters.get(FILTERS[1], [LONG_AGO])[0])
        tasks = self._tasks.of_devices(filters[FILTERS[0]], since, self._owner(request))
        start = int(asked.get("nextToken") or 0)
        end = start + asked.get("maxResults", PAGE)
        found = [task.summary() for task in tasks[start:end]]
        more = {"nextToken": str(end)} if end < len(tasks) else {}
        return Response.of_json({"quantumTasks": found, **more})

    def _status(self, request: Request) -> Response:
        task = self._tasks.with_arn(request.parameters["arn"], self._owner(request))
        position = str(self.machine.queue_position(task.job))
        queue = {"queue": "QUANTUM_TASKS_QUEUE", "position": position, "queuePriority": "Normal"}
        reason = {"failureReason": task.job.detail} if task.job.state is JobState.FAILED else {}
        return Response.of_json(
            task.summary() | {"deviceParameters": "{}", "queueInfo": queue} | reason
        )

    def _result(self, request: Request) -> Response:
        parts = request.parameters["key"].split("/")
        named = ((self._tasks.named(part), "/".join(parts[i:])) for i, part in enumerate(parts, 1))
        task, file = next(((task, file) for task, file in named if task), (None, ""))
        result = self.machine.result(task.job) if task and file == "results.json" else None
        if task and task.job.ended and not task.job.loses_result:
            result = task.files.get(file, result)
        if result is None:
            return store_error(404, "NoSuchKey", "The specified key does not exist.")
        return Response(200, result, {"ETag": '"simulated"'})

    def _cancel(self, request: Request) -> Response:
        job = self._tasks.with_arn(request.parameters["arn"], self._owner(request)).job
        if not self.machine.cancel(job):
            raise Refusal(409, "ConflictException", f"the task is {job.state.value}")
        return Response.of_json({"quantumTaskArn": job.id, "cancellationStatus": "CANCELLING"})
