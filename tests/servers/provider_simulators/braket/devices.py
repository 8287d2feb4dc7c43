"""What a simulated Braket says of its devices."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

from attrs import frozen
from qiskit.transpiler import CouplingMap

from backends.braket.devices import SIMULATOR_QUBITS, Device, sdk_devices
from backends.devices.device_format import SourceFile
from backends.devices.formats.braket import device_from_braket, first_label
from compiler.targets import target_from_spec
from compiler.targets.device import make_known

BY_ARN: Mapping[str, Device] = {device.arn: device for device in sdk_devices().values()}
MOST_READOUT_ERROR = 0.5


@frozen
class Facts:
    """What a device is simulated with.

    Args:
        maker: as Braket names it.
        shots: the fewest and the most of a task.
        native: gates, as the capabilities name them.
        price: and its unit, in US dollars.
        qubits: how many.
        edges: pairs of qubits that are coupled; None if all are.
        errors: of any gate on one qubit, any on two, and any readout; those of IQM's devices are
            the shipped ones.
        program_set: the most programs and shots of a program set; None if it takes none.
    """

    maker: str
    shots: tuple[int, int]
    native: Sequence[str]
    price: tuple[float, str]
    qubits: int = 0
    edges: Sequence[tuple[int, int]] | None = None
    errors: tuple[float, float, float] = (0.0, 0.0, 0.0)
    program_set: tuple[int, int] | None = None


BATCH = (100, 200_000)
IQM = "IQM", (1, 20_000), ("cz", "prx")
IONQ = "IonQ", (100, 5_000), ("GPI", "GPI2", "ZZ"), (0.08, "shot"), 36, None
AMAZON = "Amazon Braket", (1, 100_000), (), (0.075, "minute")

FACTS: Mapping[str, Facts] = {
    "garnet": Facts(*IQM, (0.00145, "shot"), program_set=BATCH),
    "emerald": Facts(*IQM, (0.00160, "shot"), program_set=BATCH),
    "forte-1": Facts(*IONQ, (2e-4, 6e-3, 5e-3), BATCH),
    "forte-enterprise-1": Facts(*IONQ, (1e-4, 7.5e-3, 4.5e-3), BATCH),
    "ibex-q1": Facts(
        "AQT", (1, 2_000), ("prx", "xx", "rz"), (0.0235, "shot"), 12, None, (3e-4, 1.1e-2, 2.6e-3),
        BATCH,
    ),
    "cepheus-1-108q": Facts(
        "Rigetti", (10, 50_000), ("rx", "rz", "cz"), (0.000425, "shot"), 108,
        [edge for edge in CouplingMap.from_grid(12, 9, bidirectional=False) if 8 not in edge],
        (1e-3, 9e-3, 4e-2), BATCH,
    ),
    "sv1": Facts(*AMAZON),
    "dm1": Facts(*AMAZON),
}  # fmt: skip
"""Qubits, shots, prices, native gates and limits of sets by the devices' public capabilities; the
errors of devices without a shipped calibration are the same everywhere, near published means."""


@cache
def target_of(device: Device) -> str:
    """Return the spec of the target that a device is simulated as."""
    if device.snapshot is not None:
        return device.snapshot
    source = SourceFile(Path(), "", description(device))
    return make_known(device_from_braket(source, device.label))


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
        "providerName": FACTS[device.name].maker,
        "deviceType": "QPU" if device.real else "SIMULATOR",
        "deviceStatus": "ONLINE",
    }


def _capabilities(device: Device, growth: float) -> dict[str, Any]:
    facts = FACTS[device.name]
    everyday = {
        "executionDay": "Everyday",
        "windowStartHour": "00:00",
        "windowEndHour": "23:59:59",
    }
    schema = (
        f"braket.device_schema.{device.provider}.{device.provider}_device_capabilities"
        if device.real
        else "braket.device_schema.simulators.gate_model_simulator_device_capabilities"
    )
    price, unit = facts.price
    of_maker = OF_MAKER.get(device.provider)
    return {
        "braketSchemaHeader": _header(schema, "2" if device.provider == "rigetti" else "1"),
        "service": {
            "braketSchemaHeader": _header("braket.device_schema.device_service_properties"),
            "executionWindows": [everyday],
            "shotsRange": facts.shots,
            "deviceCost": {"price": price, "unit": unit},
            "updatedAt": datetime.now(UTC).isoformat(timespec="seconds"),
        },
        "action": _actions(device, facts),
        "deviceParameters": {},
        "paradigm": _paradigm(device),
        **({"standardized": _standardized(device, growth)} if device.real else {}),
        **({"provider": of_maker(facts, growth)} if of_maker else {}),
    }


def _actions(device: Device, facts: Facts) -> dict[str, Any]:
    program, together = "braket.ir.openqasm.program", "braket.ir.openqasm.program_set"
    gates = facts.native if device.real else ["cnot", "cz", "rx", "rz"]
    actions: dict[str, Any] = {
        program: {
            "actionType": program,
            "version": ["1"],
            "supportedOperations": [gate.lower() for gate in gates],
            "supportPhysicalQubits": device.real,
            "supportedPragmas": ["verbatim"] if device.real else [],
        }
    }
    if facts.program_set is not None:
        executables, shots = facts.program_set
        actions[together] = {
            "actionType": together,
            "version": ["1"],
            "maximumExecutables": executables,
            "maximumTotalShots": shots,
        }
    return actions


def _paradigm(device: Device) -> dict[str, Any]:
    facts = FACTS[device.name]
    if not device.real:
        name = "braket.device_schema.simulators.gate_model_simulator_paradigm_properties"
        return {
            "braketSchemaHeader": _header(name),
            "qubitCount": SIMULATOR_QUBITS[device.name],
        }
    first, graph = first_label(device.provider), defaultdict[str, list[str]](list)
    for a, b in _edges(device):
        graph[str(a + first)].append(str(b + first))
    return {
        "braketSchemaHeader": _header("braket.device_schema.gate_model_qpu_paradigm_properties"),
        "qubitCount": len(_qubits(device)),
        "nativeGateSet": facts.native,
        "connectivity": {
            "fullyConnected": device.provider in ("ionq", "aqt"),
            "connectivityGraph": graph,
        },
    }


def _edges(device: Device) -> Sequence[tuple[int, int]]:
    facts = FACTS[device.name]
    if device.snapshot is not None:
        coupled = couplers(device)
        return [] if coupled is None else sorted(coupled.get_edges())
    return list(combinations(range(facts.qubits), 2)) if facts.edges is None else facts.edges


def _qubits(device: Device) -> Sequence[int]:
    if device.snapshot is not None:
        return range(target_from_spec(device.snapshot).num_qubits)
    return sorted({qubit for edge in _edges(device) for qubit in edge})


def _error(device: Device, name: str, on: tuple[int, ...]) -> float:
    if device.snapshot is None:
        one, two, readout = FACTS[device.name].errors
        return readout if name == "measure" else one if len(on) == 1 else two
    properties = target_from_spec(device.snapshot)[{"prx": "r"}.get(name, name)][on]
    return properties.error or 0.0


def _standardized(device: Device, growth: float) -> dict[str, Any]:
    """Return the calibration of a machine, as Braket standardizes it."""
    first, (*_, on_two) = (
        first_label(device.provider),
        sorted(FACTS[device.name].native, key=lambda gate: gate.lower() in ("cz", "xx", "zz")),
    )

    def fidelity(name: str, on: tuple[int, ...], most: float = 1.0) -> float:
        return 1 - min(most, growth * _error(device, name, on))

    def of_type(name: str, value: float) -> dict[str, Any]:
        return {"fidelityType": {"name": name}, "fidelity": value}

    def times(place: int) -> dict[str, float]:
        if device.snapshot is None:
            return {"T1": 3e-5, "T2": 2e-5}
        known = target_from_spec(device.snapshot).qubit_properties[place]
        return {"T1": known.t1 or 0.0, "T2": known.t2 or 0.0}

    def qubit(place: int) -> dict[str, Any]:
        return {
            **{name: {"value": time, "unit": "S"} for name, time in times(place).items()},
            "oneQubitFidelity": [
                of_type("RANDOMIZED_BENCHMARKING", fidelity("prx", (place,))),
                of_type("READOUT", fidelity("measure", (place,), MOST_READOUT_ERROR)),
            ],
        }

    name = "braket.device_schema.standardized_gate_model_qpu_device_properties"
    if device.provider in OF_MAKER:
        whole = {
            "readoutFidelity": ("measure", (0,)), "twoQubitGateFidelity": (on_two, (0, 1)),
            "singleQubitFidelity": ("prx", (0,)),
        }  # fmt: skip
        return {
            "braketSchemaHeader": _header(name, "3"),
            "T1": {"value": 188.0, "unit": "s"},
            "T2": {"value": 0.95, "unit": "s"},
            **{
                key: [of_type("RANDOMIZED_BENCHMARKING", fidelity(*use)) | {"unit": "fraction"}]
                for key, use in whole.items()
            },
        }
    benchmark = "INTERLEAVED_RANDOMIZED_BENCHMARKING"
    return {
        "braketSchemaHeader": _header(name),
        "oneQubitProperties": {str(place + first): qubit(place) for place in _qubits(device)},
        "twoQubitProperties": {
            f"{a + first}-{b + first}": {
                "twoQubitGateFidelity": [
                    {
                        "gateName": on_two.upper(),
                        **of_type(benchmark, fidelity(on_two, (a, b))),
                    }
                ]
            }
            for a, b in _edges(device)
            if a < b
        },
    }


def _of_ionq(facts: Facts, growth: float) -> dict[str, Any]:
    one, two, readout = (1 - growth * error for error in facts.errors)
    return {
        "braketSchemaHeader": _header("braket.device_schema.ionq.ionq_provider_properties"),
        "fidelity": {"1Q": {"mean": one}, "2Q": {"mean": two}, "spam": {"mean": readout}},
        "timing": {
            "T1": 188.0, "T2": 0.95, "1Q": 6.3e-5, "2Q": 6.5e-4, "readout": 2.5e-4, "reset": 1.5e-4
        },
    }  # fmt: skip


def _of_aqt(facts: Facts, growth: float) -> dict[str, Any]:
    one, two, readout = (100 * (1 - growth * error) for error in facts.errors)
    known = {"value": one, "uncertainty": 0.0}
    return {
        "braketSchemaHeader": _header("braket.device_schema.aqt.aqt_provider_properties"),
        "properties": {
            "single_qubit_gate_fidelity": {str(qubit): known for qubit in range(facts.qubits)},
            "mean_two_qubit_gate_fidelity": {"value": two, "uncertainty": 0.0},
            "spam_fidelity_lower_bound": readout,
            "t1_s": {"value": 1.2, "uncertainty": 0.0},
            "t2_coherence_time_s": {"value": 0.5, "uncertainty": 0.0},
            "readout_time_micros": 1500,
            "single_qubit_gate_duration_micros": 22,
            "two_qubit_gate_duration_micros": 660,
            "updated_at": datetime.now(UTC).isoformat(timespec="seconds"),
        },
    }


OF_MAKER = {"ionq": _of_ionq, "aqt": _of_aqt}
"""What some makers' documents have besides; these tell one value for all qubits."""


def _header(name: str, version: str = "1") -> dict[str, str]:
    return {"name": name, "version": version}
