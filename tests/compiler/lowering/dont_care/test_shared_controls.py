"""Controls on the oldest copies: the same state, and chains that become fans."""

import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from compiler.compilation import Options, compile
from compiler.lowering import Setting, pipelines
from compiler.lowering.dont_care.shared_controls import shared_controls, with_shared_controls
from compiler.lowering.draft import Draft
from compiler.program import Program
from compiler.targets import target_from_spec


def chain(qubits):
    circuit = QuantumCircuit(qubits)
    circuit.h(0)
    for qubit in range(qubits - 1):
        circuit.cx(qubit, qubit + 1)
    return circuit


def test_a_chain_becomes_a_fan():
    shared = with_shared_controls(chain(6))
    controls = [shared.find_bit(item.qubits[0]).index for item in shared.data[1:]]
    assert controls == [0] * 5
    assert Statevector(shared).equiv(Statevector(chain(6)))


def test_all_operands_of_a_phase_are_shared_and_a_flipped_copy_is_none():
    circuit = QuantumCircuit(5)
    circuit.h([0, 1])
    circuit.cx([0, 1, 0], [2, 3, 4])
    circuit.x(4)
    circuit.cz(2, 3)
    circuit.cz(4, 3)
    shared = with_shared_controls(circuit)
    places = [[shared.find_bit(qubit).index for qubit in item.qubits] for item in shared.data[-2:]]
    assert places == [[0, 1], [4, 1]]
    assert Statevector(shared).equiv(Statevector(circuit))


def test_two_copies_under_one_gate_stay_two_qubits():
    circuit = QuantumCircuit(4)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.cx(0, 2)
    circuit.ccx(1, 2, 3)
    shared = with_shared_controls(circuit)
    assert Statevector(shared).equiv(Statevector(circuit))
    assert len({*shared.data[-1].qubits}) == 3


def test_nothing_changes_where_nothing_is_equal():
    circuit = QuantumCircuit(3)
    circuit.h([0, 1])
    circuit.cx(0, 2)
    circuit.cx(1, 2)
    assert with_shared_controls(circuit) is circuit
    draft = Draft.of(circuit)
    setting = Setting(target_from_spec("resonator:4"))
    assert shared_controls.run(draft, setting) is draft


@pytest.mark.parametrize("qubits", [5, 12])
def test_a_chain_takes_one_visit_to_a_resonator(qubits):
    """One MOVE in, n - 1 CZ, one MOVE out; on any input each CX is a visit of its own."""
    program = Program.of_circuit(chain(qubits))
    target = f"resonator:{qubits + 1}"
    made = compile(program, target, Options(any_input=False))
    assert (made.figures.two_qubit_gates, made.verified) == (qubits + 1, "exact")
    setting = Setting(target_from_spec(target), any_input=True)
    on_any_input = pipelines["shared-resonator"].lower(chain(qubits), setting)
    assert on_any_input.circuit.num_nonlocal_gates() == 3 * (qubits - 1)
    assert not on_any_input.from_zero
