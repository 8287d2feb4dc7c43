"""Plug-ins of Qiskit and of tket."""

import os
import subprocess
import sys
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest
from pytket.circuit import Circuit, Node, OpType, Qubit
from pytket.passes import RemoveRedundancies, SequencePass
from pytket.predicates import CompilationUnit
from qiskit import QuantumCircuit, generate_preset_pass_manager, transpile
from qiskit.circuit import ParameterVector, WhileLoopOp
from qiskit.quantum_info import Operator
from qiskit.transpiler import CouplingMap, Target
from qiskit.transpiler.passes import CheckGateDirection, CheckMap
from qiskit_aer import AerSimulator
from qiskit_ibm_runtime.fake_provider import FakeManilaV2
from sympy import Symbol

from compiler.compilation import Options
from compiler.errors import LoweringError
from compiler.plugins.tket import lowering_pass
from compiler.public_circuits import circuit_from_spec
from compiler.synthesis.method import GROUP
from games.trick_taking.operators.hand_play import HandPlay

RING = {"coupling_map": CouplingMap.from_ring(6), "basis_gates": ["cz", "rz", "sx", "x"]}
ONE_WAY = {
    "coupling_map": CouplingMap([(0, 1), (2, 1), (2, 3), (4, 3)]),
    "basis_gates": ["ecr", "rz", "sx", "x"],
}
STAR = {"coupling_map": CouplingMap([(0, q) for q in range(1, 6)]), "basis_gates": ["cx", "u"]}


def managed(level=1, layout=None, **given):
    return generate_preset_pass_manager(
        level, routing_method="stichwerk", layout_method=layout, seed_transpiler=1, **given
    )


def same(program, made):
    wide = QuantumCircuit(made.num_qubits)
    wide.compose(program, range(program.num_qubits), inplace=True)
    return Operator.from_circuit(made).equiv(Operator(wide))


def holds(made, target):
    coupled, directed = CheckMap(target.build_coupling_map()), CheckGateDirection(None, target)
    coupled(made)
    directed(made)
    if not coupled.property_set["is_swap_mapped"]:
        return False
    if not directed.property_set["is_direction_mapped"]:
        return False
    return all(
        target.instruction_supported(i.name, tuple(made.find_bit(q).index for q in i.qubits))
        for i in made.data
    )


def target_of(given):
    if "backend" in given:
        return given["backend"].target
    return Target.from_configuration(given["basis_gates"], coupling_map=given["coupling_map"])


@pytest.mark.parametrize("layout", [None, "stichwerk"])
@pytest.mark.parametrize(
    ("level", "given"),
    [(0, {"backend": FakeManilaV2()}), (1, ONE_WAY), (2, STAR), (3, RING)],
    ids=["ibm", "ecr", "star", "ring"],
)
def test_the_same_unitary_on_coupled_qubits(given, level, layout):
    program = circuit_from_spec("qft:5", 0)
    made = managed(level, layout, **given).run(program)
    assert holds(made, target_of(given))
    assert same(program, made)


@pytest.mark.parametrize("layout", [None, "stichwerk"])
def test_an_initial_layout_is_kept(layout):
    program = circuit_from_spec("qft:5", 0)
    made = managed(1, layout, initial_layout=[5, 2, 0, 3, 4], **RING).run(program)
    assert made.layout.initial_index_layout(filter_ancillas=True) == [5, 2, 0, 3, 4]
    assert same(program, made)


def test_final_measurements_read_the_right_qubits():
    program = QuantumCircuit(4, 4)
    program.x([0, 2])
    program.cx(0, 3)
    program.cx(2, 1)
    program.cx(0, 2)
    program.measure(range(4), [3, 1, 0, 2])
    made = managed(2, **RING).run(program)
    expected = AerSimulator().run(program, shots=20).result().get_counts()
    assert AerSimulator().run(made, shots=20).result().get_counts() == expected
    assert [register.name for register in made.cregs] == [r.name for r in program.cregs]


