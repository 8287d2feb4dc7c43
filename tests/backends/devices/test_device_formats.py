"""A further format of device files is one function with one decorator."""

import json
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest

from backends import BackendError, backend_from_spec
from backends.devices.device_format import DEVICE_FORMATS, device_format
from backends.devices.misfit import MisfitError
from backends.devices.reading import live_target, read_device
from backends.ibm import capabilities
from compiler.errors import InputError
from compiler.targets import target_from_spec
from compiler.targets.device import Device, Placed, QubitCalibration, known_device
from tests.backends.ibm.conftest import ibm, ibm_server  # noqa: F401
from tests.backends.ibm.simulated import ACCOUNT_FILE
from tests.servers.provider_simulators.ibm import devices

DAY = timedelta(days=1, minutes=1)


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


def test_a_live_target_is_the_snapshot_with_errors_of_now(ibm, monkeypatch):  # noqa: F811
    monkeypatch.setattr(ibm._devices, "_growth", lambda: 1.5)
    spec = live_target("ibm:boston")
    machine = backend_from_spec("ibm:boston")
    assert machine.accepts(spec)
    assert not backend_from_spec("ibm:kingston").accepts(spec)
    now, shipped = target_from_spec(spec), target_from_spec("heavy-hex:boston")
    assert set(now["cz"]) == set(shipped["cz"])
    for pair, known in shipped["cz"].items():
        assert now["cz"][pair].error == pytest.approx(min(1, 1.5 * known.error))
    assert datetime.now(UTC) - datetime.fromisoformat(known_device(spec).calibrated_at) < DAY


@pytest.fixture
def newcomer(ibm, monkeypatch):  # noqa: F811
    """Let the account have a device of which no snapshot is shipped."""
    file = devices._file

    def renamed(device, which):
        content = json.loads(file("miami" if device == "phoenix" else device, which))
        return json.dumps(content | {"backend_name": f"ibm_{device}"}).encode()

    monkeypatch.setitem(devices.NAMES, "ibm_phoenix", "phoenix")
    monkeypatch.setattr(devices, "_file", renamed)
    capabilities.configuration_of.cache_clear()


@pytest.mark.usefixtures("newcomer")
def test_a_device_without_a_snapshot():
    machine = backend_from_spec("ibm:phoenix")
    with pytest.raises(InputError, match="--calibration live"):
        machine.default_target()
    spec = live_target("ibm:phoenix")
    assert machine.accepts(spec)
    assert set(target_from_spec(spec)["cz"]) == set(target_from_spec("square:miami")["cz"])
    assert capabilities.rep_delay_seconds("phoenix") == Decimal("0.004")
    assert machine.supports() == frozenset()


@pytest.mark.usefixtures("ibm")
@pytest.mark.parametrize(
    ("name", "message"),
    [("nowhere", r"nowhere.*boston.*miami"), ("bosten", r"mean 'ibm:boston'.*miami")],
)
@pytest.mark.parametrize(
    "use", [live_target, lambda spec: backend_from_spec(spec).default_target()]
)
def test_a_device_that_the_account_does_not_have(use, name, message):
    with pytest.raises((InputError, BackendError), match=message):
        use(f"ibm:{name}")


def test_simulators_have_no_calibration_of_now():
    with pytest.raises(InputError, match="aer:boston"):
        live_target("aer:boston")


def test_without_an_account_the_shipped_devices_are_named(monkeypatch, tmp_path):
    for name in ("QISKIT_IBM_TOKEN", "STICHWERK_IBM_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(ACCOUNT_FILE, str(tmp_path / "none.json"))
    with pytest.raises(InputError, match=r"nowhere.*boston"):
        backend_from_spec("ibm:nowhere").default_target()
