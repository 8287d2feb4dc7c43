"""The sessions of a simulated IBM, batches among them: jobs that belong together."""

import secrets
import threading
from collections.abc import Mapping
from typing import Any

from attrs import define

from tests.servers.provider_simulators.ibm.access import instance_of
from tests.servers.provider_simulators.ibm.devices import NAMES
from tests.servers.provider_simulators.protocol import Refusal, Request, Response


@define(eq=False)
class Session:
    """A batch or a dedicated session, of one device and instance."""

    id: str
    instance: str
    device: str
    mode: str
    accepts_jobs: bool = True


class Sessions:
    """What `Batch` and `Session` of the SDK ask for.

    IBM's documentation says that a job in a closed session is rejected, but neither with which
    status nor with which code. The refusal here was never compared with IBM's.

    Attributes:
        granted: whether the account's plan grants any.
        closes: whether one that is to be closed is.
    """

    def __init__(self) -> None:
        self.granted = self.closes = True
        self._all: dict[str, Session] = {}
        self._lock = threading.Lock()

    def create(self, request: Request) -> Response:
        """Answer `POST /sessions`."""
        asked = request.json()
        if not self.granted:
            raise Refusal(400, "1352", "You are not authorized to run a session on this plan.")
        if asked.get("backend") not in NAMES:
            raise Refusal(404, "1201", f"no device {asked.get('backend')}")
        session = Session(
            f"ses{secrets.token_hex(9)}",
            instance_of(request),
            asked["backend"],
            asked.get("mode", "dedicated"),
        )
        with self._lock:
            self._all[session.id] = session
        return Response.of_json({"id": session.id})

    def details(self, request: Request) -> Response:
        """Answer `GET /sessions/{id}`."""
        session = self._with_id(request.parameters["id"], instance_of(request))
        return Response.of_json(
            {
                "id": session.id,
                "backend_name": session.device,
                "mode": session.mode,
                "state": "open" if session.accepts_jobs else "closed",
                "accepting_jobs": session.accepts_jobs,
            }
        )

    def update(self, request: Request) -> Response:
        """Answer `PATCH /sessions/{id}`, by which a session stops to accept jobs."""
        session = self._with_id(request.parameters["id"], instance_of(request))
        with self._lock:
            session.accepts_jobs = bool(request.json()["accepting_jobs"]) or not self.closes
        return Response(204)

    def check(self, id: str, device: str, instance: str) -> None:
        """Check that a job can be submitted in a session.

        Raises:
            Refusal: if it is not there, closed, or of another device.
        """
        session = self._with_id(id, instance)
        if not session.accepts_jobs:
            raise Refusal(400, "session_closed", "The session is closed and accepts no jobs.")
        if session.device != device:
            raise Refusal(400, "1216", f"The session is of {session.device}, not {device}.")

    def audit(self) -> list[Mapping[str, Any]]:
        """Return all sessions as JSON objects, the oldest first."""
        with self._lock:
            return [
                {"id": session.id, "mode": session.mode, "open": session.accepts_jobs}
                for session in self._all.values()
            ]

    def _with_id(self, id: str, instance: str) -> Session:
        with self._lock:
            session = self._all.get(id)
        if session is None or session.instance != instance:
            raise Refusal(404, "1291", "Session not found.")
        return session
