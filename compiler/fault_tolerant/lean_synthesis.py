"""Syntheses with few T gates, beside those with few two-qubit gates.

They use what only error-corrected machines pay for gladly: many clean qubits, ANDs that are
measured away, rotations by tables. So they stand apart from `compiler.synthesis.method`, by
whose ancillas every program would grow.
"""

from collections.abc import Callable
from typing import Any

from qiskit import QuantumCircuit, QuantumRegister

from compiler.formats.plain_gates import append_plain
from compiler.lowering.operators.fusion import fuse_neighbours
from compiler.registry import Registry
from compiler.synthesis.method import params_of, synthesised
from compiler.synthesis.operator import Operator

lean_syntheses: Registry[Callable[..., QuantumCircuit]] = Registry("lean synthesis")
"""By an operator's name, what builds it from its parameters: on its operands, ancillas apart, and
then on as many clean qubits as it wants."""


def lower_for_t_gates(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit in which every operator is replaced by its synthesis with few T gates.

    Operators without one use the cheapest by two-qubit gates. Clean qubits beyond the program's
    own come last, in a register `clean`, and are shared by all operators.

    Args:
        circuit: gates and operators.
    """
    source = fuse_neighbours(circuit)
    built = [_built(item.operation) for item in source.data]
    wider = max(
        (
            one.num_qubits - len(item.qubits)
            for one, item in zip(built, source.data, strict=True)
            if one is not None
        ),
        default=0,
    )
    lowered = QuantumCircuit(source.qubits, name=circuit.name)
    clean = QuantumRegister(max(0, wider), "clean")
    lowered.add_register(clean)
    for one, item in zip(built, source.data, strict=True):
        if one is None:
            append_plain(lowered, item.operation, list(item.qubits))
        else:
            lowered.compose(one, [*item.qubits, *clean][: one.num_qubits], inplace=True)
    return lowered


def _built(gate: Any) -> QuantumCircuit | None:
    if not isinstance(gate, Operator):
        return None
    if gate.name in lean_syntheses:
        return lean_syntheses[gate.name](*params_of(gate))
    return synthesised(gate)
