"""What a simulated Braket says of its devices."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from copy import deepcopy
from datetime import UTC, datetime
from functools import cache
from typing import Any

from qiskit.transpiler import CouplingMap

from backends import backend_from_spec
from backends.braket.capabilities import Capabilities, shipped_capabilities
from backends.braket.devices import SIMULATOR_QUBITS, Device, sdk_devices
from backends.devices.formats.braket import first_label
from compiler.targets import target_from_spec

BY_ARN: Mapping[str, Device] = {device.arn: device for device in sdk_devices().values()}
MAX_READOUT_ERROR = 0.5


MAKERS = {
    "amazon": "Amazon Braket", "aqt": "AQT", "ionq": "IonQ", "iqm": "IQM", "rigetti": "Rigetti",
}  # fmt: skip
PRICES = {
    "garnet": 0.00145, "emerald": 0.0016, "forte-1": 0.08, "forte-enterprise-1": 0.08,
    "ibex-q1": 0.0235, "cepheus-1-108q": 0.000425, "sv1": 0.075, "dm1": 0.075,
}  # fmt: skip
"""US dollars a shot, or a minute of the simulators."""


@cache
def shipped(device: Device) -> Capabilities:
    """Return the shipped document of a device."""
    found = shipped_capabilities(device)
    assert found is not None
    return found


def native_gates(device: Device) -> Sequence[str]:
    """Return a machine's native gates as programs call them."""
    if device.provider == "iqm":
        return ["cz", "prx"]
    return [gate.lower() for gate in shipped(device).content["paradigm"]["nativeGateSet"]]


@cache
def target_of(device: Device) -> str:
    """Return the spec of the target that a device is simulated as."""
    return backend_from_spec(f"braket:{device.name}").default_target()


@cache
def couplers(device: Device) -> CouplingMap | None:
    """Return a machine's coupling map, None for a simulator."""
    return target_from_spec(target_of(device)).build_coupling_map() if device.real else None


def description(device: Device, growth: float = 1.0) -> dict[str, Any]:
    """Return what `GetDevice` says of a device.

    Args:
        device: which one.
        growth: what every calibrated error is multiplied by now.
    """
    return summary(device) | {"deviceCapabilities": json.dumps(_capabilities(device, growth))}


def summary(device: Device) -> dict[str, Any]:
    """Return what `SearchDevices` says of a device."""
    return {
        "deviceArn": device.arn,
        "deviceName": device.label if device.real else device.name.upper(),
        "providerName": MAKERS[device.provider],
        "deviceType": "QPU" if device.real else "SIMULATOR",
        "deviceStatus": "ONLINE",
    }


def _capabilities(device: Device, growth: float) -> dict[str, Any]:
    """Return the shipped document with a price, today's errors, and all that the SDK asks for."""
    found = _grown(deepcopy(shipped(device).content), growth)
    found["deviceParameters"] = {}
    found["service"] |= {
        "executionWindows": [
            {"executionDay": "Everyday", "windowStartHour": "00:00", "windowEndHour": "23:59:59"}
        ],
        "deviceCost": {
            "price": PRICES[device.name],
            "unit": "shot" if device.real else "minute",
        },
        "updatedAt": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    gates = native_gates(device) if device.real else ["cnot", "cz", "rx", "rz"]
    found["action"]["braket.ir.openqasm.program"]["supportedOperations"] = gates
    if not device.real:
        name = "braket.device_schema.simulators.gate_model_simulator_paradigm_properties"
        found["paradigm"] = {
            "braketSchemaHeader": _header(name),
            "qubitCount": SIMULATOR_QUBITS[device.name],
        }
    elif device.provider in ("iqm", "rigetti"):
        found["standardized"] = _standardized(device, growth)
    if device.provider == "iqm":
        coupled, graph = couplers(device), defaultdict[str, list[str]](list)
        assert coupled is not None
        for a, b in sorted(coupled.get_edges()):
            graph[str(a + 1)].append(str(b + 1))
        name = "braket.device_schema.gate_model_qpu_paradigm_properties"
        found["paradigm"] = {
            "braketSchemaHeader": _header(name),
            "qubitCount": coupled.size(),
            "nativeGateSet": gates,
            "connectivity": {"fullyConnected": False, "connectivityGraph": graph},
        }
    return found


def _grown(said: Any, growth: float) -> Any:
    """Return a document in which every infidelity is multiplied."""
    if isinstance(said, list):
        return [_grown(one, growth) for one in said]
    if not isinstance(said, dict):
        return said
    return {
        key: 1 - growth * (1 - one)
        if key in ("fidelity", "mean") and isinstance(one, float)
        else _grown(one, growth)
        for key, one in said.items()
    }


def _standardized(device: Device, growth: float) -> dict[str, Any]:
    """Return the calibration of a machine by qubits and couplers."""
    target, first = target_from_spec(target_of(device)), first_label(device.provider)
    on_one = "r" if device.provider == "iqm" else "sx"

    def fidelity(name: str, on: tuple[int, ...], most: float = 1.0) -> float:
        return 1 - min(most, growth * (target[name][on].error or 0.0))

    def of_type(name: str, value: float) -> dict[str, Any]:
        return {"fidelityType": {"name": name}, "fidelity": value}

    def qubit(place: int) -> dict[str, Any]:
        known = target.qubit_properties[place]
        return {
            **{
                name: {"value": time or 0.0, "unit": "S"}
                for name, time in (("T1", known.t1), ("T2", known.t2))
            },
            "oneQubitFidelity": [
                of_type("RANDOMIZED_BENCHMARKING", fidelity(on_one, (place,))),
                of_type("READOUT", fidelity("measure", (place,), MAX_READOUT_ERROR)),
            ],
        }

    benchmark = "INTERLEAVED_RANDOMIZED_BENCHMARKING"
    return {
        "braketSchemaHeader": _header(
            "braket.device_schema.standardized_gate_model_qpu_device_properties"
        ),
        "oneQubitProperties": {str(place + first): qubit(place) for (place,) in target["measure"]},
        "twoQubitProperties": {
            f"{a + first}-{b + first}": {
                "twoQubitGateFidelity": [
                    {"gateName": "CZ", **of_type(benchmark, fidelity("cz", (a, b)))}
                ]
            }
            for a, b in target["cz"]
            if a < b
        },
    }


def _header(name: str) -> dict[str, str]:
    return {"name": name, "version": "1"}
