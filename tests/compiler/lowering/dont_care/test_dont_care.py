"""What is never reached: gates and controls dropped, blocks made cheaper, same state."""

from qiskit import QuantumCircuit
from qiskit.quantum_info import Statevector

from compiler.lowering.dont_care.controls import without_idle_controls
from compiler.lowering.dont_care.dont_care import dont_care, simplified
from compiler.lowering.draft import Draft, Setting
from compiler.lowering.passes import ALL
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


def test_nothing_to_gain_is_the_same_draft():
    circuit = QuantumCircuit(3)
    circuit.h(0)
    circuit.cx(0, 1)
    circuit.barrier()
    circuit.cx(1, 2)
    draft = Draft.of(circuit)
    assert dont_care.run(draft, Setting(target_from_spec("all:3"))) is draft
    assert dont_care.preserves == ALL
    assert dont_care.from_zero
