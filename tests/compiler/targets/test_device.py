"""Devices of one's own: their specs, how these travel, and what is compiled for them."""

import pickle
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest
from qiskit import QuantumCircuit
from qiskit.circuit import Measure, Parameter
from qiskit.circuit.library import (
    CSXGate,
    CXGate,
    CZGate,
    ECRGate,
    RYGate,
    RZGate,
    RZZGate,
    SXGate,
    XGate,
    iSwapGate,
)
from qiskit.transpiler import Target
from qiskit_ibm_runtime.fake_provider import FakeManilaV2

from compiler.compilation import Listener, Options, compile
from compiler.errors import TargetError
from compiler.program import Program
from compiler.targets import target_from_spec
from compiler.targets.device import (
    Device,
    DeviceSpec,
    Placed,
    QubitCalibration,
    carried,
    device_from_content,
    known_device,
    make_known,
)

LINE = [(0, 1), (1, 2), (2, 3)]


def device(name: str, error: float = 0.01) -> Device:
    return Device(
        name,
        (QubitCalibration(100.0, None, 0.1, 0.2),) * 4,
        {
            "cz": tuple(Placed(edge, error, 50.0) for edge in LINE),
            **{g: tuple(Placed((q,)) for q in range(4)) for g in ("rz", "sx", "x", "measure")},
        },
    )


def test_the_content_is_all_of_it():
    one = device("one")
    assert device_from_content(one.content) == one
    assert device_from_content(one.content).spec == one.spec
    assert device("one", 0.02).spec != one.spec


def test_a_spec_takes_its_device_to_another_process():
    spec = make_known(device("travels"))
    sent = pickle.dumps((spec, carried(str(spec))))
    code = (
        "import pickle, sys; from compiler.targets import target_from_spec;"
        "a, b = pickle.load(sys.stdin.buffer);"
        "print(a == b, sorted(target_from_spec(str(a))['cz']))"
    )
    done = subprocess.run([sys.executable, "-c", code], input=sent, capture_output=True, check=True)
    assert done.stdout.decode() == f"True {LINE}\n"


def test_only_what_is_known_travels():
    assert type(carried("device:nobody:0123456789ab")) is str
    assert isinstance(carried(make_known(device("known"))), DeviceSpec)
    assert known_device("star:4") is None
    with pytest.raises(TargetError, match="give the file that describes it"):
        target_from_spec("device:nobody:0123456789ab")


def ghz() -> Program:
    circuit = QuantumCircuit(3, 3, name="ghz")
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.cx(0, 2)
    circuit.measure(range(3), range(3))
    return Program.of_circuit(circuit)


def test_other_processes_compile_for_it():
    spec = make_known(device("pool"))
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        listener = Listener()
        listener.each = lambda f, x, late=None: enumerate(pool.map(f, x))
        compiled = compile(ghz(), str(spec), Options("fast"), listener)
    assert compiled.verified == "exact"
    assert set(compiled.circuit.count_ops()) <= {"cz", "rz", "sx", "x", "measure"}


def made_of(gate, *ones, both_ways=False) -> Target:
    target = Target(num_qubits=4)
    edges = LINE + [(b, a) for a, b in LINE] * both_ways
    target.add_instruction(gate, dict.fromkeys(edges))
    for one in (*ones, Measure()):
        target.add_instruction(one, dict.fromkeys([(q,) for q in range(4)]))
    return target


ROTATIONS = (RZGate(Parameter("λ")), SXGate(), XGate())


@pytest.mark.parametrize(
    ("gate", "both_ways"),
    [
        *((gate, True) for gate in (CXGate(), ECRGate(), iSwapGate(), RZZGate(Parameter("θ")))),
        *((gate, False) for gate in (CXGate(), CZGate(), ECRGate())),
    ],
)
def test_any_gate_in_which_a_cx_can_be_written(gate, both_ways):
    target = made_of(gate, *ROTATIONS, both_ways=both_ways)
    compiled = compile(ghz(), target, Options("best", seeds=1, pipelines=("sweep", "qiskit")))
    assert compiled.verified == "exact"
    circuit = compiled.circuit
    used = {
        (item.name, tuple(circuit.find_bit(q).index for q in item.qubits)) for item in circuit.data
    }
    assert {name for name, at in used if len(at) == 2} == {gate.name}
    assert all(target.instruction_supported(name, at) for name, at in used)


@pytest.mark.parametrize(
    ("target", "message"),
    [
        (made_of(CSXGate(), *ROTATIONS), "not every circuit can be written in csx, rz, sx, x"),
        (made_of(CZGate(), RZGate(0.1), RYGate(Parameter("θ"))), "written in cz, ry, rz"),
        (made_of(iSwapGate(), *ROTATIONS), "'iswap' acts on 0-1 and not on 1-0"),
    ],
)
def test_gates_that_do_not_do(target, message):
    with pytest.raises(TargetError, match=message):
        compile(ghz(), target, Options("fast"))


def test_a_backend_has_a_target():
    compiled = compile(ghz(), FakeManilaV2(), Options("fast"))
    assert compiled.verified == "exact"
    assert compiled.figures.expected_fidelity is not None
    edges = set(FakeManilaV2().target["cx"])
    circuit = compiled.circuit
    assert circuit.num_qubits == 5
    for item in circuit.data:
        if len(item.qubits) == 2:
            assert tuple(circuit.find_bit(q).index for q in item.qubits) in edges
