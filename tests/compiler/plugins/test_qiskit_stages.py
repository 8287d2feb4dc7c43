"""`routing_method` and `layout_method` "stichwerk", held to Qiskit's own checks."""

import subprocess
import sys

import pytest
from qiskit import QuantumCircuit, generate_preset_pass_manager
from qiskit.circuit import Parameter, WhileLoopOp
from qiskit.quantum_info import Operator
from qiskit.transpiler import CouplingMap, Target
from qiskit.transpiler.passes import CheckGateDirection, CheckMap
from qiskit.transpiler.preset_passmanagers.plugin import list_stage_plugins
from qiskit_aer import AerSimulator
from qiskit_ibm_runtime.fake_provider import FakeManilaV2

from compiler.errors import LoweringError
from compiler.public_circuits import circuit_from_spec

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


def test_qiskit_knows_both():
    assert "stichwerk" in list_stage_plugins("routing")
    assert "stichwerk" in list_stage_plugins("layout")


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


def test_no_more_gates_than_sabre_on_a_heavy_hex_line():
    program = circuit_from_spec("qft:6", 0)
    coupling = CouplingMap.from_line(6)
    ours = managed(3, coupling_map=coupling, basis_gates=["cx", "u"]).run(program)
    sabre = generate_preset_pass_manager(
        3, coupling_map=coupling, basis_gates=["cx", "u"], seed_transpiler=1
    ).run(program)
    assert ours.num_nonlocal_gates() <= sabre.num_nonlocal_gates()


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


def test_open_parameters_are_refused():
    program = QuantumCircuit(3)
    program.rz(Parameter("θ"), 0)
    program.cx(0, 2)
    with pytest.raises(LoweringError, match=r"parameters are open \(θ\): bind them before"):
        managed(1, **RING).run(program)
    bound = program.assign_parameters([0.3])
    assert same(bound, managed(1, **RING).run(bound))


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
