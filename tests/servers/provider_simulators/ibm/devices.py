"""The devices of a simulated IBM, from the snapshots that qiskit-ibm-runtime ships."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any

from backends.backend import JobState
from compiler.targets.ibm_devices import CURRENT, snapshot
from tests.servers.provider_simulators.faults import Fault
from tests.servers.provider_simulators.machine import Machine
from tests.servers.provider_simulators.protocol import Refusal, Request, Response

NAMES = {f"ibm_{device}": device for device in (*CURRENT, "torino")}
"""The devices in service, and a retired one."""

MAX_ERRORS = {
    "readout_error": 0.5,
    "prob_meas1_prep0": 0.5,
    "prob_meas0_prep1": 0.5,
    "gate_error": 1.0,
}
"""What grows from day to day, and up to where."""


def usage(_: Request) -> Response:
    """Answer `GET /instances/usage`: nothing has been used up."""
    return Response.of_json({"usage_consumed_seconds": 0, "usage_limit_reached": False})


class Devices:
    """All devices, in front of one machine and its queue.

    Args:
        machine: runs their jobs.
        growth: what every calibrated error is multiplied by now.
    """

    def __init__(self, machine: Machine, growth: Callable[[], float]) -> None:
        self._machine = machine
        self._growth = growth

    def configuration(self, request: Request) -> Response:
        """Answer `GET /backends/{name}/configuration`."""
        return Response(200, _file(self._device(request), "conf_filename"))

    def properties(self, request: Request) -> Response:
        """Answer `GET /backends/{name}/properties`: the last calibration, which is of today."""
        kept = _file(self._device(request), "props_filename")
        today = datetime.now(UTC).date().isoformat()
        return Response(200, _grown(kept, self._growth(), f"{today}T00:00:00+00:00"))

    def listed(self, _: Request) -> Response:
        """Answer `GET /backends`."""
        devices = [
            {
                "name": name,
                "class": "real",
                "status": {"name": "online", "reason": "available"},
                "qubits": _configuration(device)["n_qubits"],
                "processor_type": _configuration(device)["processor_type"],
                "queue_length": self._waiting(),
            }
            for name, device in NAMES.items()
            if not self._has_left()
        ]
        return Response.of_json({"devices": devices})

    def status(self, request: Request) -> Response:
        """Answer `GET /backends/{name}/status`."""
        self._device(request)
        is_paused = self._machine.faults.fires(Fault.DEVICE_PAUSED, "device-status") is not None
        return Response.of_json(
            {
                "state": not is_paused,
                "status": "paused" if is_paused else "active",
                "message": "",
                "length_queue": self._waiting(),
            }
        )

    def _device(self, request: Request) -> str:
        name = request.parameters["name"]
        if name not in NAMES or self._has_left():
            raise Refusal(404, "1201", f"no device {name}")
        return NAMES[name]

    def _has_left(self) -> bool:
        return self._machine.faults.fires(Fault.DEVICE_LEFT, "devices") is not None

    def _waiting(self) -> int:
        return sum(job.state is JobState.QUEUED for job in self._machine.jobs.copy().values())


@lru_cache(8)
def _grown(properties: bytes, growth: float, at: str) -> bytes:
    told = json.loads(properties) | {"last_update_date": at}
    gates = (gate["parameters"] for gate in told["gates"])
    for one in chain.from_iterable((*told["qubits"], *gates)):
        if (most := MAX_ERRORS.get(one["name"])) is not None:
            one["value"] = min(most, growth * one["value"])
    return json.dumps(told).encode()


@cache
def _configuration(device: str) -> Any:
    return json.loads(_file(device, "conf_filename"))


@cache
def _file(device: str, which: str) -> bytes:
    shipped = snapshot(device)
    return (Path(shipped.dirname) / getattr(shipped, which)).read_bytes()
