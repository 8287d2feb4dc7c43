"""Braket's files of devices, in the form that the SDK's own schemas take.

Those of Garnet, Emerald, Forte Enterprise and Rigetti's Cepheus that amazon-braket-examples has
were read, too; they are not here, since they are others'.
"""

import json
from copy import deepcopy
from pathlib import Path

import pytest
from braket.device_schema.aqt.aqt_device_capabilities_v1 import AqtDeviceCapabilities
from braket.device_schema.ionq.ionq_device_capabilities_v1 import IonqDeviceCapabilities
from braket.device_schema.iqm.iqm_device_capabilities_v1 import IqmDeviceCapabilities
from braket.device_schema.rigetti.rigetti_device_capabilities_v2 import (
    RigettiDeviceCapabilities,
)
from qiskit.transpiler import Target

from backends.braket.devices import sdk_devices
from backends.devices.device_format import SourceFile
from backends.devices.formats.braket import device_from_braket
from backends.devices.reading import read_device
from compiler.errors import TargetError
from compiler.targets import target_from_spec
from compiler.targets.device import known_device
from tests.servers.provider_simulators.braket.devices import description


def header(name, version="1"):
    return {"name": f"braket.device_schema.{name}", "version": version}


def capabilities(maker, graph, native, standardized, version, **more):
    """Return a device's capabilities, as the SDK's schema of its maker has them."""
    action = "braket.ir.openqasm.program"
    window = {"executionDay": "Everyday", "windowStartHour": "00:00", "windowEndHour": "23:59:59"}
    return {
        "braketSchemaHeader": header(f"{maker}.{maker}_device_capabilities", version),
        "service": {
            "braketSchemaHeader": header("device_service_properties"),
            "executionWindows": [window], "shotsRange": [1, 1000],
        },
        "action": {action: {"actionType": action, "version": ["1"], "supportedOperations": []}},
        "deviceParameters": {},
        "paradigm": {
            "braketSchemaHeader": header("gate_model_qpu_paradigm_properties"),
            "connectivity": {"fullyConnected": not graph, "connectivityGraph": graph},
            "qubitCount": len({one for pair in graph.items() for one in (pair[0], *pair[1])}) or 3,
            "nativeGateSet": native,
        },
        "standardized": standardized, **more,
    }  # fmt: skip


def of_kind(name, fidelity):
    return {"fidelityType": {"name": name}, "fidelity": fidelity}


def qubit(one, zero, *benchmarks):
    time = {"value": 3e-5, "unit": "S"}, {"value": 20, "unit": "us"}
    return {
        "T1": time[0], "T2": time[1],
        "oneQubitFidelity": [
            *benchmarks, of_kind("READOUT_ERROR_0_TO_1", one),
            of_kind("READOUT_ERROR_1_TO_0", zero), of_kind("READOUT", 1 - (one + zero) / 2),
        ],
    }  # fmt: skip


def pair(gate, fidelity):
    kind = of_kind("INTERLEAVED_RANDOMIZED_BENCHMARKING", fidelity)
    return {"twoQubitGateFidelity": [
        {"gateName": "Two_Qubit_Clifford", **kind, "fidelity": 0.5}, {"gateName": gate, **kind}
    ]}  # fmt: skip


SIMULTANEOUS = of_kind("SIMULTANEOUS_RANDOMIZED_BENCHMARKING", 0.75)
ALONE = of_kind("RANDOMIZED_BENCHMARKING", 0.875)

SQUARE = capabilities(
    "rigetti", {"4": ["5", "6"], "5": ["8"], "6": ["8"], "8": ["9"]}, ["rx", "rz", "iswap"],
    {
        "braketSchemaHeader": header("standardized_gate_model_qpu_device_properties"),
        "oneQubitProperties": {
            "4": qubit(0.25, 0.5, SIMULTANEOUS, ALONE), "5": qubit(0.125, 0.125, SIMULTANEOUS),
            "6": qubit(0, 0), "8": qubit(0, 0), "9": qubit(0, 0),
        },
        "twoQubitProperties": {
            "4-5": pair("ISWAP", 0.75), "4-6": pair("ISWAP", 0.875), "8-6": pair("ISWAP", 0.5),
            "8-9": pair("ISWAP", 0.0),
        },
    }, "2",
)  # fmt: skip
"""Rigetti's, whose labels start at 4 and lack 7; 5-8 was not calibrated, and 8-9 is broken."""


def of_all(name, value):
    return {name: [of_kind("RANDOMIZED_BENCHMARKING", value) | {"unit": "fraction"}]}


IONS = capabilities(
    "ionq", {}, ["GPI", "GPI2", "ZZ"],
    {
        "braketSchemaHeader": header("standardized_gate_model_qpu_device_properties", "3"),
        "T1": {"value": 188.0, "unit": "s"}, "T2": {"value": 950, "unit": "ms"},
        "readoutDuration": {"value": 250, "unit": "us"},
        "singleQubitGateDuration": {"value": 6.3e-5, "unit": "s"},
        "twoQubitGateDuration": {"value": 6.5e-4, "unit": "s"},
        **of_all("readoutFidelity", 0.75), **of_all("twoQubitGateFidelity", 0.875),
    }, "1",
    provider={
        "braketSchemaHeader": header("ionq.ionq_provider_properties"),
        "fidelity": {"1Q": {"mean": 0.9375}, "2Q": {"mean": 0.5}, "spam": {"mean": 0.5}},
        "timing": dict.fromkeys(("T1", "T2", "1Q", "2Q", "readout", "reset"), 1.0),
    },
)  # fmt: skip
"""IonQ's, which tells one value for all qubits, and none for gates on one."""


