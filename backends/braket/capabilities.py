"""Capabilities documents of Amazon Braket's devices: gates, limits, couplers and prices.

`snapshots/` holds a shortened one of each device that the SDK names, with the qubits, couplers,
native gates, limits and mean fidelities of the day of `updatedAt`. IQM's have none of these:
their targets are `iqm:garnet` and `iqm:emerald`.
"""

import json
from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import cache
from importlib.resources import files
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

from attrs import evolve, frozen

from backends.braket.connection import asking, region_of, session_in, surroundings
from backends.braket.devices import Device
from backends.calibration import Use, device_errors
from backends.devices.device_format import SourceFile
from backends.devices.formats.braket import device_from_braket
from backends.errors import UnavailableError
from backends.prices import Price

PROGRAM, PROGRAM_SET = "braket.ir.openqasm.program", "braket.ir.openqasm.program_set"

FRESH_SECONDS = 600.0
"""Age of a document up to which it is not read again to compile, estimate or check shots."""

PER = {"shot": "per_shot_usd", "task": "per_task_usd"}
SECONDS = {"minute": 60, "hour": 3600}
"""Units of prices."""

MIN_SECONDS = 3
"""Charged for any task by time, by Amazon's list of prices."""


@frozen(eq=False)
class Capabilities:
    """Answer of GetDevice.

    Args:
        device: which one.
        content: the document.
        status: such as `ONLINE`.
        read_at: seconds of the monotonic clock.
    """

    device: Device
    content: Mapping[str, Any]
    status: str
    read_at: float

    @property
    def shots(self) -> tuple[int, int]:
        """The fewest and the most shots of a task."""
        least, most = self.content["service"]["shotsRange"]
        return int(least), int(most)

    @property
    def program_set(self) -> tuple[int, int]:
        """The most programs of a program set, 1 if there are none, and the most shots of all."""
        action = self.content["action"].get(PROGRAM_SET)
        if not action:
            return 1, self.shots[1]
        return int(action["maximumExecutables"]), int(action["maximumTotalShots"])

    @property
    def verbatim(self) -> bool:
        """True if the device runs programs in its native gates without compiling them."""
        return "verbatim" in (self.content["action"][PROGRAM].get("supportedPragmas") or ())

    @property
    def updated_at(self) -> str:
        """Date of the document, ISO 8601; empty if unknown."""
        return str(self.content["service"].get("updatedAt") or "")

    def couples(self, a: int, b: int) -> bool:
        """Return whether two labels are coupled."""
        connectivity = self.content["paradigm"]["connectivity"]
        graph = connectivity["connectivityGraph"]
        return (
            bool(connectivity["fullyConnected"])
            or str(b) in graph.get(str(a), ())
            or str(a) in graph.get(str(b), ())
        )

    def file(self) -> SourceFile:
        """Return the output of `aws braket get-device`, with the parts that are read here."""
        content = {"deviceName": self.device.label, "deviceCapabilities": json.dumps(self.content)}
        return SourceFile(Path(), "", content)

    def errors(self) -> Mapping[Use, float]:
        """Return the infidelities of gates and readouts, none if they are in no known form."""
        return device_errors(device_from_braket, self.file(), self.device.label)

    def price(self, base: Price) -> Price | None:
        """Return the price in the document, None if it has none.

        Args:
            base: price of every task.
        """
        cost = self.content["service"].get("deviceCost")
        if not cost:
            return None
        amount, unit = Decimal(str(cost["price"])), str(cost["unit"]).lower()
        if unit in SECONDS:
            change = {
                "per_second_usd": amount / SECONDS[unit],
                "per_task_usd": Decimal(0),
                "least_seconds": Decimal(MIN_SECONDS),
            }
        elif unit in PER:
            change = {PER[unit]: amount}
        else:
            return None
        day = self.updated_at[:10]
        return evolve(
            base,
            **change,
            as_of=date.fromisoformat(day) if day else base.as_of,
            source=f"capabilities of {self.device.arn}",
        )


SNAPSHOTS = files("backends.braket") / "snapshots"
_documents: dict[tuple[str, Device], Capabilities] = {}
"""Documents by account and device."""


def read_capabilities(device: Device, where: str = "") -> Capabilities:
    """Ask for a device's document.

    Args:
        device: its description.
        where: description of the request, for messages.

    Raises:
            BackendError: if there is no answer.
    """
    with asking(where or f"reading the capabilities of braket:{device.name}"):
        response = session_in(region_of(device.arn)).get_device(device.arn)
        content = json.loads(response["deviceCapabilities"])
        if not isinstance(content, dict):
            raise TypeError("the capabilities are no object")
        result = Capabilities(device, content, str(response["deviceStatus"]), monotonic())
    _documents[surroundings(), device] = result
    return result


def capabilities_of(device: Device) -> Capabilities:
    """Return a device's document, read not long ago; an older one if Amazon does not answer.

    Raises:
        BackendError: if it was never told.
    """
    before = known_capabilities(device)
    if before is not None and monotonic() - before.read_at < FRESH_SECONDS:
        return before
    try:
        return read_capabilities(device)
    except UnavailableError:
        if before is None or before.read_at == -inf:
            raise
        return before


def known_capabilities(device: Device) -> Capabilities | None:
    """Return the document that this process has read last, else the shipped one if there is one."""
    return _documents.get((surroundings(), device)) or shipped_capabilities(device)


@cache
def shipped_capabilities(device: Device) -> Capabilities | None:
    """Return the shipped document of a device, None if there is none."""
    file = SNAPSHOTS / f"{device.label}.json"
    if not file.is_file():
        return None
    return Capabilities(device, json.loads(file.read_text("utf-8")), "", -inf)
