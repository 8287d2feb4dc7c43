"""Devices whose calibration gives simulators their noise: shipped ones, and the user's own."""

import json
from functools import cache
from hashlib import sha256

from attrs import frozen
from qiskit.transpiler import Target

from compiler.errors import TargetError
from compiler.targets import ibm_devices, iqm
from compiler.targets.device import is_device, known_device
from compiler.targets.target import target_from_spec
from compiler.words.machine_names import DIGITS, calibration_digest


def calibrated_spec(device: str) -> str:
    """Return the target's spec of a device, a snapshot's name or the spec of one's own."""
    return device if is_device(device) else ibm_devices.snapshot_spec(device)


@cache
def calibrated_target(device: str) -> Target:
    """Return all of a device's gates with their errors; it is shared and must not change.

    Args:
        device: a snapshot's name, with its dead couplers, or the spec of one's own.
    """
    return target_from_spec(device) if is_device(device) else ibm_devices.snapshot(device).target


@frozen
class TargetCalibration:
    """Calibration that a target was made of.

    Args:
        digest: hexadecimal, the same for the same calibration.
        at: when it was measured, ISO 8601; empty if unknown.
    """

    digest: str
    at: str


def calibration_of(spec: str) -> TargetCalibration | None:
    """Return the calibration of a target; None of one without a calibration of its own."""
    device = known_device(spec)
    if device is not None:
        return TargetCalibration(calibration_digest(spec), device.calibrated_at)
    family, name = spec.split(":")[:2] if ":" in spec else (spec, "")
    if family == "iqm" and name in iqm.DEVICES:
        # The file of the source has no date.
        return TargetCalibration(iqm.calibration_digest_of(name)[:DIGITS], "")
    if not ibm_devices.is_snapshot(name) or family != ibm_devices.lattice_of(name):
        return None
    return _of_snapshot(name)


@cache
def _of_snapshot(name: str) -> TargetCalibration:
    content = ibm_devices.properties_file(name).read_bytes()
    at = str(json.loads(content).get("last_update_date") or "")
    return TargetCalibration(sha256(content).hexdigest()[:DIGITS], at)


def require_calibration(spec: str, *, waits: bool) -> None:
    """Refuse to simulate the noise of a device of one's own of which too little is known.

    Args:
        spec: of the device.
        waits: whether waiting qubits decay, too.

    Raises:
        TargetError: naming the values that its file lacks.
    """
    device = known_device(spec)
    if device is None:
        return
    places = [(gate, entry) for gate, entries in device.gates.items() for entry in entries]
    if not any(entry.error for _, entry in places):
        raise TargetError(f"device '{device.name}' has no errors, and so no noise: tell 'error' "
                          "of its gates, or run on the backend alone")  # fmt: skip
    if not waits:
        return
    timeless = next((gate for gate, entry in places if entry.duration_ns is None), None)
    if timeless is not None:
        raise TargetError(f"device '{device.name}': tell 'duration_ns' of '{timeless}' at every "
                          "place, so that it is known how long qubits wait")  # fmt: skip
    for place, qubit in enumerate(device.qubits):
        if qubit.t1_us is None or qubit.t2_us is None:
            raise TargetError(f"device '{device.name}': add t1_us and t2_us of qubit {place}, "
                              "by which it decays")  # fmt: skip
