"""The lowering as a pass of tket's: its maps, its nodes, and the same unitary by tket's own."""

import numpy as np
import pytest
from pytket.architecture import Architecture
from pytket.circuit import Circuit, Node, OpType, Qubit
from pytket.passes import RemoveRedundancies, SequencePass
from pytket.predicates import CompilationUnit, ConnectivityPredicate, GateSetPredicate
from qiskit_ibm_runtime.fake_provider import FakeManilaV2
from sympy import Symbol

from compiler.errors import LoweringError
from compiler.plugins.tket import lowering_pass


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


def test_native_gates_on_coupled_nodes():
    unit = CompilationUnit(program())
    lowering_pass(FakeManilaV2()).apply(unit)
    edges = {tuple(sorted(edge)) for edge in FakeManilaV2().target["cx"]}
    line = Architecture(sorted(edges))
    assert ConnectivityPredicate(line).verify(unit.circuit)
    assert GateSetPredicate({OpType.CX, OpType.Rz, OpType.SX, OpType.X}).verify(unit.circuit)


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


def symbolic():
    return Circuit(1).Rz(Symbol("alpha"), 0)


@pytest.mark.parametrize(
    ("make", "message"),
    [(conditional, "measure at their end only"), (symbolic, r"symbols are open \(alpha\)")],
)
def test_what_is_refused(make, message):
    with pytest.raises(LoweringError, match=message):
        lowering_pass("all:4").apply(CompilationUnit(make()))
