"""A simulated IBM: as much of its HTTP API as qiskit-ibm-runtime calls for devices and jobs."""

import json
import secrets
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any

from backends.aer import AerBackend
from backends.backend import JobState, LocalBackend
from backends.provider_simulators.faults import Faults
from backends.provider_simulators.ibm_access import API_KEY, CRN, Access
from backends.provider_simulators.ibm_program import Submission, program, submission
from backends.provider_simulators.machine import ENDED, Machine, SimulatedJob
from backends.provider_simulators.protocol import Provider, Refusal, Request, Response, Route
from compiler.targets.heavy_hex import DEVICES

TAG_PREFIX = "stichwerk-"
WORDS = {
    JobState.QUEUED: "Queued",
    JobState.RUNNING: "Running",
    JobState.DONE: "Completed",
    JobState.FAILED: "Failed",
    JobState.CANCELLED: "Cancelled",
}
NAMES = {f"ibm_{device}": device for device in DEVICES}


class SimulatedIBM(Provider):
    """Tokens, instances, the catalogue, three devices and their jobs.

    Args:
        faults: what goes wrong.
        machine: runs the jobs.
        simulator: of the circuits; Aer without noise if None.
        seed: of the shots; each job has its own generator.
        api_key: the only one that is accepted.
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
        super().__init__(faults, machine)
        self.access = Access(api_key, token_seconds)
        self._simulator = simulator or AerBackend("")
        self._seed = seed
        self._submissions: dict[str, Submission] = {}

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
        api = "/api/v1"

        def route(method: str, path: str, operation: str, answer: Answer) -> Route:
            return Route(method, api + path, operation, self._for_holders(answer))

        return [
            Route("POST", "/iam/identity/token", "token", self.access.token),
            Route("POST", "/search/v3/resources/search", "search", self.access.instances),
            Route("GET", "/catalog/{plan}", "catalog", self.access.plan),
            route("GET", "/backends", "devices", self._devices),
            route("GET", "/backends/{name}/configuration", "configuration", _configuration),
            route("GET", "/backends/{name}/properties", "properties", _properties),
            route("GET", "/backends/{name}/status", "device-status", self._device_status),
            route("GET", "/instances/usage", "usage", _usage),
            route("POST", "/jobs", "submit", self._submit),
            route("GET", "/jobs", "find", self._find),
            route("GET", "/jobs/{id}", "status", self._status),
            route("GET", "/jobs/{id}/results", "result", self._result),
            route("GET", "/jobs/{id}/metrics", "metrics", self._metrics),
            route("POST", "/jobs/{id}/cancel", "cancel", self._cancel),
        ]

    def refused(self, refusal: Refusal) -> Response:
        """Return a refusal as the runtime's API words it."""
        error = {"code": refusal.code, "message": refusal.message, "more_info": ""}
        return Response.of_json({"errors": [error], "trace": "simulated"}, refusal.status)

    def expire(self) -> Response:
        """Revoke all tokens."""
        self.access.revoke()
        return self.refused(Refusal(401, "1217", "The token is not valid or has expired."))

    def _for_holders(self, answer: "Answer") -> "Answer":
        def checked(request: Request) -> Response:
            self.access.check(request)
            return answer(request)

        return checked

    def _devices(self, _: Request) -> Response:
        devices = [
            {
                "name": name,
                "class": "real",
                "status": {"name": "online", "reason": "available"},
                "qubits": _qubits(device),
                "queue_length": self._waiting(),
            }
            for name, device in NAMES.items()
        ]
        return Response.of_json({"devices": devices})

    def _device_status(self, request: Request) -> Response:
        _device(request)
        return Response.of_json(
            {"state": True, "status": "active", "message": "", "length_queue": self._waiting()}
        )

    def _waiting(self) -> int:
        return sum(job.state is JobState.QUEUED for job in list(self.machine.jobs.values()))

    def _submit(self, request: Request) -> Response:
        posted = submission(request.body)
        if posted.device not in NAMES:
            raise Refusal(404, "1201", f"no device {posted.device}")
        id = f"sim{secrets.token_hex(9)}"
        self._submissions[id] = posted
        key = next((t.removeprefix(TAG_PREFIX) for t in posted.tags if TAG_PREFIX in t), "")
        seed = self._seed + len(self._submissions)
        self.machine.accept(id, key, posted.shots, program(posted, self._simulator, seed))
        return Response.of_json({"id": id, "backend": posted.device})

    def _find(self, request: Request) -> Response:
        wanted = set(request.query.get("tags", ()))
        found = [
            job
            for job in self.machine.jobs.copy().values()
            if wanted <= set(self._submissions[job.id].tags)
        ]
        if request.query.get("sort") != ["ASC"]:
            found.reverse()
        offset, limit = (int(request.query.get(k, [d])[0]) for k, d in _PAGE)
        page = [self._described(job) for job in found[offset : offset + limit]]
        return Response.of_json(
            {"jobs": page, "count": len(found), "limit": limit, "offset": offset}
        )

    def _status(self, request: Request) -> Response:
        return Response.of_json(self._described(self._job(request)))

    def _described(self, job: SimulatedJob) -> dict[str, Any]:
        posted = self._submissions[job.id]
        word = WORDS[job.state]
        state = {"status": word, "reason": job.detail, "reason_code": 1517 if job.detail else None}
        return {
            "id": job.id,
            "backend": posted.device,
            "program": {"id": "sampler"},
            "status": word,
            "state": state,
            "created": job.created.isoformat(),
            "tags": posted.tags,
            "private": False,
        }

    def _result(self, request: Request) -> Response:
        result = self.machine.result(self._job(request))
        return Response(204) if result is None else Response(200, result)

    def _metrics(self, request: Request) -> Response:
        job = self._job(request)
        moments = {"created": job.created, "running": job.started, "finished": job.ended}
        return Response.of_json(
            {
                "timestamps": {name: _text(moment) for name, moment in moments.items()},
                "position_in_queue": self.machine.queue_position(job),
                "usage": {"quantum_seconds": 0, "status": "completed"},
            }
        )

    def _cancel(self, request: Request) -> Response:
        job = self._job(request)
        if job.state in ENDED or not self.machine.cancel(job):
            raise Refusal(409, "1233", "the job has ended and cannot be cancelled")
        return Response(204)

    def _job(self, request: Request) -> SimulatedJob:
        job = self.machine.jobs.get(request.parameters["id"])
        if job is None:
            raise Refusal(404, "1291", "Job not found.")
        return job


Answer = Callable[[Request], Response]
_PAGE = (("offset", "0"), ("limit", "10"))


def _device(request: Request) -> str:
    name = request.parameters["name"]
    if name not in NAMES:
        raise Refusal(404, "1201", f"no device {name}")
    return NAMES[name]


@cache
def _qubits(device: str) -> int:
    snapshot = DEVICES[device]
    return int(
        json.loads((Path(snapshot.dirname) / snapshot.conf_filename).read_bytes())["n_qubits"]
    )


def _configuration(request: Request) -> Response:
    device = DEVICES[_device(request)]
    return Response(200, (Path(device.dirname) / device.conf_filename).read_bytes())


def _properties(request: Request) -> Response:
    device = DEVICES[_device(request)]
    return Response(200, (Path(device.dirname) / device.props_filename).read_bytes())


def _usage(_: Request) -> Response:
    return Response.of_json({"usage_consumed_seconds": 0, "usage_limit_reached": False})


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
