"""Inverses, powers and controls of circuits, with their global phases."""

from collections.abc import Sequence
from math import pi, tau

from qiskit import QuantumCircuit
from qiskit.circuit import (
    Barrier,
    ControlModifier,
    Gate,
    InverseModifier,
    ParameterExpression,
    PowerModifier,
)
from qiskit.circuit.annotated_operation import Modifier
from qiskit.circuit.library import (
    CUGate,
    IGate,
    PhaseGate,
    RXGate,
    RYGate,
    RZGate,
    UGate,
    UnitaryGate,
)
from qiskit.quantum_info import Operator

from compiler.errors import CircuitFileError

REPEATED = 32
"""Powers up to which a circuit is written that many times."""

MAX_QUBITS = 8
"""Qubits of a circuit whose other powers are computed as a matrix."""


def modified(circuit: QuantumCircuit, modifiers: Sequence[Modifier]) -> QuantumCircuit:
    """Return a circuit under modifiers, the first one applied first.

    Args:
        circuit: standard gates and barriers.
        modifiers: a control's qubits come before all others.

    Raises:
        CircuitFileError: if the circuit holds something without an inverse, or a power cannot be
            computed.
    """
    result = circuit.copy_empty_like()
    for item in circuit.data:
        if isinstance(item.operation, Gate):
            result.append(item)
        elif not isinstance(item.operation, Barrier):
            raise CircuitFileError(
                f"'{item.operation.name}' cannot be inverted, controlled or raised to a power; "
                "put it outside"
            )
    for modifier in modifiers:
        match modifier:
            case InverseModifier():
                result = result.inverse()
            case PowerModifier():
                result = raised(result, float(modifier.power))
            case ControlModifier():
                result = controlled(result, modifier.num_ctrl_qubits, modifier.ctrl_state)
            case _:
                raise CircuitFileError(f"unknown modifier {modifier}; write the gate out")
    return result


def controlled(circuit: QuantumCircuit, controls: int, state: int) -> QuantumCircuit:
    """Return a circuit of gates under controls, which come before its own qubits.

    A product under a control is the product of its factors under that control, and a global phase
    becomes a phase of the controls.

    Args:
        circuit: standard gates and barriers.
        controls: how many.
        state: the value of the controls for which the circuit acts, the first one's bit lowest.
    """
    result = QuantumCircuit(controls + circuit.num_qubits)
    phase = circuit.global_phase
    for item in circuit.data:
        gate, around, around_state = item.operation, list(range(controls)), state
        qubits = [controls + circuit.find_bit(qubit).index for qubit in item.qubits]
        if type(gate) is IGate:
            continue
        if isinstance(gate, Barrier):
            result.append(gate, qubits)
            continue
        if type(gate) is UnitaryGate and len(qubits) + controls > MAX_QUBITS:
            inside = controlled(gate.definition, controls, state)
            result.compose(inside, [*around, *qubits], inplace=True)
            continue
        if controls == 1 and len(circuit.data) == 1 and type(gate) is UGate:
            result.append(CUGate(*gate.params, phase, ctrl_state=state), [0, *qubits])
            return result
        if type(gate) is CUGate:
            # Under further controls Qiskit's inverse of this gate forgets its phase.
            control, *qubits = qubits
            around, around_state = [*around, control], state | gate.ctrl_state << controls
            *angles, own_phase = gate.params
            gate = UGate(*angles)
            _append_phase(result, own_phase, around, around_state)
        inside = gate.control(len(around), ctrl_state=around_state, annotated=False)
        result.append(inside, [*around, *qubits])
    if isinstance(phase, ParameterExpression) or phase % tau:
        _append_phase(result, phase, list(range(controls)), state)
    return result


def _append_phase(circuit: QuantumCircuit, phase: float, qubits: Sequence[int], state: int) -> None:
    """Append a phase on one value of some qubits."""
    place = max(0, (state & -state).bit_length() - 1)
    target, others = qubits[place], [*qubits[:place], *qubits[place + 1 :]]
    gate: Gate = PhaseGate(phase)
    if others:
        low = state & ((1 << place) - 1)
        others_state = low | state >> (place + 1) << place
        gate = gate.control(len(others), ctrl_state=others_state, annotated=False)
    if state == 0:
        circuit.x(target)
    circuit.append(gate, [*others, target])
    if state == 0:
        circuit.x(target)


def raised(circuit: QuantumCircuit, exponent: float) -> QuantumCircuit:
    """Return a power of a circuit of gates; of powers that are not whole the principal one.

    Raises:
        CircuitFileError: if the power is not small and whole, and the circuit has more than
            `MAX_QUBITS` qubits.
    """
    if exponent.is_integer() and abs(exponent) <= REPEATED:
        base = circuit if exponent >= 0 else circuit.inverse()
        result = circuit.copy_empty_like()
        result.global_phase = abs(exponent) * base.global_phase
        for _ in range(abs(int(exponent))):
            for item in base.data:
                result.append(item)
        return result
    if exponent.is_integer() and len(circuit.data) == 1:
        (item,) = circuit.data
        if (kind := type(item.operation)) in (PhaseGate, RXGate, RYGate, RZGate):
            result = circuit.copy_empty_like()
            result.global_phase = exponent * circuit.global_phase
            result.append(kind(exponent * item.operation.params[0]), item.qubits)
            return result
    if circuit.num_qubits > MAX_QUBITS:
        raise CircuitFileError(
            f"the power {exponent:g} of a gate on {circuit.num_qubits} qubits; beyond {MAX_QUBITS} "
            f"qubits only whole powers up to {REPEATED} are computed: write the gate out"
        )
    if not circuit.num_qubits:
        principal = (float(circuit.global_phase) + pi) % tau - pi
        return QuantumCircuit(global_phase=exponent * (pi if principal == -pi else principal))
    result = QuantumCircuit(circuit.num_qubits)
    result.append(UnitaryGate(Operator(circuit).power(exponent).data), result.qubits)
    return result