def test_circuits_that_measure_and_branch_on_the_way():
    program = QuantumCircuit(4, 4)
    program.x(0)
    program.cx(0, 3)
    program.measure(3, 0)
    with program.if_test((0, 1)) as else_:
        program.x(1)
        program.cx(1, 2)
    with else_:
        program.x(2)
    program.reset(0)
    program.cx(2, 0)
    program.measure([0, 1, 2], [1, 2, 3])
    given = {"backend": FakeManilaV2()}
    made = managed(1, initial_layout=[0, 4, 2, 3], **given).run(program)
    pairs = set(given["backend"].target["cx"])
    assert "if_else" in made.count_ops()
    for item in made.data:
        if item.name == "cx":
            assert tuple(made.find_bit(q).index for q in item.qubits) in pairs
    counts = AerSimulator().run(made, shots=50).result().get_counts()
    assert counts == AerSimulator().run(program, shots=50).result().get_counts() == {"1111": 50}


@pytest.mark.parametrize("level", [1, 3])
def test_parameters_stay_parameters(level):
    program = QuantumCircuit(4)
    for qubit, angle in enumerate(ParameterVector("θ", 4)):
        program.rzz(angle, qubit, (qubit + 2) % 4)
        program.rx(2 * angle, qubit)
    made = managed(level, **RING).run(program)
    assert made.parameters == program.parameters
    values = [0.3, -1.2, 2.5, 0.7]
    numbers = made.assign_parameters(values)
    numbers._layout = made.layout
    assert same(program.assign_parameters(values), numbers)


def test_loops_without_a_bound_are_refused():
    program = QuantumCircuit(3, 1)
    program.h(0)
    program.measure(0, 0)
    with program.while_loop((0, 1)):
        program.h(0)
        program.measure(0, 0)
    program.cx(0, 2)
    target = FakeManilaV2().target
    target.add_instruction(WhileLoopOp, name="while_loop")
    with pytest.raises(LoweringError, match="route it with 'sabre'"):
        managed(1, target=target).run(program)


def test_nothing_else_is_imported_until_it_is_asked_for():
    code = (
        "import sys\nfrom qiskit import QuantumCircuit, transpile\nqc = QuantumCircuit(2)\n"
        "qc.cx(0, 1)\ntranspile(qc, basis_gates=['cz', 'u'], coupling_map=[[0, 1]])\n"
        "print('compiler.plugins.qiskit_stages' in sys.modules, 'numba' in sys.modules,"
        " 'compiler.plugins.routing' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.split() == ["True", "False", "False"]


ROOT = Path(__file__).parents[2]
CODE = """
import sys
from qiskit import QuantumCircuit, transpile
from qiskit.transpiler import CouplingMap

circuit = QuantumCircuit(3)
circuit.h(0)
circuit.cx(0, 1)
circuit.cx(0, 2)
lowered = transpile(circuit, coupling_map=CouplingMap.from_line(3), basis_gates=["sx", "rz", "cz"],
                    layout_method="stichwerk", routing_method="stichwerk", seed_transpiler=1)
print(lowered.num_nonlocal_gates(), *(name for name in sys.modules if name.startswith("games")))
"""


@pytest.mark.full
def test_a_transpilation_with_the_stages_imports_no_games(tmp_path):
    tables = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["entry-points"]
    installed = tmp_path / "stichwerk-0.dist-info"
    installed.mkdir()
    (installed / "METADATA").write_text("Metadata-Version: 2.1\nName: stichwerk\nVersion: 0\n")
    (installed / "entry_points.txt").write_text("".join(
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in entries.items())
        for group, entries in tables.items()
    ))  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", CODE], capture_output=True, text=True, check=True, cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)},
    )  # fmt: skip
    assert done.stdout.split() == ["2"]


