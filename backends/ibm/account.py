"""The IBM account of this process: its presence, its address, and the list of its devices."""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from backends.backend import AccountDevice
from backends.providers.text import line, queue_position
from compiler.errors import nearest

URL_VARIABLE = "STICHWERK_IBM_URL"
"""Names the base of the runtime's API; without it, it is the one of the account's region."""

SAVED_ACCOUNTS = Path(".qiskit/qiskit-ibm.json")
"""File of the SDK's saved accounts in the home directory."""


def has_account() -> bool:
    """Return whether this process has an account, without the slow import of the SDK."""
    if os.environ.get("QISKIT_IBM_TOKEN"):
        return True
    try:
        return bool(json.loads((Path.home() / SAVED_ACCOUNTS).read_text()))
    except (OSError, ValueError):
        return False


def devices_in(listed: Any) -> Sequence[AccountDevice]:
    """Return the devices in a list that IBM sent; entries of another form are left out."""
    devices = []
    for entry in listed:
        name = str(entry.get("name")) if isinstance(entry, dict) else ""
        if name.startswith("ibm_"):
            devices.append(
                AccountDevice(
                    f"ibm:{line(name.removeprefix('ibm_'))}",
                    _family(entry.get("processor_type")),
                    queue_position(entry.get("qubits")),
                    queue_position(entry.get("queue_length")),
                    _status(entry.get("status")),
                )
            )
    return devices


def unknown_device(device: str, offered: Sequence[AccountDevice]) -> str:
    """Return the message that an account does not have a device: the closest name, and all."""
    names = [each.backend.removeprefix("ibm:") for each in offered]
    near = nearest(device, names)
    hint = f"; did you mean 'ibm:{near}'?" if near else ""
    listed = f" Devices of the account: {', '.join(names) or 'none'}"
    return f"the account has no such device{hint or '.'}{listed}"


def _family(processor: Any) -> str:
    if not isinstance(processor, dict) or not processor.get("family"):
        return ""
    revision = str(processor.get("revision") or "").removeprefix("r")
    return line(f"{processor['family']} r{revision}" if revision else str(processor["family"]), 40)


def _status(status: Any) -> str:
    return line(str(status.get("name") or ""), 40) if isinstance(status, dict) else ""
