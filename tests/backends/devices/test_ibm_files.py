"""IBM's files of devices, against what Qiskit reads of them."""

import json
from pathlib import Path

import pytest
import qiskit_ibm_runtime
from qiskit_ibm_runtime import fake_provider

from backends.devices.reading import read_device
from compiler.errors import TargetError
from compiler.targets import target_from_spec
from compiler.targets.device import known_device
from compiler.targets.ibm_devices import snapshot_spec
from compiler.targets.readout import readout_errors

FOLDER = Path(qiskit_ibm_runtime.__file__).parent / "fake_provider/backends"


@pytest.mark.parametrize(("device", "file"), [("torino", "conf"), ("miami", "props")])
def test_the_same_as_the_shipped_target(device, file):
    spec = read_device(FOLDER / device / f"{file}_{device}.json")
    ours, shipped = target_from_spec(spec), target_from_spec(snapshot_spec(device))
    assert ours.num_qubits == shipped.num_qubits
    assert ours.dt == pytest.approx(shipped.dt)
    for name in ("cz", "sx", "x", "rz", "measure"):
        assert set(ours[name]) == set(shipped[name])
        for at, known in shipped[name].items():
            assert ours[name][at].error == known.error
            assert ours[name][at].duration == pytest.approx(known.duration)
    for mine, theirs in zip(ours.qubit_properties, shipped.qubit_properties, strict=True):
        longest = min(theirs.t2, 2 * theirs.t1)
        assert (mine.t1, mine.t2) == pytest.approx((theirs.t1, longest))
    assert readout_errors(spec) == readout_errors(snapshot_spec(device))


def test_gates_in_one_direction():
    target = target_from_spec(read_device(FOLDER / "brisbane/conf_brisbane.json"))
    shipped = fake_provider.FakeBrisbane().target
    live = {edge for edge, known in shipped["ecr"].items() if known.error < 1}
    assert set(target["ecr"]) == live
    assert not any((b, a) in live for a, b in live)


def test_properties_alone(tmp_path):
    path = tmp_path / "props_manila.json"
    path.write_bytes((FOLDER / "manila/props_manila.json").read_bytes())
    target = target_from_spec(read_device(path))
    shipped = fake_provider.FakeManilaV2().target
    assert {e: p.error for e, p in target["cx"].items()} == {
        e: p.error for e, p in shipped["cx"].items()
    }


def with_value(folder, name, value):
    """Return a copy of Manila's calibration in which the first value of a name is another."""
    properties = json.loads((FOLDER / "manila/props_manila.json").read_text())
    values = [*properties["qubits"], *(gate["parameters"] for gate in properties["gates"])]
    first = next(one for each in values for one in each if one["name"] == name)
    first["value"] = value
    if value == "missing":
        del first["value"]
    path = folder / "props_manila.json"
    path.write_text(json.dumps(properties))
    return path


VALUES = ("T1", "T2", "readout_error", "readout_length", "gate_error", "gate_length")


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("value", [float("nan"), "missing"])
def test_values_that_could_not_be_measured_are_unknown(tmp_path, name, value):
    device = known_device(read_device(with_value(tmp_path, name, value)))
    (first, *_), (read, *_), (gate, *_) = device.qubits, device.gates["measure"], device.gates["id"]
    values = (first.t1_us, first.t2_us, read.error, read.duration_ns, gate.error, gate.duration_ns)
    assert [one is None for one in values] == [each == name for each in VALUES]


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("value", [float("inf"), "much"])
def test_impossible_values_are_refused_in_one_line(tmp_path, name, value):
    with pytest.raises(TargetError, match=rf"props_manila.json, line 1: {name}") as error:
        read_device(with_value(tmp_path, name, value))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("file", "path", "value"),
    [
        ("conf", ("dt",), "much"),
        ("conf", ("gates",), 1.5),
        ("conf", ("gates", 0, "coupling_map"), True),
        ("conf", ("n_qubits",), [5] * 99),
        ("conf", ("gates", 4, "coupling_map"), [[0, 5]]),
        ("props", ("gates",), 1.5),
        ("props", ("qubits", 0, 0, "unit"), "u" * 99),
    ],
)
def test_another_form_is_refused_in_one_line(tmp_path, file, path, value):
    for each in ("conf", "props"):
        document = json.loads((FOLDER / f"manila/{each}_manila.json").read_text())
        if each == file:
            place = document
            for key in path[:-1]:
                place = place[key]
            place[path[-1]] = value
        (tmp_path / f"{each}_manila.json").write_text(json.dumps(document))
    with pytest.raises(TargetError, match=rf"{file}_manila.json, line \d+: .{{9,120}}$"):
        read_device(tmp_path / "conf_manila.json")


def test_a_configuration_alone_knows_no_errors(tmp_path):
    path = tmp_path / "conf_manila.json"
    path.write_bytes((FOLDER / "manila/conf_manila.json").read_bytes())
    target = target_from_spec(read_device(path))
    assert set(target["cx"]) == set(fake_provider.FakeManilaV2().target["cx"])
    assert {known.error for known in target["cx"].values()} == {None}
