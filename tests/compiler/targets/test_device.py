"""Targets of devices: files, snapshots, and IQM's."""

import numpy as np
import pytest
import rustworkx as rx
from qiskit import QuantumCircuit
from qiskit.circuit import Measure, Parameter, library
from qiskit.quantum_info import Operator
from qiskit.transpiler import Target
from qiskit_ibm_runtime.fake_provider import FakeManilaV2

from compiler.compilation import Options, compile
from compiler.errors import LoweringError, TargetError
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
from compiler.targets.iqm import GROUPS
from compiler.targets.resonator import MoveGate

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


def made_of(gate, *ones, both_ways=False) -> Target:
    target = Target(num_qubits=4)
    edges = LINE + [(b, a) for a, b in LINE] * both_ways
    target.add_instruction(gate, dict.fromkeys(edges))
    for one in (*ones, Measure()):
        target.add_instruction(one, dict.fromkeys([(q,) for q in range(4)]))
    return target


ROTATIONS = (library.RZGate(Parameter("λ")), library.SXGate(), library.XGate())


@pytest.mark.parametrize(
    ("gate", "both_ways"),
    [
        *((gate, True) for gate in (library.iSwapGate(), library.RZZGate(Parameter("θ")))),
        *((gate, False) for gate in (library.CXGate(), library.ECRGate())),
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
        (
            made_of(library.CSXGate(), *ROTATIONS),
            "not every circuit can be written in csx, rz, sx, x",
        ),
        (
            made_of(library.CZGate(), library.RZGate(0.1), library.RYGate(Parameter("θ"))),
            "written in cz, ry, rz",
        ),
        (made_of(library.iSwapGate(), *ROTATIONS), "'iswap' acts on 0-1 and not on 1-0"),
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


@pytest.mark.parametrize(
    ("device", "qubits", "couplers"), [("garnet", 20, 30), ("emerald", 54, 81)]
)
def test_a_device_has_its_native_gates_and_calibrated_couplers(device, qubits, couplers):
    target = target_from_spec(f"iqm:{device}")
    assert target.num_qubits == qubits
    assert set(target.operation_names) == {"r", "cz", "measure"}
    assert len(target["cz"]) == 2 * couplers
    assert all(0 < p.error < 0.04 for p in target["cz"].values())
    assert all(0 < p.error < 0.08 for p in target["r"].values())
    assert all(0 < p.error < 0.05 for p in target["measure"].values())
    assert all(target["cz"][a, b].error == target["cz"][b, a].error for a, b in target["cz"])


def test_feed_forward_stays_within_a_group():
    whole, inner = (target_from_spec(f"iqm:garnet{v}") for v in ("", ":feed-forward"))
    assert [len(group) for group in GROUPS["garnet"]] == [6, 14]
    assert sorted(qubit for group in GROUPS["garnet"] for qubit in group) == list(range(20))
    # A group is a connected piece of the lattice, as the figure shows it.
    graph = whole.build_coupling_map().graph.to_undirected(multigraph=False)
    assert all(rx.is_connected(graph.subgraph(sorted(group))) for group in GROUPS["garnet"])
    kept = {pair for pair in whole["cz"] if GROUPS["garnet"][1].issuperset(pair)}
    assert set(inner["cz"]) == kept
    assert all(inner["cz"][pair].error == whole["cz"][pair].error for pair in kept)
    assert set(inner["r"]) == set(whole["r"])
    with pytest.raises(TargetError, match="leave out ':feed-forward'"):
        target_from_spec("iqm:emerald:feed-forward")


def test_a_device_that_nothing_can_be_compiled_for_is_refused_in_one_line():
    circuit = QuantumCircuit(5)
    circuit.h(0)
    for other in range(1, 5):
        circuit.cx(0, other)
    with pytest.raises(LoweringError) as error:
        compile(Program.of_circuit(circuit), "heavy-hex:cairo", Options("fast"))
    assert "\n" not in str(error.value)


def test_move_is_defined_as_a_swap():
    np.testing.assert_array_equal(
        Operator(MoveGate().definition).data, library.SwapGate().to_matrix()
    )
