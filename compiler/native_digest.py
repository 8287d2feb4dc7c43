"""Digests by which two circuits are the same, however they were made or named."""

from collections.abc import Callable
from hashlib import sha256
from itertools import product

import numpy as np
from qiskit import QuantumCircuit
from qiskit.circuit import CircuitInstruction, ControlFlowOp, Delay, Operation

from compiler.dynamic.pieces import Choice, body_of, choice_of
from compiler.synthesis.method import Operator

STANDARD_GATES = "qiskit.circuit.library.standard_gates"
"""The package of gates that are known by their names and parameters."""

Digest = Callable[[QuantumCircuit], str]
Text = Callable[[object], str]

DECIMALS = 9
"""Places of a parameter that tell two programs apart."""

MAX_LISTED = 12
"""Bits of a condition up to which a digest goes through all their values."""


def native_digest(circuit: QuantumCircuit) -> str:
    """Return the SHA-256 of a native circuit's canonical text, in hexadecimal.

    A line for every instruction: its name, its exact parameters, its qubits, and the classical
    bits that it measures into; for a branch the values that lead to each body, and the bodies'
    digests. Lines are sorted by layer, an instruction being in the first one after all that act
    on its qubits or bits before it, and then by their text: the order in which instructions of
    different qubits were appended does not matter. Names of registers and the global phase are
    left out, for no measurement notices them.
    """
    return _digest(circuit, native_digest, _exact)


def program_digest(circuit: QuantumCircuit) -> str:
    """Return the SHA-256 of a program's canonical text, in hexadecimal.

    The text is that of `native_digest` once gates that are neither standard gates nor operators
    are written out by their definitions, with parameters to `DECIMALS` places. So whitespace,
    comments, the names of registers and gates, the order of instructions on different qubits and
    the rounding of another processor do not matter.
    """
    return _digest(_written_out(circuit), program_digest, _rounded)


def _written_out(circuit: QuantumCircuit) -> QuantumCircuit:
    flat = circuit.copy_empty_like()
    for item in circuit.data:
        definition = _definition(item.operation)
        if definition is None:
            flat.append(item)
        else:
            flat.compose(_written_out(definition), item.qubits, item.clbits, inplace=True)
    return flat


def _definition(operation: Operation) -> QuantumCircuit | None:
    """Return the circuit that an operation of a user's own stands for."""
    if isinstance(operation, ControlFlowOp | Operator):
        return None
    base = getattr(operation, "base_class", type(operation))
    return None if base.__module__.startswith(STANDARD_GATES) else operation.definition


def _digest(circuit: QuantumCircuit, body_digest: Digest, number: Text) -> str:
    busy: dict[object, int] = {}
    lines = []
    for item in circuit.data:
        wires = (*item.qubits, *item.clbits)
        layer = 1 + max((busy.get(wire, 0) for wire in wires), default=0)
        busy.update(dict.fromkeys(wires, layer))
        qubits = ",".join(str(circuit.find_bit(qubit).index) for qubit in item.qubits)
        bits = ",".join(str(circuit.find_bit(bit).index) for bit in item.clbits)
        lines.append((layer, f"{_named(item, circuit, body_digest, number)} {qubits} -> {bits}"))
    text = "\n".join(line for _, line in sorted(lines))
    return sha256(f"{circuit.num_clbits} bits\n{text}".encode()).hexdigest()


def _named(
    item: CircuitInstruction, circuit: QuantumCircuit, body_digest: Digest, number: Text
) -> str:
    operation = item.operation
    if isinstance(operation, ControlFlowOp):
        return _branch(item, circuit, body_digest)
    unit = operation.unit if isinstance(operation, Delay) else ""
    return f"{operation.name}({','.join(map(number, operation.params))}){unit}"


def _branch(item: CircuitInstruction, circuit: QuantumCircuit, body_digest: Digest) -> str:
    """Return a branch by the values that lead to each body, and the operations of the bodies."""
    choice = choice_of(item.operation)
    reads = ",".join(str(circuit.find_bit(bit).index) for bit in choice.reads)
    bodies = [body_of(block, circuit, item) for block in item.operation.blocks]
    return f"branch({reads};{_table(choice)};{','.join(map(body_digest, bodies))})"


def _table(choice: Choice) -> str:
    """Return the bodies for all values of the bits, or for those that tell bodies apart."""
    reads = choice.reads
    if len(reads) <= MAX_LISTED:
        listed = product((False, True), repeat=len(reads))
        bodies = [choice.body(dict(zip(reads, values, strict=True))) for values in listed]
        return ",".join(map(_body, bodies))
    place = {bit: i for i, bit in enumerate(reads)}
    cases = [
        "".join(f"{'+' if value else '-'}{place[bit]}" for bit, value in values.items())
        + f":{_body(body)}"
        for values, body in choice.cases()
    ]
    return ",".join(cases)


def _body(number: int | None) -> str:
    return "-" if number is None else str(number)


def _rounded(parameter: object) -> str:
    """Return a number or matrix to `DECIMALS` places, 0 with one sign only."""
    if isinstance(parameter, np.ndarray):
        return _exact(np.round(parameter, DECIMALS) + 0)
    try:
        return _exact(round(float(parameter), DECIMALS) + 0)  # type: ignore[arg-type]
    except TypeError:
        return _exact(parameter)


def _exact(parameter: object) -> str:
    """Return a number to the last bit, 0 with one sign only; a matrix by its digest."""
    if isinstance(parameter, np.ndarray):
        return sha256(np.ascontiguousarray(parameter, dtype=complex).tobytes()).hexdigest()
    try:
        return (float(parameter) + 0.0).hex()  # type: ignore[arg-type]
    except TypeError:
        return repr(parameter)
