"""Plug-ins of Qiskit and of tket."""

import numpy as np
import pytest
from pytket.circuit import Circuit, Node
from pytket.predicates import CompilationUnit
from qiskit import QuantumCircuit, generate_preset_pass_manager
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

RING = {"coupling_map": CouplingMap.from_ring(6), "basis_gates": ["cz", "rz", "sx", "x"]}
ONE_WAY = {
    "coupling_map": CouplingMap([(0, 1), (2, 1), (2, 3), (4, 3)]),
    "basis_gates": ["ecr", "rz", "sx", "x"],
}
APART = {**RING, "coupling_map": CouplingMap([*RING["coupling_map"].get_edges()])}
APART["coupling_map"].add_physical_qubit(6)
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


@pytest.mark.parametrize(
    ("level", "given", "layout"),
    [
        (0, {"backend": FakeManilaV2()}, None),
        (1, ONE_WAY, "stichwerk"),
        (2, STAR, None),
        (3, APART, None),
        (1, APART, "stichwerk"),
        (3, RING, "stichwerk"),
        pytest.param(0, {"backend": FakeManilaV2()}, "stichwerk", marks=pytest.mark.full),
        pytest.param(1, ONE_WAY, None, marks=pytest.mark.full),
        pytest.param(2, STAR, "stichwerk", marks=pytest.mark.full),
        pytest.param(3, RING, None, marks=pytest.mark.full),
    ],
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
