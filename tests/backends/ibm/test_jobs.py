"""IBM's machines: jobs, by the real SDK against a simulated IBM over loopback."""

import base64
import json
import zlib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from math import pi

import pytest
from attrs import evolve
from qiskit import ClassicalRegister, QuantumCircuit, QuantumRegister
from qiskit.circuit import Clbit

from backends import (
    BackendError,
    JobState,
    ResultError,
    UnavailableError,
    backend_from_spec,
    check_shots_on,
)
from backends.ibm.result import MAX_BYTES, circuit_in, circuits_in
from backends.prices import price
from compiler.dynamic.needs import Need
from compiler.errors import InputError
from compiler.words.run_options import PLAIN, RunOptions
from tests.backends.ibm.simulated import (
    KEYS,
    TARGET,
    accepted,
    counted,
    job,
    until_ended,
)
from tests.servers.provider_simulators.faults import Fault, Rule
from tests.servers.provider_simulators.ibm import devices
from workers.stages.scoring import Executed, compare_programs


def test_a_job_is_submitted_found_and_read(ibm, torino):
    id = torino.submit({KEYS[0]: job()}, KEYS[0])
    assert accepted(ibm) == [id]
    assert ibm.machine.audit()[0]["shots"] == 200
    assert torino.find(KEYS[0]) == [id]
    assert torino.find(KEYS[1]) == []
    assert until_ended(torino, id).state is JobState.DONE
    counts = counted(torino, id)
    assert set(counts) == {0b10001, 0b11101}
    assert sum(counts.values()) == 200
    assert 60 < counts[0b10001] < 140


def test_bits_beyond_64_and_shared_registers_are_joined(ibm, torino):
    circuit = QuantumCircuit(133, 70)
    circuit.add_register(ClassicalRegister(bits=[circuit.clbits[69], circuit.clbits[0]], name="s"))
    circuit.x(5)
    circuit.measure(5, 69)
    circuit.measure(5, 3)
    id = torino.submit({KEYS[0]: job(circuit, shots=7)}, KEYS[0])
    assert until_ended(torino, id).state is JobState.DONE
    assert counted(torino, id, circuit, 7) == {1 << 69 | 1 << 3: 7}


def test_fractional_gates_run_where_the_device_has_them(ibm, monkeypatch):
    file = devices._file

    def renamed(device, which):
        content = json.loads(file(device, which)) | {"backend_name": f"ibm_{device}"}
        return json.dumps(content).encode()

    monkeypatch.setattr(devices, "_file", renamed)
    monkeypatch.setitem(devices.NAMES, "ibm_fractional", "fractional")
    backend = backend_from_spec("ibm:fractional")

    def circuit(angle):
        rotated = QuantumCircuit(5, 1)
        rotated.rx(pi, 0)
        rotated.rzz(angle, 0, 1)
        rotated.measure(0, 0)
        return job(rotated, 9, backend.default_target())

    id = backend.submit({KEYS[0]: circuit(0.5)}, KEYS[0])
    assert until_ended(backend, id).state is JobState.DONE
    assert backend.counts(backend.raw_result(id), circuit(0.5), KEYS[0], id) == {1: 9}
    with pytest.raises(BackendError, match="recompile it"):
        backend.submit({KEYS[1]: circuit(-0.5)}, KEYS[1])
    assert accepted(ibm, KEYS[1]) == []


@pytest.mark.parametrize(
    ("options", "verdict"),
    [(PLAIN, Executed.IDENTICAL), (RunOptions(decoupling=True), Executed.EQUIVALENT)],
    ids=["plain", "decoupled"],
)
def test_the_program_that_ran_is_compared(ibm, torino, options, verdict):
    circuit = QuantumCircuit(133, 2)
    circuit.x(0)
    circuit.barrier(0, 4)
    for _ in range(41):
        circuit.x(4)
    circuit.barrier(0, 4)
    circuit.measure([0, 4], [0, 1])
    asked = evolve(job(circuit), run_options=options)
    id = torino.submit({KEYS[0]: asked}, KEYS[0])
    assert until_ended(torino, id).state is JobState.DONE
    ran = torino.executed_circuit(torino.executed_program(id, b""), asked, KEYS[0])
    assert compare_programs(asked.circuit, ran)[0] is verdict


def test_a_program_that_lost_a_gate_is_different(ibm, torino):
    ibm.faults.add(Rule(Fault.OTHER_PROGRAM, "submit"))
    id = torino.submit({KEYS[0]: job()}, KEYS[0])
    assert until_ended(torino, id).state is JobState.DONE
    ran = torino.executed_circuit(torino.executed_program(id, b""), job(), KEYS[0])
    assert compare_programs(job().circuit, ran)[0] is Executed.DIFFERENT


@pytest.mark.parametrize("kept", [b"{}", b'{"params": null}', b'{"params": {"pubs": []}}', b"[]"])
def test_a_job_without_its_inputs_is_not_compared(kept):
    assert circuits_in(kept) is None


@pytest.mark.parametrize(
    "packed", [b"junk", zlib.compress(b"junk"), None, b""],
    ids=["junk", "no QPY", "a bomb", "empty"],
)  # fmt: skip
def test_inputs_that_are_no_circuit_are_refused(packed):
    # Packed here: every process of the tests would pack it when it collects them.
    packed = zlib.compress(bytes(MAX_BYTES + 1), 1) if packed is None else packed
    with pytest.raises(ResultError):
        circuit_in(json.dumps({"b64_data": base64.b64encode(packed).decode()}).encode(), KEYS[0])


