"""Gates that act where nothing depends on them."""

import pytest
from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from compiler.compilation import Options, compile
from compiler.lowering import Draft, Setting, pipelines
from compiler.lowering.dont_care.controls import without_idle_controls
from compiler.lowering.dont_care.dont_care import simplified
from compiler.lowering.dont_care.shared_controls import shared_controls, with_shared_controls
from compiler.program import Program
from compiler.targets import target_from_spec


def test_controls_that_say_nothing_are_dropped():
    circuit = QuantumCircuit(6)
    circuit.h([0, 1])
    circuit.x(2)
    circuit.cx(0, 3)
    circuit.mcx([0, 1, 2, 3], 4)  # Qubit 2 is 1, qubit 3 a copy of qubit 0.
    circuit.ccx(0, 5, 4)  # Qubit 5 is 0.
    circuit.ccx(0, 1, 5, ctrl_state=1)
    circuit.ccx(1, 5, 4)  # Qubit 5 is 1 only where qubit 1 is 0.
    circuit.ccz(0, 3, 1)
    result = without_idle_controls(circuit)
    assert result.count_ops() == {"h": 2, "x": 1, "cx": 1, "ccx": 1, "ccx_o1": 1, "cz": 1}
    assert Statevector(circuit).equiv(Statevector(result))


def test_phases_keep_a_qubit_that_is_asked_for_one():
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.x(1)
    circuit.h(2)
    circuit.append(_controlled_phase(), [1, 2, 0])
    result = without_idle_controls(circuit)
    assert Statevector(circuit).equiv(Statevector(result))
    assert [len(item.qubits) for item in result.data][-1] == 2


def _controlled_phase():
    phase = QuantumCircuit(1)
    phase.p(0.7, 0)
    (item,) = phase.data
    return item.operation.control(2, ctrl_state=2)


def test_one_hot_registers_exclude_each_other():
    circuit = QuantumCircuit(12)
    circuit.x(0)
    for qubit in range(5):  # A one-hot register spread by controlled rotations and CX.
        circuit.cry(1.0 + qubit, qubit, qubit + 1)
        circuit.cx(qubit + 1, qubit)
    for qubit in range(5):
        circuit.ccx(qubit, qubit + 1, 6 + qubit)
    result = without_idle_controls(circuit)
    assert Statevector(circuit).equiv(Statevector(result))
    assert circuit.count_ops()["ccx"] == 5
    assert "ccx" not in result.count_ops()


def test_wide_circuits_take_polynomial_time():
    circuit = QuantumCircuit(120)
    for qubit in range(0, 120, 2):
        circuit.h(qubit)
        circuit.cx(qubit, qubit + 1)
    for qubit in range(117):
        circuit.ccx(qubit, qubit + 1, qubit + 2)
    result = simplified(circuit)
    assert result.count_ops()["ccx"] < 117
    assert result.num_qubits == 120


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
    made = compile(program, target, Options("fast", any_input=False))
    assert (made.figures.two_qubit_gates, made.verified) == (qubits + 1, "exact")
    setting = Setting(target_from_spec(target), any_input=True)
    on_any_input = pipelines["shared-resonator"].lower(chain(qubits), setting)
    assert on_any_input.circuit.num_nonlocal_gates() == 3 * (qubits - 1)
    assert not on_any_input.from_zero
