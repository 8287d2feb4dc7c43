"""Every gate device of the SDK: targets, prices, limits and jobs by its capabilities."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from qiskit import QuantumCircuit

from backends import (
    BackendError,
    CircuitJob,
    JobState,
    PriceError,
    backend_from_spec,
    check_shots_on,
    target_on,
)
from backends.backend import NO_ACCOUNT
from backends.braket.capabilities import read_capabilities
from backends.braket.devices import list_account, sdk_devices
from backends.devices.reading import live_target
from compiler.compilation import Options, compile
from compiler.errors import InputError
from compiler.program import Program
from compiler.targets import target_from_spec
from tests.backends.braket.simulated import KEY, counted, fail, wait
from tests.servers.provider_simulators.braket import devices
from tests.servers.provider_simulators.faults import Fault
from workers.stages.scoring import Executed, compare_programs

LIKE_OTHERS = ("emerald", "forte-enterprise-1")
MACHINES = [
    pytest.param(name, marks=[pytest.mark.full] if name in LIKE_OTHERS else [])
    for name, device in sdk_devices().items()
    if device.real
]


def compiled_job(name: str, shots: int = 400) -> CircuitJob:
    """Return a GHZ state and a coin, compiled for a device."""
    circuit = QuantumCircuit(4, 4)
    circuit.h(0)
    circuit.cx(0, [1, 2])
    circuit.ry(1.1, 3)
    circuit.measure(range(4), range(4))
    target = target_on(f"braket:{name}")
    compiled = compile(Program.of_circuit(circuit), target, Options("fast"))
    assert compiled.verified == "exact"
    return CircuitJob(compiled.circuit, target, shots, seed=1)


def executed(backend, task, asked):
    program = backend.executed_program(task, backend.raw_result(task))
    if program is None:
        return None
    return compare_programs(asked.circuit, backend.executed_circuit(program, asked, ""))[0]


@pytest.mark.parametrize("name", MACHINES)
def test_a_circuit_is_compiled_run_and_compared_on_each_machine(server, name):
    asked = compiled_job(name)
    backend = backend_from_spec(f"braket:{name}")
    assert backend.accepts(asked.target)
    task = backend.submit({KEY: asked}, KEY)
    assert wait(backend, task).state is JobState.DONE
    counts = counted(backend, task, asked)
    assert sum(counts.values()) == 400
    assert set(counts) == {0b0000, 0b0111, 0b1000, 0b1111}
    assert min(counts.values()) > 20
    same = None if "forte" in name else Executed.IDENTICAL
    if name in ("cepheus-1-108q", "ibex-q1"):
        same = Executed.EQUIVALENT  # SX is sent as RX, and angles are folded.
    assert executed(backend, task, asked) == same
    assert not backend.is_recompiled(backend.raw_result(task))


@pytest.mark.parametrize("name", ["garnet", "ibex-q1"])
def test_a_program_that_lost_its_gates_is_noticed(server, name):
    asked = compiled_job(name)
    backend = backend_from_spec(f"braket:{name}")
    fail(server, Fault.OTHER_PROGRAM, "submit")
    task = backend.submit({KEY: asked}, KEY)
    wait(backend, task)
    assert counted(backend, task, asked) == {0: 400}
    assert executed(backend, task, asked) is Executed.DIFFERENT


def test_without_verbatim_boxes_the_provider_compiles(server, monkeypatch):
    capabilities = devices._capabilities

    def without(device, growth):
        found = capabilities(device, growth)
        found["action"]["braket.ir.openqasm.program"]["supportedPragmas"] = []
        return found

    monkeypatch.setattr(devices, "_capabilities", without)
    asked = compiled_job("ibex-q1")
    backend = backend_from_spec("braket:ibex-q1")
    task = backend.submit({KEY: asked}, KEY)
    wait(backend, task)
    assert set(counted(backend, task, asked)) == {0b0000, 0b0111, 0b1000, 0b1111}
    assert backend.is_recompiled(backend.raw_result(task))


@pytest.mark.parametrize(
    ("name", "qubits", "couplers", "errors"),
    [
        ("forte-1", 36, 630, {0.0002, 0.006, 0.005}),
        ("ibex-q1", 12, 66, {0.0003, 0.011, 0.0026}),
        pytest.param("cepheus-1-108q", 108, 193, {0.001, 0.009, 0.04}, marks=pytest.mark.full),
    ],
)
def test_targets_and_calibration_are_those_of_the_capabilities(
    server, name, qubits, couplers, errors
):
    backend = backend_from_spec(f"braket:{name}")
    assert backend.has_live_calibration()
    for spec in (backend.default_target(), live_target(f"braket:{name}")):
        assert spec.startswith(f"device:{sdk_devices()[name].label}:")
        assert backend.accepts(spec)
        target = target_from_spec(spec)
        assert target.num_qubits == qubits
        assert len({tuple(sorted(pair)) for pair in target.build_coupling_map()}) == couplers
    told = backend.calibration(compiled_job(name))
    assert {round(error.error, 9) for error in told.errors} == errors
    assert told.at[:10] == f"{datetime.now(UTC):%Y-%m-%d}"


def test_shots_and_prices_are_those_of_the_capabilities(server, monkeypatch, tmp_path):
    forte = backend_from_spec("braket:forte-1")
    assert forte.least_cost_usd(100) == Decimal("8.30")
    assert f"{forte.price().as_of}" == "2026-05-03"
    forte.description()
    assert forte.price().as_of == datetime.now(UTC).date()
    dm1 = backend_from_spec("braket:dm1")
    with pytest.raises(PriceError, match="no price is known for 'braket:dm1'"):
        dm1.least_cost_usd(10)
    read_capabilities(dm1.device)
    assert dm1.least_cost_usd(10) == Decimal("0.00375")
    for shots in (99, 5001):
        with pytest.raises(InputError, match=f"shots = {shots}: backend 'braket:forte-1' takes at"):
            check_shots_on("braket:forte-1", shots)
    with pytest.raises(BackendError, match="takes 100 to 5000 shots a task, not 20"):
        forte.submit({KEY: compiled_job("forte-1", shots=20)}, KEY)
    own = tmp_path / "prices.toml"
    own.write_text('["braket:forte-1"]\nper_shot_usd = 0.01\nas_of = 2026-11-01\nsource = "x"\n')
    monkeypatch.setenv("STICHWERK_PRICES", str(own))
    assert forte.least_cost_usd(100) == Decimal("1.30")


def test_a_device_has_a_name_or_an_arn(server):
    arn = "arn:aws:braket:us-east-1::device/qpu/ionq/Forte-2"
    assert backend_from_spec(f"braket:{arn}").device.name == "forte-2"
    with pytest.raises(InputError, match="did you mean 'braket:forte-1'"):
        backend_from_spec("braket:forte1")
    for spec in ("braket", "braket:aquila", "braket:arn:aws:braket:::device/qpu/d-wave/x"):
        with pytest.raises(InputError, match=r"no such gate device; known: .*braket:ibex-q1"):
            backend_from_spec(spec)
    assert [device.backend for device in list_account()] == sorted(
        f"braket:{name}" for name in sdk_devices()
    )


def test_a_device_that_the_sdk_lacks_is_found_in_the_account(server, monkeypatch):
    known = dict(sdk_devices())
    del known["ibex-q1"]
    monkeypatch.setattr("backends.braket.devices.sdk_devices", lambda: known)
    assert backend_from_spec("braket:ibex-q1").device.label == "Ibex-Q1"


def test_without_an_account_the_shipped_targets_are_compiled_for(server, monkeypatch):
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.delenv(name)
    assert {device.status for device in list_account()} == {NO_ACCOUNT}
    for name in sdk_devices():
        backend = backend_from_spec(f"braket:{name}")
        assert not backend.has_live_calibration()
        assert backend.accepts(target_on(f"braket:{name}"))
        assert backend.min_shots() < 1000 < backend.max_shots()
    unknown = "braket:arn:aws:braket:us-east-1::device/qpu/ionq/Forte-2"
    with pytest.raises(InputError, match=r"no target of this device is shipped, and .*credential"):
        target_on(unknown)
