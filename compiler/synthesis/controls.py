"""Controls on 0, spelt out as flips around controls on 1."""

from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate

from compiler.circuits.gate_steps import zero_controls


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
        zeros = zero_controls(gate, item.qubits)
        gate = gate.to_mutable()
        gate.ctrl_state = None
        if zeros:
            closed.x(zeros)
        closed.append(gate, item.qubits)
        if zeros:
            closed.x(zeros)
    return closed
