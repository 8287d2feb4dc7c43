"""Inverses, powers and controls of circuits."""

from collections.abc import Sequence

from qiskit import QuantumCircuit
from qiskit.circuit import Barrier, ControlModifier, Gate, InverseModifier, PowerModifier
from qiskit.circuit.annotated_operation import Modifier
from qiskit.circuit.library import UnitaryGate
from qiskit.quantum_info import Operator

from compiler.errors import CircuitFileError

REPEATED = 32
"""Powers up to which a circuit is written that many times."""

MOST_QUBITS = 8
"""Of a circuit whose other powers are computed as a matrix."""


def modified(circuit: QuantumCircuit, modifiers: Sequence[Modifier]) -> QuantumCircuit:
    """Return a circuit under modifiers, the first one applied first.

    Args:
        circuit: standard gates and barriers.
        modifiers: a control's qubits come before all others.

    Raises:
        CircuitFileError: if the circuit holds something without an inverse, or a power cannot be
            computed.
    """
    for item in circuit.data:
        if not isinstance(item.operation, Gate | Barrier):
            raise CircuitFileError(
                f"'{item.operation.name}' cannot be inverted, controlled or raised to a power; "
                "put it outside"
            )
    made = circuit.copy_empty_like()
    for item in circuit.data:
        if isinstance(item.operation, Gate):
            made.append(item)
    for modifier in modifiers:
        made = _modified(made, modifier)
    return made


def _modified(circuit: QuantumCircuit, modifier: Modifier) -> QuantumCircuit:
    if isinstance(modifier, InverseModifier):
        return circuit.inverse()
    if isinstance(modifier, PowerModifier):
        return _power(circuit, float(modifier.power))
    if not isinstance(modifier, ControlModifier):
        raise CircuitFileError(f"unknown modifier {modifier}; write the gate out")
    # The name is nobody's, because Qiskit controls gates by their names.
    base = circuit.to_gate()
    base.name = "stichwerk_base"
    gate = base.control(modifier.num_ctrl_qubits, ctrl_state=modifier.ctrl_state, annotated=False)
    return _of(gate)


def _power(circuit: QuantumCircuit, power: float) -> QuantumCircuit:
    if power.is_integer() and abs(power) <= REPEATED:
        base = circuit if power >= 0 else circuit.inverse()
        return base.repeat(abs(int(power))).decompose()
    if circuit.num_qubits > MOST_QUBITS:
        raise CircuitFileError(
            f"the power {power:g} of a gate on {circuit.num_qubits} qubits; beyond {MOST_QUBITS} "
            f"qubits only whole powers up to {REPEATED} are computed: write the gate out"
        )
    return _of(UnitaryGate(Operator(circuit).power(power).data))


def _of(gate: Gate) -> QuantumCircuit:
    circuit = QuantumCircuit(gate.num_qubits)
    circuit.append(gate, circuit.qubits)
    return circuit
