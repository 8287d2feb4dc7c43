"""Digests of circuits, the same before and after storage or transport."""

import hashlib
from collections.abc import Iterator, Mapping
from typing import Any

from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, Clbit, ControlFlowOp, Qubit
from qiskit.circuit.classical import expr

PARTS = ("op", "left", "right", "operand", "target", "index", "var", "value")
"""Types of the parts of expressions."""


def circuit_digest(circuit: QuantumCircuit) -> str:
    """Return the SHA-256 of a circuit's text, in hexadecimal digits.

    The text holds the number of qubits and bits, the registers, and every operation in order with
    its exact parameters, its qubits and the bits that it reads into. It leaves out names of
    circuits, global phase and metadata, which no measurement can notice.
    """
    digest = hashlib.sha256()
    for line in _header(circuit):
        digest.update(f"{line}\n".encode())
    qubits = {qubit: i for i, qubit in enumerate(circuit.qubits)}
    clbits = {clbit: i for i, clbit in enumerate(circuit.clbits)}
    for line in _operations(circuit, qubits, clbits):
        digest.update(f"{line}\n".encode())
    return digest.hexdigest()


def _header(circuit: QuantumCircuit) -> Iterator[str]:
    yield f"{circuit.num_qubits} qubits, {circuit.num_clbits} bits"
    for register in circuit.cregs:
        places = [circuit.find_bit(bit).index for bit in register]
        yield f"register {register.name!r} {places}"


def _operations(
    circuit: QuantumCircuit, qubits: Mapping[Qubit, int], clbits: Mapping[Clbit, int]
) -> Iterator[str]:
    for item in circuit.data:
        on = f"{[qubits[q] for q in item.qubits]} {[clbits[c] for c in item.clbits]}"
        operation = item.operation
        if not isinstance(operation, ControlFlowOp):
            yield f"{operation.name} {[_exact(value) for value in operation.params]} {on}"
            continue
        yield f"{operation.name} {_condition_text(_branching(operation), clbits)} {on}"
        for block in operation.blocks:
            yield "{"
            yield from _operations(
                block,
                {inner: qubits[q] for inner, q in zip(block.qubits, item.qubits, strict=True)},
                {inner: clbits[c] for inner, c in zip(block.clbits, item.clbits, strict=True)},
            )
            yield "}"


def _exact(value: Any) -> str:
    """Return a parameter without rounding; 1 and 1.0 are the same angle."""
    try:
        return float(value).hex()
    except (TypeError, ValueError):
        return repr(value)


def _branching(operation: ControlFlowOp) -> list[Any]:
    """Return the condition of an operation's blocks, and the number of repetitions."""
    match operation.name:
        case "switch_case":
            return [operation.target, *[values for values, _ in operation.cases_specifier()]]
        case "for_loop":
            return list(operation.params[:2])
        case _:
            return [getattr(operation, "condition", None)]


def _condition_text(value: Any, clbits: Mapping[Clbit, int]) -> str:
    """Return a condition by the places of its bits in the whole circuit."""
    if isinstance(value, Clbit):
        return f"bit {clbits[value]}"
    if isinstance(value, ClassicalRegister):
        return f"bits {[clbits[bit] for bit in value]}"
    if isinstance(value, expr.Expr):
        parts = [getattr(value, name, None) for name in PARTS]
        return f"{type(value).__name__} {value.type} {_condition_text(parts, clbits)}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(_condition_text(part, clbits) for part in value)}]"
    return _exact(value)