def switched(circuit):
    circuit.x([0, 2])
    circuit.measure([0, 1], [0, 1])
    with circuit.switch(circuit.cregs[0]) as case:
        with case(1):
            circuit.x(3)
        with case(2, case.DEFAULT):
            circuit.x(4)
    circuit.measure([3, 4], [2, 3])


def on_torino(build):
    circuit = QuantumCircuit(QuantumRegister(133, "q"), ClassicalRegister(2, "r"))
    circuit.add_register(ClassicalRegister(2, "s"))
    build(circuit)
    return circuit


def test_a_switch_is_sent_as_ifs(ibm, torino):
    circuit = on_torino(switched)
    id = torino.submit({KEYS[0]: job(circuit, shots=5)}, KEYS[0])
    assert until_ended(torino, id).state is JobState.DONE
    assert counted(torino, id, circuit, 5) == {0b0101: 5}
    assert torino.estimated_cost_usd([job(circuit, shots=5)]) == torino.least_cost_usd(5)


def test_an_unknown_job_is_a_refusal(ibm, torino):
    with pytest.raises(BackendError, match="Job not found") as error:
        torino.status("unknown", KEYS[0])
    assert not isinstance(error.value, UnavailableError)


def test_a_circuit_for_another_device_is_refused_with_the_way_out(ibm, torino):
    circuit = QuantumCircuit(133, 1)
    circuit.cz(0, 100)
    circuit.measure(0, 0)
    with pytest.raises(BackendError, match="recompile") as error:
        torino.submit({KEYS[0]: job(circuit)}, KEYS[0])
    assert not isinstance(error.value, UnavailableError)
    assert ibm.machine.audit() == []


def test_bits_outside_registers_would_be_lost(ibm, torino):
    circuit = QuantumCircuit(QuantumRegister(133), [Clbit()])
    circuit.measure(0, 0)
    with pytest.raises(BackendError, match="register"):
        torino.submit({KEYS[0]: job(circuit)}, KEYS[0])


def test_threads_share_a_connection(ibm, torino):
    with ThreadPoolExecutor(4) as threads:
        ids = list(threads.map(lambda key: torino.submit({key: job(shots=1)}, key), KEYS))
        assert list(threads.map(torino.find, KEYS)) == [[id] for id in ids]
    assert Counter(entry["key"] for entry in ibm.machine.audit()) == Counter(KEYS)


def test_prices_count_seconds(monkeypatch, tmp_path):
    file = tmp_path / "prices.toml"
    file.write_text('[ibm]\nper_second_usd = 2\nas_of = 2026-01-01\nsource = "a test"\n')
    monkeypatch.setenv("STICHWERK_PRICES", str(file))
    backend = backend_from_spec("ibm:torino")
    assert backend.least_cost_usd(4000) == Decimal("6.00")  # 2 × (2 s + 4000 × 250 µs)
    assert backend.least_cost_usd(4001) == Decimal("8.00")
    circuit = QuantumCircuit(133, 1)
    circuit.x(0)
    circuit.measure(0, 0)
    # An x of 32 ns and a measurement of 1.56 µs: 1.25 × (2 s + shots × 251.592 µs), rounded up.
    assert backend.estimated_cost_usd([job(circuit, 4000)]) == 2 * Decimal(4)
    assert backend.estimated_cost_usd([job(circuit, 10**6)]) == 2 * Decimal(317)


def test_a_branch_counts_as_its_longest(monkeypatch):
    backend = backend_from_spec("ibm:torino")

    def cost(*, branches):
        circuit = QuantumCircuit(133, 1)
        circuit.measure(0, 0)
        with circuit.if_test((circuit.clbits[0], 1)) as otherwise:
            circuit.x(1)
        if branches:
            with otherwise:
                circuit.x(1)
                circuit.x(1)
        return backend.estimated_cost_usd([job(circuit, 10**9)])

    # 1.25 × 10⁹ × 32 ns
    assert cost(branches=True) - cost(branches=False) == Decimal("1.6") * 40


def test_a_backend_is_its_device(ibm):
    for device, target in (("fez", "heavy-hex:fez"), ("miami", "square:miami")):
        backend = backend_from_spec(f"ibm:{device}")
        assert backend.default_target() == target
        assert backend.accepts(target)
        assert not backend.accepts(TARGET)
        assert backend.reads_with_errors()
    for spec in ("ibm", "ibm:ibm_boston", "ibm:Boston"):
        with pytest.raises(InputError, match="boston"):
            backend_from_spec(spec)


@pytest.mark.parametrize(
    ("device", "delay", "needs"),
    [
        ("boston", Decimal("0.00025"), {Need.MEASUREMENT, Need.RESET, Need.IF}),
        ("miami", Decimal("0.004"), frozenset()),  # pauses of 4 ms, and neither branches nor resets
    ],
)
def test_capabilities_are_those_of_the_device(device, delay, needs):
    backend = backend_from_spec(f"ibm:{device}")
    assert backend.supports() >= needs
    assert (Need.IF in backend.supports()) == (Need.IF in needs)
    assert backend.least_cost_usd(1000) == price("ibm").of_job(1000, 2 + 1000 * delay)
    check_shots_on(f"ibm:{device}", 100_000)
    with pytest.raises(InputError, match="100001"):
        check_shots_on(f"ibm:{device}", 100_001)


def test_the_simulated_device_tells_its_snapshot(torino):
    told = torino.calibration(job())
    assert told.at[:4].isdigit()
    errors = {(one.what, one.on): one for one in told.errors}
    assert errors.keys() == {("x", (0,)), ("sx", (4,)), ("readout", (0,)), ("readout", (1,)),
                             ("readout", (4,))}  # fmt: skip
    assert errors["readout", (4,)].uses == 2
    assert all(0 < one.error < 0.5 for one in told.errors)
