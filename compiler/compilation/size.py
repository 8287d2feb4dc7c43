"""Size of a circuit of operators, without lowering it."""

from collections.abc import Hashable
from functools import cache, lru_cache

import numpy as np
from attrs import field, frozen
from qiskit import QuantumCircuit
from qiskit.circuit import Barrier, ControlledGate, Instruction
from qiskit.circuit.library import UnitaryGate
from qiskit.quantum_info import random_unitary

from compiler.circuits.gate_basis import in_basis
from compiler.formats.plain_gates import STANDARD, append_plain
from compiler.lowering.operators.lazy_copies import fuse_neighbours
from compiler.synthesis.method import Operator, chosen_method, is_operator, params_of

BASIS = ["cx", "rz", "sx", "x"]

MAX_KINDS = 4096
"""Kinds of gates whose sizes are kept."""

SAMPLED = 4
"""Qubits up to which one unitary is counted for all; each more takes four times as many gates."""


def size_up_to(circuit: QuantumCircuit, synthesis: str, most: int) -> int:
    """Count the CX of a circuit, and stop when there are more than `most`.

    Operators count as their methods' circuits, other gates as Qiskit's decomposition of one such
    gate alone. That is nearly the size of the whole circuit before any optimisation, and rather
    more: alone, a wide gate has no other qubits to borrow, and copies that idle are counted.

    Args:
        circuit: gates and operators.
        synthesis: the method that builds the operators.
        most: where to stop.

    Raises:
        InputError: if a gate has no definition, or an operator a parameter without a value.
        QiskitError: if a gate cannot be taken apart.
    """
    source = circuit.copy_empty_like()
    for item in circuit.data:
        append_plain(source, item)
    if synthesis != "literal":
        source = fuse_neighbours(source)
    for item in source.data:
        if is_operator(item):
            params_of(item.operation)
    size = 0
    for item in source.data:
        if size > most:
            break
        gate = item.operation
        if isinstance(gate, Operator):
            built = chosen_method(gate, synthesis).circuit(params_of(gate))
            for part in built.data:
                size += gate_size(part.operation)
                if size > most:
                    break
        else:
            size += gate_size(gate)
    return size


def gate_size(gate: Instruction) -> int:
    """Return the CX of a gate alone."""
    if isinstance(gate, Barrier):
        return 0
    if isinstance(gate, UnitaryGate):
        return _unitary_size(gate.num_qubits)
    return _size(_Kind.of(gate))


@frozen
class _Kind:
    """Return the key of a gate's count: the angles of a standard gate do not matter."""

    key: tuple[Hashable, ...]
    gate: Instruction = field(eq=False)

    @classmethod
    def of(cls, gate: Instruction) -> "_Kind":
        key: list[Hashable] = [gate.base_class, gate.name, gate.num_qubits]
        base = gate
        if isinstance(gate, ControlledGate):
            base = gate.base_gate
            key += [gate.ctrl_state, base.base_class, base.name]
        if base.base_class not in STANDARD:
            key += [p.tobytes() if isinstance(p, np.ndarray) else str(p) for p in base.params]
        return cls(tuple(key), gate)


@lru_cache(MAX_KINDS)
def _size(kind: _Kind) -> int:
    gate = kind.gate
    alone = QuantumCircuit(gate.num_qubits, gate.num_clbits)
    alone.append(gate, alone.qubits, alone.clbits)
    return int(in_basis(alone, BASIS, from_zero=True).num_nonlocal_gates())


@cache
def _unitary_size(qubits: int) -> int:
    if qubits > SAMPLED:
        return 4 * _unitary_size(qubits - 1)
    gate = UnitaryGate(random_unitary(1 << qubits, seed=0))
    return _size(_Kind((UnitaryGate, qubits), gate))
