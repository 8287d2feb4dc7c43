"""What a simulated Braket says of its devices."""

import json
from collections import defaultdict
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from typing import Any

from qiskit.transpiler import CouplingMap

from backends.braket.devices import DEVICES, SV1_QUBITS, Device
from backends.braket.program import FIRST_LABEL
from compiler.targets import target_from_spec

BY_ARN: Mapping[str, Device] = {device.arn: device for device in DEVICES.values()}
SHOTS = (1, 20_000)
MOST_READOUT_ERROR = 0.5


@cache
def couplers(device: Device) -> CouplingMap | None:
    """Return a machine's coupling map, None for a simulator."""
    return target_from_spec(device.target).build_coupling_map() if device.real else None


def description(device: Device, growth: float = 1.0) -> dict[str, Any]:
    """Return what `GetDevice` says of a device.

    Args:
        device: which one.
        growth: what every calibrated error is multiplied by now.
    """
    summary = {
        "deviceArn": device.arn,
        "deviceName": device.name.capitalize() if device.real else device.name.upper(),
        "providerName": "IQM" if device.real else "Amazon Braket",
        "deviceType": "QPU" if device.real else "SIMULATOR",
        "deviceStatus": "ONLINE",
    }
    return summary | {"deviceCapabilities": json.dumps(_capabilities(device, growth))}


def _capabilities(device: Device, growth: float) -> dict[str, Any]:
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
            "updatedAt": datetime.now(UTC).isoformat(timespec="seconds"),
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
        **({"standardized": _standardized(device, growth)} if device.real else {}),
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


def _standardized(device: Device, growth: float) -> dict[str, Any]:
    """Return the calibration of a machine, as IQM's has it at Braket."""
    target = target_from_spec(device.target)

    def fidelity(name: str, on: tuple[int, ...], most: float) -> float:
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
                of_type("RANDOMIZED_BENCHMARKING", fidelity("r", (place,), 1.0)),
                of_type("READOUT", fidelity("measure", (place,), MOST_READOUT_ERROR)),
            ],
        }

    couplers = [pair for pair in target["cz"] if pair[0] < pair[1]]
    benchmark = "INTERLEAVED_RANDOMIZED_BENCHMARKING"
    return {
        "braketSchemaHeader": _header(
            "braket.device_schema.standardized_gate_model_qpu_device_properties"
        ),
        "oneQubitProperties": {
            str(place + FIRST_LABEL): qubit(place) for place in range(target.num_qubits)
        },
        "twoQubitProperties": {
            f"{a + FIRST_LABEL}-{b + FIRST_LABEL}": {
                "twoQubitGateFidelity": [
                    {"gateName": "CZ", **of_type(benchmark, fidelity("cz", (a, b), 1.0))}
                ]
            }
            for a, b in couplers
        },
    }


def _header(name: str) -> dict[str, str]:
    return {"name": name, "version": "1"}
