"""IQM's devices on a square lattice, with a calibration of each."""

import json
import tomllib
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from qiskit.circuit import Measure, Parameter
from qiskit.circuit.library import CZGate, RGate
from qiskit.transpiler import InstructionProperties, QubitProperties, Target

from compiler.errors import TargetError
from compiler.targets.target import device_hint, target_family

DEVICES = ("garnet", "emerald")
"""IQM Garnet with 20 qubits and IQM Emerald with 54."""

FEED_FORWARD = "feed-forward"
"""In place of a gate set: only the couplers within the largest of the groups below."""

GROUPS: Mapping[str, tuple[frozenset[int], ...]] = {
    "garnet": (
        frozenset({7, 12, 13, 14, 17, 18}),
        frozenset({0, 1, 2, 3, 4, 5, 6, 8, 9, 10, 11, 15, 16, 19}),
    )
}
"""The qubits of each group; measurements in one steer qubits of the same group only.

Source: the figure in Amazon Braket's notebook "Introduction to Dynamic Circuits on IQM", where
qubit i is i + 1. No API tells the groups. Emerald's four are shown in a figure of the developer
guide alone.
"""

NANOSECOND = 1e-9


@target_family(
    "iqm", "iqm:garnet, iqm:emerald  an IQM device with its calibration", lambda: DEVICES
)
def iqm(size: str, gates: str) -> Target:
    """Return an IQM device: PRX, which Qiskit calls `r`, and CZ between coupled qubits.

    Errors are infidelities of the device's calibration; durations are not known. Couplers
    without a calibrated CZ are left out, so that Emerald's qubit 24 is coupled to none. Garnet
    as `iqm:garnet:feed-forward` has the couplers within the largest of its `GROUPS` only.

    Raises:
        TargetError: if there is no such device, or another gate set is asked for.
    """
    if size not in DEVICES:
        hint = device_hint(size, alike=0.6) or f"; known: {', '.join(DEVICES)}"
        raise TargetError(f"target 'iqm:{size}': unknown device{hint}")
    if gates and (gates != FEED_FORWARD or size not in GROUPS):
        raise TargetError(f"target 'iqm:{size}' has its own native gates; leave out ':{gates}'")
    device = _calibrations()[size]
    times = zip(device["t1_ns"], device["t2_ns"], strict=True)
    qubits = [QubitProperties(t1=_seconds(t1), t2=_seconds(t2)) for t1, t2 in times]
    target = Target(num_qubits=len(qubits), qubit_properties=qubits)
    prx = {(q,): InstructionProperties(error=error) for q, error in enumerate(device["prx"])}
    cz = {
        pair: InstructionProperties(error=error)
        for a, b, error in device["cz"]
        if not gates or {a, b} <= max(GROUPS[size], key=len)
        for pair in ((a, b), (b, a))
    }
    read = {(q,): InstructionProperties(error=error) for q, error in enumerate(device["readout"])}
    target.add_instruction(RGate(Parameter("θ"), Parameter("φ")), prx)
    target.add_instruction(CZGate(), cz)
    target.add_instruction(Measure(), read)
    return target


def calibration_digest_of(device: str) -> str:
    """Return the SHA-256 of a device's calibration, in hexadecimal."""
    return sha256(json.dumps(_calibrations()[device], sort_keys=True).encode()).hexdigest()


@cache
def _calibrations() -> Mapping[str, Any]:
    return tomllib.loads(files("compiler.targets").joinpath("iqm.toml").read_text("utf-8"))


def _seconds(nanoseconds: int) -> float | None:
    return nanoseconds * NANOSECOND or None
