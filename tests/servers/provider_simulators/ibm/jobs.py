"""The jobs of a simulated IBM."""

import secrets
from datetime import datetime
from typing import Any

from backends.backend import JobState, LocalBackend
from backends.ibm.backend import duration_seconds
from backends.ibm.capabilities import max_circuits, max_shots
from compiler.targets import target_from_spec
from compiler.targets.ibm_devices import snapshot_spec
from tests.servers.provider_simulators.faults import Fault
from tests.servers.provider_simulators.ibm.access import instance_of
from tests.servers.provider_simulators.ibm.devices import NAMES
from tests.servers.provider_simulators.ibm.program import (
    Submission,
    program,
    submission,
    without_first_gate,
)
from tests.servers.provider_simulators.ibm.sessions import Sessions
from tests.servers.provider_simulators.machine import ENDED, RAN_TOO_LONG, Machine, SimulatedJob
from tests.servers.provider_simulators.protocol import Refusal, Request, Response

TAG_PREFIX = "stichwerk-"
WORDS = {
    JobState.QUEUED: "Queued",
    JobState.RUNNING: "Running",
    JobState.DONE: "Completed",
    JobState.FAILED: "Failed",
    JobState.CANCELLED: "Cancelled",
}
SECONDS_A_JOB, SECONDS_A_SHOT = 2, 0.00025
RAN_TOO_LONG_CODE = 1305
LONG_AGO = "1970-01-01T00:00:00+00:00"
PAGE = (("offset", "0"), ("limit", "10"))


class Jobs:
    """What was posted, and what became of it on the machine.

    Args:
        machine: runs the jobs.
        simulator: of the circuits.
        seed: of the shots; each job has its own generator.
        sessions: that jobs can be submitted in.
    """

    def __init__(
        self, machine: Machine, simulator: LocalBackend, seed: int, sessions: Sessions
    ) -> None:
        self._machine = machine
        self._sessions = sessions
        self._simulator = simulator
        self._seed = seed
        self._submissions: dict[str, Submission] = {}

    def submit(self, request: Request) -> Response:
        """Answer `POST /jobs`."""
        posted = submission(request.body)
        if posted.device not in NAMES or self._machine.faults.fires(Fault.DEVICE_LEFT, "submit"):
            raise Refusal(404, "1201", f"no device {posted.device}")
        if posted.shots > max_shots(NAMES[posted.device]):
            raise Refusal(400, "1216", f"more shots than {posted.device} takes in one job")
        if len(posted.circuits) > max_circuits(NAMES[posted.device]):
            raise Refusal(400, "1216", f"more circuits than {posted.device} takes in one job")
        if self._machine.faults.fires(Fault.OTHER_PROGRAM, "submit"):
            posted = without_first_gate(posted)
        if posted.session is not None:
            self._sessions.check(posted.session, posted.device, instance_of(request))
        id = f"sim{secrets.token_hex(9)}"
        self._submissions[id] = posted
        key = next((t.removeprefix(TAG_PREFIX) for t in posted.tags if TAG_PREFIX in t), "")
        seed = self._seed + len(self._submissions)
        run = program(posted, self._simulator, seed)
        job = self._machine.accept(
            id,
            key,
            posted.shots * len(posted.circuits),
            run,
            fence=posted.session,
            account=instance_of(request),
            seconds=_device_seconds(posted),
            most_seconds=posted.most_seconds,
        )
        return Response.of_json({"id": self._machine.told_id(job), "backend": posted.device})

    def found(self, request: Request) -> Response:
        """Answer `GET /jobs`: those with all tags and since when is asked for, page by page."""
        wanted = set(request.query.get("tags", ()))
        since = datetime.fromisoformat(request.query.get("created_after", [LONG_AGO])[0])
        found = [
            job
            for job in self._machine.listed()
            if wanted <= set(self._submissions[job.id].tags)
            and job.created >= since
            and job.account == instance_of(request)
        ]
        if request.query.get("sort") != ["ASC"]:
            found.reverse()
        offset, limit = (int(request.query.get(k, [d])[0]) for k, d in PAGE)
        page = [self._described(job) for job in found[offset : offset + limit]]
        return Response.of_json(
            {"jobs": page, "count": len(found), "limit": limit, "offset": offset}
        )

    def status(self, request: Request) -> Response:
        """Answer `GET /jobs/{id}`, with its inputs unless they are excluded."""
        job = self._job(request)
        described = self._described(job)
        if request.query.get("exclude_params") == ["false"]:
            described["params"] = self._submissions[job.id].params
        return Response.of_json(described)

    def _described(self, job: SimulatedJob) -> dict[str, Any]:
        posted = self._submissions[job.id]
        word, code = WORDS[job.state], 1517 if job.detail else None
        if job.is_cancelling and job.state not in ENDED:
            word = "Cancelling"
        state = {"status": word, "reason": job.detail, "reason_code": code}
        if job.detail == RAN_TOO_LONG:
            state["reason_code"] = RAN_TOO_LONG_CODE
            word = f"{word} - {job.detail}"
        return {
            "id": job.id,
            "backend": posted.device,
            "program": {"id": "executor"},
            "status": word,
            "state": state,
            "created": job.created.isoformat(),
            "tags": posted.tags,
            "session_id": posted.session,
            "private": False,
        }

    def result(self, request: Request) -> Response:
        """Answer `GET /jobs/{id}/results`; empty while there is none, 410 if it was deleted."""
        job = self._job(request)
        if job.loses_result:
            raise Refusal(410, "1291", "The result has been deleted.")
        result = self._machine.result(job)
        return Response(204) if result is None else Response(200, result)

    def metrics(self, request: Request) -> Response:
        """Answer `GET /jobs/{id}/metrics`; what was used is told once the job has ended."""
        job = self._job(request)
        moments = {"created": job.created, "running": job.started, "finished": job.ended}
        return Response.of_json(
            {
                "timestamps": {name: _text(moment) for name, moment in moments.items()},
                "position_in_queue": self._machine.queue_position(job),
                "usage": {
                    "qpu_charge_time_seconds": job.billed_seconds if job.tells_usage else None,
                    "status": "completed" if job.tells_usage else "pending",
                },
            }
        )

    def cancel(self, request: Request) -> Response:
        """Answer `POST /jobs/{id}/cancel`; 409 if the job has ended."""
        job = self._job(request)
        if job.state in ENDED or not self._machine.cancel(job):
            raise Refusal(409, "1233", "the job has ended and cannot be cancelled")
        return Response(204)

    def _job(self, request: Request) -> SimulatedJob:
        job = self._machine.jobs.get(request.parameters["id"])
        if job is None or job.account != instance_of(request):
            raise Refusal(404, "1291", "Job not found.")
        return job


def _device_seconds(posted: Submission) -> float:
    target = target_from_spec(snapshot_spec(NAMES[posted.device]))
    shots = sum(SECONDS_A_SHOT + duration_seconds(circuit, target) for circuit in posted.circuits)
    return SECONDS_A_JOB + posted.shots * shots


def _text(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