def said_of(device):
    return json.loads(description(sdk_devices()[device])["deviceCapabilities"])


@pytest.fixture
def read(tmp_path):
    """Return a function that writes a document and reads it as a target."""

    def reading(said, name="my-device") -> tuple[str, Target]:
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(said))
        spec = read_device(path)
        return spec, target_from_spec(spec)

    return reading


def errors(target, gate):
    return {at: known.error for at, known in target[gate].items()}


@pytest.mark.parametrize(
    ("schema", "said"),
    [
        (RigettiDeviceCapabilities, SQUARE),
        (IonqDeviceCapabilities, IONS),
        (IqmDeviceCapabilities, said_of("garnet")),
        (AqtDeviceCapabilities, said_of("ibex-q1")),
    ],
)
def test_the_documents_here_are_in_the_sdks_form(schema, said):
    schema.parse_obj(said)


@pytest.mark.parametrize("device", ["garnet", "emerald"])
def test_what_get_device_prints_is_the_shipped_target(read, device):
    spec, ours = read(description(sdk_devices()[device]))
    shipped = target_from_spec(f"iqm:{device}")
    assert spec.startswith(f"device:{device.capitalize()}:")
    assert ours.num_qubits == shipped.num_qubits
    for gate in ("r", "cz", "measure"):
        assert errors(ours, gate) == pytest.approx(errors(shipped, gate))
    for mine, theirs in zip(ours.qubit_properties, shipped.qubit_properties, strict=True):
        assert (mine.t1, mine.t2) == pytest.approx((theirs.t1, theirs.t2))


def test_qubits_have_their_labels_for_numbers_and_what_is_broken_is_left_out(read):
    spec, target = read(SQUARE)
    assert spec.startswith("device:my-device:")
    assert target.num_qubits == 10
    assert errors(target, "iswap") == {
        (4, 5): 0.25, (5, 4): 0.25, (4, 6): 0.125, (6, 4): 0.125, (6, 8): 0.5, (8, 6): 0.5,
    }  # fmt: skip
    assert set(target["measure"]) == {(q,) for q in (4, 5, 6, 8, 9)}
    known = known_device(spec).qubits
    assert (known[4].t1_us, known[4].t2_us) == pytest.approx((30, 20))
    assert known[7].t1_us is None


def test_one_value_for_all_qubits_is_that_of_each(read):
    spec, target = read(IONS)
    assert errors(target, "r") == dict.fromkeys([(0,), (1,), (2,)], 0.0625)
    pairs = [(a, b) for a in range(3) for b in range(3) if a != b]
    assert errors(target, "rzz") == dict.fromkeys(pairs, 0.125)
    assert errors(target, "measure") == dict.fromkeys([(0,), (1,), (2,)], 0.25)
    lasting = [target[gate][at].duration for gate, at in
               (("r", (0,)), ("rzz", (0, 1)), ("measure", (0,)))]  # fmt: skip
    assert lasting == pytest.approx([6.3e-5, 6.5e-4, 2.5e-4])
    known = known_device(spec).qubits[0]
    assert (known.t1_us, known.t2_us) == pytest.approx((1.88e8, 9.5e5))


def test_without_a_calibration_all_coupled_pairs_have_their_gate(read):
    _, target = read(SQUARE | {"standardized": None})
    assert len(errors(target, "iswap")) == 10
    assert set(errors(target, "iswap").values()) == {None}


def changed(said, path, value):
    """Return a document with another value at a path."""
    found = deepcopy(said)
    *before, last = path
    inner = found
    for part in before:
        inner = inner[part]
    inner[last] = value
    return found


GRAPH = ("paradigm", "connectivity", "connectivityGraph")
FIRST = ("standardized", "oneQubitProperties", "4")
PAIRS = ("standardized", "twoQubitProperties")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("paradigm", "nativeGateSet"), ["rx", "ecr"], "no native gate on two qubits that is"),
        ((*GRAPH, "4"), ["COMPR1"], "qubit 'COMPR1' has no number: describe the device in TOML"),
        ((*GRAPH, "4"), ["99999"], "6 qubits are not 2 to 2000"),
        ((*FIRST, "oneQubitFidelity", 0, "fidelity"), 1.5, "fidelity is 1.5, and must be 0 to"),
        ((*FIRST, "T1", "unit"), "fortnight", "T1: unknown unit 'fortnight'; known: ns, us"),
        ((*FIRST, "T1", "value"), 10**400, "T1 must be a number from 0 on"),
    ],
)  # fmt: skip
def test_a_mistake_is_told_with_its_file_and_line(read, tmp_path, path, value, message):
    with pytest.raises(TargetError) as error:
        read(changed(SQUARE, path, value))
    assert str(error.value).startswith(f"{tmp_path / 'my-device.json'}, line 1: {message}")


def places(said, path=()):
    """Yield the path of everything in a document."""
    steps = said.items() if isinstance(said, dict) else enumerate(said)
    for key, value in steps:
        yield (*path, key)
        if isinstance(value, dict | list):
            yield from places(value, (*path, key))


@pytest.mark.parametrize("said", [SQUARE, IONS], ids=["rigetti", "ionq"])
@pytest.mark.parametrize("value", [None, -1, "x", {"": None}])
def test_whatever_stands_anywhere_is_read_or_refused_in_one_line(said, value):
    refused = 0
    for place in places(said):
        try:
            file = SourceFile(Path("my-device.json"), "", changed(said, place, value))
            device_from_braket(file, "my-device").target()
        except TargetError as error:
            refused += 1
            assert "\n" not in str(error)
    assert refused > 0
