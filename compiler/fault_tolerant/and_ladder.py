"""X and Z under many controls, by a ladder of temporary ANDs onto clean qubits."""

from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate, Operation

from compiler.fault_tolerant.temporary_ands import temporary_and, undo_and


def is_multi_controlled_pauli(gate: Operation) -> bool:
    """Tell whether a gate is X or Z under two controls or more, whatever its name."""
    return (
        isinstance(gate, ControlledGate)
        and gate.base_gate.name in ("x", "z")
        and gate.num_ctrl_qubits >= 2
    )


def rungs(gate: Operation) -> int:
    """Return the clean qubits of the ladder: two less than controls, 0 for any other gate."""
    return gate.num_qubits - 3 if is_multi_controlled_pauli(gate) else 0


def by_ladder(gate: ControlledGate) -> QuantumCircuit:
    """Return X or Z under k ≥ 2 controls: k − 2 ANDs, a Toffoli gate, the ANDs measured away.

    Args:
        gate: for which `is_multi_controlled_pauli` holds.

    Returns:
        A circuit on the gate's qubits, then k − 2 clean ones.
    """
    controls, target = range(gate.num_ctrl_qubits), gate.num_ctrl_qubits
    clean = range(target + 1, target + 1 + rungs(gate))
    circuit = QuantumCircuit(clean.stop)
    outside = circuit.copy_empty_like()
    for control in controls:
        if not gate.ctrl_state >> control & 1:
            outside.x(control)
    if gate.base_gate.name == "z":
        outside.h(target)
    above = [controls[0], *clean]
    circuit.compose(outside, inplace=True)
    for place, qubit in enumerate(clean):
        temporary_and(circuit, above[place], controls[place + 1], qubit)
    circuit.ccx(above[-1], controls[-1], target)
    for place, qubit in reversed(list(enumerate(clean))):
        undo_and(circuit, above[place], controls[place + 1], qubit)
    return circuit.compose(outside)
