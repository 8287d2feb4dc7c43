"""Circuits that branch, as other compilers take them."""

from collections.abc import Iterator
from copy import deepcopy
from itertools import product

from qiskit import QuantumCircuit
from qiskit.circuit import (
    CircuitInstruction,
    ClassicalRegister,
    Clbit,
    IfElseOp,
    Reset,
    SwitchCaseOp,
)
from qiskit.transpiler import Target

from compiler.dynamic.pieces import Choice, choice_of
from compiler.errors import LoweringError

BRANCHES = {"if_else": IfElseOp, "switch_case": SwitchCaseOp}


def branching(target: Target) -> Target:
    """Return a target that also has resets, `if`, `else` and `switch`, as ours all may."""
    wider = deepcopy(target)
    if "reset" not in target.operation_names:
        wider.add_instruction(Reset(), {(qubit,): None for qubit in range(target.num_qubits)})
    for name, operation in BRANCHES.items():
        if name not in target.operation_names:
            wider.add_instruction(operation, name=name)
    return wider


def written_out(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit whose branches compare a bit or a register with one value each.

    A body that several values lead to stands once for each of them; at most one of these is run.

    Raises:
        LoweringError: if a branch has another one or measures in a body, or reads several
            registers.
    """
    result = circuit.copy_empty_like()
    for item in circuit.data:
        operation = item.operation
        if not isinstance(operation, IfElseOp | SwitchCaseOp):
            result.append(item)
            continue
        choice = choice_of(operation)
        for body, block in enumerate(operation.blocks):
            if any(inner.clbits for inner in block.data):
                raise LoweringError("a branch has another one, or measures, within")
            plain = QuantumCircuit(block.qubits)
            for inner in block.data:
                plain.append(inner)
            for condition in _comparisons(circuit, choice, body):
                bits = list(condition[0]) if isinstance(condition[0], ClassicalRegister) else []
                bits = bits or [condition[0]]
                body_circuit = QuantumCircuit(block.qubits, bits)
                if isinstance(condition[0], ClassicalRegister):
                    body_circuit.add_register(condition[0])
                body_circuit.compose(plain, block.qubits, inplace=True)
                result.append(
                    CircuitInstruction(IfElseOp(condition, body_circuit), item.qubits, bits)
                )
    return result


def _comparisons(
    circuit: QuantumCircuit, choice: Choice, body: int
) -> Iterator[tuple[Clbit, int] | tuple[ClassicalRegister, int]]:
    if len(choice.reads) == 1:
        (bit,) = choice.reads
        for value in (False, True):
            if choice.body({bit: value}) == body:
                yield bit, int(value)
        return
    register = next((each for each in circuit.cregs if set(choice.reads) <= set(each)), None)
    if register is None:
        raise LoweringError("a condition reads several registers")
    for values in product((False, True), repeat=register.size):
        if choice.body(dict(zip(register, values, strict=True))) == body:
            yield register, sum(value << place for place, value in enumerate(values))
