"""Gates that no two-qubit block holds, on a state; and which gates are native."""

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit import ControlledGate, Instruction
from qiskit.transpiler import Target

from compiler.circuits.gate_steps import matrix_of
from compiler.lowering.reachable.clusters import Reached
from compiler.lowering.state_peephole.blocks import Block, blocks_of

NOTHING = frozenset({"barrier", "delay", "id"})
X = np.array([[0, 1], [1, 0]], dtype=complex)


def apply_block(state: Reached, block: Block) -> None:
    """Apply a block, or a gate of any width; forget what is not understood.

    Raises:
        StateTooLargeError: if a state becomes too large, and cannot forget.
    """
    gate, qubits = block.items[0]
    if block.matrix is not None:
        # Gate by gate: the last one-qubit gates of a block would hide what its others did.
        for part, acted_on in block.items:
            matrix = matrix_of(part)
            assert matrix is not None
            state.apply(matrix, acted_on)
    elif gate.name in NOTHING:
        return
    elif isinstance(gate, ControlledGate) and gate.base_gate.num_qubits == 1:
        _apply_controlled(state, gate, qubits)
    elif gate.definition is None:
        state.forget(qubits)
    else:
        for part in blocks_of(gate.definition):
            apply_block(state, part.moved(qubits))


def _apply_controlled(state: Reached, gate: ControlledGate, qubits: tuple[int, ...]) -> None:
    controls = qubits[: gate.num_ctrl_qubits]
    flipped = [qubit for i, qubit in enumerate(controls) if not gate.ctrl_state >> i & 1]
    for qubit in flipped:
        state.apply(X, (qubit,))
    state.apply(np.asarray(gate.base_gate.to_matrix()), qubits[-1:], controls)
    for qubit in flipped:
        state.apply(X, (qubit,))


def is_native(circuit: QuantumCircuit, target: Target) -> bool:
    """Tell whether all gates are the target's, on qubits that it has them for."""
    index = {qubit: i for i, qubit in enumerate(circuit.qubits)}
    return circuit.num_qubits <= target.num_qubits and all(
        _supported(item.operation, tuple(index[qubit] for qubit in item.qubits), target)
        for item in circuit.data
    )


def _supported(gate: Instruction, qubits: tuple[int, ...], target: Target) -> bool:
    return gate.name == "barrier" or bool(target.instruction_supported(gate.name, qubits))
