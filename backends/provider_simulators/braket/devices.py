"""What a simulated Braket says of its devices."""

import json
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from typing import Any

from qiskit.transpiler import CouplingMap

from backends.braket.devices import DEVICES, SV1_QUBITS, Device
from backends.braket.program import FIRST_LABEL
from compiler.targets import target_from_spec

BY_ARN: Mapping[str, Device] = {device.arn: device for device in DEVICES.values()}
SHOTS = (1, 20_000)


@cache
def couplers(device: Device) -> CouplingMap | None:
    """Return a machine's coupling map, None for a simulator."""
    return target_from_spec(device.target).build_coupling_map() if device.real else None


def description(device: Device) -> dict[str, Any]:
    """Return what `GetDevice` says of a device."""
    summary = {
        "deviceArn": device.arn,
        "deviceName": device.name.capitalize() if device.real else device.name.upper(),
        "providerName": "IQM" if device.real else "Amazon Braket",
        "deviceType": "QPU" if device.real else "SIMULATOR",
        "deviceStatus": "ONLINE",
    }
    return summary | {"deviceCapabilities": json.dumps(_capabilities(device))}


def _capabilities(device: Device) -> dict[str, Any]:
    action = "braket.ir.openqasm.program"
    everyday = {
        "executionDay": "Everyday",
        "windowStartHour": "00:00",
        "windowEndHour": "23:59:59",
    }
    schema = (
        "braket.device_schema.iqm.iqm_device_capabilities"
        if device.real
        else "braket.device_schema.simulators.gate_model_simulator_device_capabilities"
    )
    return {
        "braketSchemaHeader": _header(schema),
        "service": {
            "braketSchemaHeader": _header("braket.device_schema.device_service_properties"),
            "executionWindows": [everyday],
            "shotsRange": SHOTS,
        },
        "action": {
            action: {
                "actionType": action,
                "version": ["1"],
                "supportedOperations": ["cz", "prx"] if device.real else ["cnot", "cz", "rx", "rz"],
                "supportPhysicalQubits": device.real,
            }
        },
        "deviceParameters": {},
        "paradigm": _paradigm(device),
    }


def _paradigm(device: Device) -> dict[str, Any]:
    coupled = couplers(device)
    if coupled is None:
        name = "braket.device_schema.simulators.gate_model_simulator_paradigm_properties"
        return {"braketSchemaHeader": _header(name), "qubitCount": SV1_QUBITS}
    graph: dict[str, list[str]] = defaultdict(list)
    for a, b in sorted(coupled.get_edges()):
        graph[str(a + FIRST_LABEL)].append(str(b + FIRST_LABEL))
    return {
        "braketSchemaHeader": _header("braket.device_schema.gate_model_qpu_paradigm_properties"),
        "qubitCount": coupled.size(),
        "nativeGateSet": ["cz", "prx"],
        "connectivity": {"fullyConnected": False, "connectivityGraph": graph},
    }


def _header(name: str) -> dict[str, str]:
    return {"name": name, "version": "1"}
