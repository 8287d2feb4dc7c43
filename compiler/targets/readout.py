"""Readout errors of calibrated devices, and all of a target's calibration as a device."""

from collections.abc import Mapping
from functools import cache

from attrs import frozen

from compiler.targets.device import Device, Placed, QubitCalibration, known_device, scaled
from compiler.targets.ibm_devices import is_snapshot, snapshot
from compiler.targets.target import target_from_spec


@frozen
class ReadoutError:
    """Readout errors of a qubit.

    Args:
        one_for_zero: probability that a qubit in |0⟩ is read as 1.
        zero_for_one: probability that a qubit in |1⟩ is read as 0.
    """

    one_for_zero: float
    zero_for_one: float


@cache
def readout_errors(spec: str) -> Mapping[int, ReadoutError]:
    """Return the readout error of every qubit of a target that has one.

    A device's snapshot tells the two directions apart (`prob_meas1_prep0`, `prob_meas0_prep1`);
    other targets have one error for both, that of their measurement, or none at all.

    Args:
        spec: a complete spec, such as `heavy-hex:boston`.

    Raises:
        InputError: if there is no such target.
    """
    target = target_from_spec(spec)
    places = target["measure"] if "measure" in target.operation_names else {}
    mean = {
        qubits[0]: ReadoutError(properties.error, properties.error)
        for qubits, properties in places.items()
        if qubits is not None and properties is not None and properties.error is not None
    }
    return mean | _own(spec) | _snapshot(spec.rpartition(":")[2])


def _own(spec: str) -> dict[int, ReadoutError]:
    """Return the readout errors of both directions in a user's device file."""
    device = known_device(spec)
    return {
        place: ReadoutError(qubit.one_for_zero, qubit.zero_for_one)
        for place, qubit in enumerate(device.qubits if device else ())
        if qubit.one_for_zero is not None and qubit.zero_for_one is not None
    }


def _snapshot(device: str) -> dict[int, ReadoutError]:
    """Return the readout errors of both directions in a snapshot, empty if it is no device."""
    if not is_snapshot(device):
        return {}
    properties = snapshot(device).properties()
    result = {}
    for qubit in range(len(properties.qubits)):
        values = properties.qubit_property(qubit)
        if "prob_meas1_prep0" in values and "prob_meas0_prep1" in values:
            result[qubit] = ReadoutError(
                values["prob_meas1_prep0"][0], values["prob_meas0_prep1"][0]
            )
    return result


def device_of(spec: str) -> Device:
    """Return a target as a device, with its calibration as far as it is known.

    Args:
        spec: a complete spec, such as `heavy-hex:boston`.

    Raises:
        InputError: if there is no such target.
    """
    target, errors = target_from_spec(spec), readout_errors(spec)
    properties = target.qubit_properties or [None] * target.num_qubits
    qubits = tuple(
        QubitCalibration(
            t1_us=scaled(entry and entry.t1, 1e6),
            t2_us=scaled(entry and entry.t2, 1e6),
            one_for_zero=errors[place].one_for_zero if place in errors else None,
            zero_for_one=errors[place].zero_for_one if place in errors else None,
        )
        for place, entry in enumerate(properties)
    )
    gates = {
        name: tuple(
            Placed(
                tuple(places),
                entry.error if entry else None,
                scaled(entry.duration if entry else None, 1e9),
            )
            for places, entry in target[name].items()
            if places is not None
        )
        for name in target.operation_names
    }
    return Device(spec, qubits, gates, scaled(target.dt, 1e9) or 1.0)
