"""A simulated Amazon: as much of Braket, S3 and STS as the Braket SDK calls for tasks."""

import json
import threading
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from backends.aer import AerBackend
from backends.backend import JobState, LocalBackend
from backends.braket_devices import DEVICES
from backends.braket_program import FIRST_LABEL
from backends.provider_simulators.braket_access import (
    ACCESS_KEY,
    ACCOUNT,
    SECRET_KEY,
    caller_identity,
    check,
    refusal_as_json,
    signed_region,
    store_error,
)
from backends.provider_simulators.braket_devices import BY_ARN, SHOTS, couplers, description
from backends.provider_simulators.braket_program import read_program, running
from backends.provider_simulators.faults import Faults
from backends.provider_simulators.machine import ENDED, Machine, SimulatedJob
from backends.provider_simulators.protocol import Provider, Refusal, Request, Response, Route

Answer = Callable[[Request], Response]

WORDS = {
    JobState.QUEUED: "QUEUED",
    JobState.RUNNING: "RUNNING",
    JobState.DONE: "COMPLETED",
    JobState.FAILED: "FAILED",
    JobState.CANCELLED: "CANCELLED",
}
PAGE = 100


class SimulatedBraket(Provider):
    """IQM's two machines, SV1 and their tasks; results are in any bucket that is asked for.

    Submissions with the same client token are one task, as at Braket.

    Args:
        faults: what goes wrong.
        machine: runs the jobs.
        simulator: of the circuits; Aer without noise if None.
        seed: of the shots; each task has its own.
        access_key: the only one that is accepted.
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
        super().__init__(faults, machine)
        self._simulator = simulator or AerBackend("")
        self._seed = seed
        self._access_key = access_key
        self._tasks: dict[str, dict[str, Any]] = {}
        self._of_token: dict[str, dict[str, Any]] = {}
        self._accepting = threading.Lock()

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
            route("GET", "/device/{arn}", "device", _device),
            route("POST", "/devices", "devices", _devices),
            route("POST", "/quantum-task", "submit", self._submit),
            route("GET", "/quantum-task/{arn}", "status", self._status),
            route("PUT", "/quantum-task/{arn}/cancel", "cancel", self._cancel),
            route("POST", "/quantum-tasks", "find", self._find),
            route("POST", "/", "identity", lambda _: caller_identity()),
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
            check(request, self._access_key)
            return answer(request)

        return checked

    def _submit(self, request: Request) -> Response:
        asked = request.json()
        with self._accepting:
            before = self._of_token.get(asked["clientToken"])
            if before is None:
                before = self._of_token[asked["clientToken"]] = self._accept(asked, request)
            elif any(before[name] != value for name, value in asked.items()):
                raise Refusal(
                    400, "ValidationException", "the client token was used for another task"
                )
        return Response.of_json({"quantumTaskArn": before["arn"]}, 201)

    def _accept(self, asked: dict[str, Any], request: Request) -> dict[str, Any]:
        device = BY_ARN.get(asked["deviceArn"])
        if device is None:
            raise Refusal(404, "ResourceNotFoundException", f"no device {asked['deviceArn']}")
        if not SHOTS[0] <= asked["shots"] <= SHOTS[1]:
            raise Refusal(
                400, "ValidationException", f"shots must be from {SHOTS[0]} to {SHOTS[1]}"
            )
        source = json.loads(asked["action"])["source"]
        program = read_program(source, couplers(device), FIRST_LABEL)
        seed = self._seed + len(self._tasks)
        name = UUID(int=self._seed << 64 | len(self._tasks) + 1)
        arn = f"arn:aws:braket:{signed_region(request)}:{ACCOUNT}:quantum-task/{name}"
        task = {**asked, "arn": arn, "name": str(name)}
        self._tasks[arn] = task
        run = running(program, self._simulator, task, seed)
        self.machine.accept(arn, asked.get("tags", {}).get("stichwerk", ""), asked["shots"], run)
        return task

    def _find(self, request: Request) -> Response:
        asked = request.json()
        tasks = [task for task in self._tasks.copy().values() if _passes(task, asked["filters"])]
        tasks.reverse()
        start = int(asked.get("nextToken") or 0)
        end = start + asked.get("maxResults", PAGE)
        found = [self._summary(task) for task in tasks[start:end]]
        more = {"nextToken": str(end)} if end < len(tasks) else {}
        return Response.of_json({"quantumTasks": found, **more})

    def _status(self, request: Request) -> Response:
        job = self._job(request)
        position = str(self.machine.queue_position(job))
        queue = {"queue": "QUANTUM_TASKS_QUEUE", "position": position, "queuePriority": "Normal"}
        reason = {"failureReason": job.detail} if job.state is JobState.FAILED else {}
        task = self._tasks[job.id]
        return Response.of_json(
            self._summary(task) | {"deviceParameters": "{}", "queueInfo": queue} | reason
        )

    def _summary(self, task: dict[str, Any]) -> dict[str, Any]:
        job = self.machine.jobs[task["arn"]]
        ended = {"endedAt": job.ended.isoformat()} if job.ended else {}
        return {
            "quantumTaskArn": job.id,
            "status": WORDS[job.state],
            "deviceArn": task["deviceArn"],
            "shots": task["shots"],
            "outputS3Bucket": task["outputS3Bucket"],
            "outputS3Directory": f"{task['outputS3KeyPrefix']}/{task['name']}",
            "createdAt": job.created.isoformat(),
            "tags": task.get("tags", {}),
            **ended,
        }

    def _result(self, request: Request) -> Response:
        name = request.parameters["key"].removesuffix("/results.json").rpartition("/")[2]
        task = next((t for t in self._tasks.copy().values() if t["name"] == name), None)
        result = self.machine.result(self.machine.jobs[task["arn"]]) if task else None
        if result is None:
            return store_error(404, "NoSuchKey", "The specified key does not exist.")
        return Response(200, result, {"ETag": '"simulated"'})

    def _cancel(self, request: Request) -> Response:
        job = self._job(request)
        if job.state in ENDED or not self.machine.cancel(job):
            raise Refusal(409, "ConflictException", f"the task is {WORDS[job.state]}")
        return Response.of_json({"quantumTaskArn": job.id, "cancellationStatus": "CANCELLING"})

    def _job(self, request: Request) -> SimulatedJob:
        job = self.machine.jobs.get(request.parameters["arn"])
        if job is None:
            raise Refusal(404, "ResourceNotFoundException", "no such quantum task")
        return job


def _device(request: Request) -> Response:
    device = BY_ARN.get(request.parameters["arn"])
    if device is None:
        raise Refusal(404, "ResourceNotFoundException", "no such device")
    return Response.of_json(description(device))


def _devices(_: Request) -> Response:
    return Response.of_json({"devices": [description(device) for device in DEVICES.values()]})


def _passes(task: dict[str, Any], filters: list[dict[str, Any]]) -> bool:
    return all(
        task["deviceArn"] in f["values"] if f["name"] == "deviceArn" else False for f in filters
    )
