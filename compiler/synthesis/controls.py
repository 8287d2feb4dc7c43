"""Controls on 0, spelt out as flips around controls on 1."""

from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate


def closed_controls(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return `circuit` with every control on 0 made a control on 1 between two X gates.

    Qiskit's synthesis plugins recognise a multi-controlled X by its name, which control states
    other than all ones change; without this they fall back on a worse definition.
    """
    closed = circuit.copy_empty_like()
    for item in circuit.data:
        gate = item.operation
        if not isinstance(gate, ControlledGate):
            closed.append(item)
            continue
        zeros = [
            item.qubits[i] for i in range(gate.num_ctrl_qubits) if not gate.ctrl_state >> i & 1
        ]
        gate = gate.to_mutable()
        gate.ctrl_state = None
        if zeros:
            closed.x(zeros)
        closed.append(gate, item.qubits)
        if zeros:
            closed.x(zeros)
    return closed
