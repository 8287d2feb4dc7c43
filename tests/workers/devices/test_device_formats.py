"""A further format of device files is one function with one decorator."""

import json

import pytest

from compiler.errors import TargetError
from compiler.targets import target_from_spec
from compiler.targets.device import Device, Placed, QubitCalibration
from workers.devices.device_format import DEVICE_FORMATS, device_format
from workers.devices.misfit import MisfitError
from workers.devices.reading import read_device


@pytest.fixture
def chain_format():
    @device_format("chain", lambda content: "chain" in content)
    def device_from_chain(file, name):
        errors = file.content["chain"]
        for place, error in enumerate(errors):
            if not 0 <= error < 1:
                raise MisfitError(("chain", place), f"invalid error of a gate: {error}")
        pairs = tuple(Placed((n, n + 1), error) for n, error in enumerate(errors))
        qubits = tuple(QubitCalibration() for _ in range(len(errors) + 1))
        turns = tuple(Placed((n,)) for n in range(len(qubits)))
        return Device(name, qubits, {"cz": pairs, "rx": turns, "rz": turns})

    yield
    DEVICE_FORMATS.unregister("chain")


@pytest.mark.usefixtures("chain_format")
def test_a_registered_format_is_read(tmp_path):
    file = tmp_path / "three.json"
    file.write_text(json.dumps({"chain": [0.01, 0.02]}))
    target = target_from_spec(read_device(file))
    assert target.num_qubits == 3
    assert {pair: target["cz"][pair].error for pair in target["cz"]} == {(0, 1): 0.01, (1, 2): 0.02}


@pytest.mark.usefixtures("chain_format")
def test_its_misfits_name_the_line(tmp_path):
    file = tmp_path / "three.json"
    file.write_text('{"chain": [\n0.01,\n7]}')
    with pytest.raises(TargetError, match=r"three\.json, line 3: .*7"):
        read_device(file)


def test_the_provided_formats_are_found():
    assert set(DEVICE_FORMATS) >= {"braket", "ibm"}