@pytest.mark.parametrize(
    ("place", "gates"),
    [
        ("games.trick_taking.operators.hand_play.AmplifiedHandPlay", 23),
        ("games.trick_taking.operators.hand_play.HandPlay", 14),
    ],
    ids=["a method", "an operator's cheapest method"],
)
def test_an_entry_builds_by_its_method(place, gates):
    plugin = EntryPoint("name", f"compiler.plugins.synthesis:at.{place}", GROUP).load()()
    circuit = plugin.run(HandPlay(4, 2))
    assert transpile(circuit, basis_gates=["cx", "u"]).num_nonlocal_gates() == gates


def program():
    circuit = Circuit(name="mine")
    a, b = circuit.add_q_register("a", 2), circuit.add_q_register("b", 2)
    circuit.H(a[0]).CX(a[0], b[1]).CX(b[0], a[1]).Rz(0.3, b[1]).CX(b[1], b[0])
    circuit.CRz(0.2, a[0], a[1]).T(b[0]).CX(a[1], b[0])
    return circuit


def test_the_same_unitary_between_the_maps():
    given = program()
    unit = CompilationUnit(given)
    assert lowering_pass(FakeManilaV2()).apply(unit)
    made = unit.circuit
    assert made.name == "mine"
    assert set(made.qubits) == {unit.initial_map[q] for q in given.qubits}
    starts = [unit.initial_map[q] for q in given.qubits]
    ends = [unit.final_map[q] for q in given.qubits]
    # Rows by where qubits end, columns by where they begin.
    ours = made.get_unitary().reshape((2,) * 8)
    index = {qubit: place for place, qubit in enumerate(made.qubits)}
    ours = ours.transpose([index[q] for q in ends] + [4 + index[q] for q in starts])
    overlap = np.vdot(given.get_unitary(), ours.reshape(16, 16)) / 16
    assert abs(overlap) == pytest.approx(1, abs=1e-9)


def test_measured_bits_keep_their_names_and_it_goes_on_in_a_sequence():
    circuit = Circuit(3, 3)
    circuit.H(0).CX(0, 1).CX(0, 2).Measure(0, 2).Measure(1, 0).Measure(2, 1)
    unit = CompilationUnit(circuit)
    SequencePass([RemoveRedundancies(), lowering_pass("star:5:iqm")]).apply(unit)
    assert unit.circuit.bits == circuit.bits
    measured = {
        command.bits[0]: command.qubits[0]
        for command in unit.circuit.get_commands()
        if command.op.type == OpType.Measure
    }
    bits = circuit.bits
    order = {2: 0, 0: 1, 1: 2}
    assert measured == {bits[bit]: unit.final_map[Qubit(qubit)] for bit, qubit in order.items()}
    assert unit.circuit.n_gates_of_type(OpType.CZ) == 2
    assert {qubit.reg_name for qubit in measured.values()} == {Node(0).reg_name}


def conditional():
    circuit = Circuit(2, 1)
    circuit.H(0).Measure(0, 0)
    circuit.X(1, condition_bits=[0], condition_value=1)
    return circuit


def test_conditional_gates_are_refused():
    with pytest.raises(LoweringError, match="measure at their end only"):
        lowering_pass("all:4").apply(CompilationUnit(conditional()))


def test_symbols_stay_symbols():
    alpha = Symbol("alpha")
    given = Circuit(3).Rx(alpha, 0).CX(0, 2).Rz(2 * alpha, 2).CX(0, 2).CX(1, 2)
    unit = CompilationUnit(given)
    lowering_pass("all:3", Options(pipelines=("qiskit",))).apply(unit)
    assert unit.circuit.free_symbols() == {alpha}
    made, wanted = unit.circuit.copy(), given.copy()
    for circuit in (made, wanted):
        circuit.symbol_substitution({alpha: 0.37})
    assert [unit.final_map[q] for q in given.qubits] == [Node(at) for at in range(3)]
    overlap = np.vdot(wanted.get_unitary(), made.get_unitary()) / 8
    assert abs(overlap) == pytest.approx(1, abs=1e-9)
