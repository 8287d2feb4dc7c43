"""Switches as `if` and `else`, for machines that take only these."""

from collections.abc import Sequence
from functools import reduce
from typing import TypeAlias

from qiskit import QuantumCircuit
from qiskit.circuit import (
    CASE_DEFAULT,
    CircuitInstruction,
    ClassicalRegister,
    Clbit,
    IfElseOp,
    SwitchCaseOp,
)
from qiskit.circuit.classical import expr, types

from compiler.dynamic.pieces import Reads, body_of, choice_of

Condition: TypeAlias = tuple[Clbit, int] | tuple[ClassicalRegister, int] | expr.Expr


def without_switches(circuit: QuantumCircuit) -> QuantumCircuit:
    """Return a circuit that does the same with an `if` for each case of its switches.

    The `if`s stand one after the other, none within another, as IBM's machines want them; a single
    case and the default share one as `if` and `else`. Switches whose cases write a bit that
    decides stay as they are, since a later `if` would read the new value; so do those within
    branches.

    Args:
        circuit: gates, measurements, resets and branches.
    """
    rewritten = circuit.copy_empty_like()
    for item in circuit.data:
        operation = item.operation
        if isinstance(operation, SwitchCaseOp) and not _writes_what_it_reads(circuit, item):
            _append_ifs(rewritten, operation, item)
        else:
            rewritten.append(item)
    return rewritten


def _writes_what_it_reads(circuit: QuantumCircuit, item: CircuitInstruction) -> bool:
    reads = choice_of(item.operation).reads
    bodies = [body_of(block, circuit, item) for block in item.operation.blocks]
    # A branch within a body may write the same bits.
    return any(
        inner.clbits and not set(inner.clbits).isdisjoint(reads)
        for body in bodies
        for inner in body.data
    )


def _append_ifs(circuit: QuantumCircuit, switch: SwitchCaseOp, item: CircuitInstruction) -> None:
    cases = [
        ([label for label in labels if label is not CASE_DEFAULT], CASE_DEFAULT in labels, block)
        for labels, block in switch.cases_specifier()
    ]
    default = next((block for _, is_default, block in cases if is_default), None)
    named = [(labels, block) for labels, is_default, block in cases if not is_default]
    ifs = [IfElseOp(_any_of(switch.target, labels), block) for labels, block in named]
    if default is not None and not named:
        circuit.compose(default, item.qubits, item.clbits, inplace=True)
    elif default is not None and len(named) == 1:
        ifs = [IfElseOp(ifs[0].condition, named[0][1], default)]
    elif default is not None:
        every = [label for labels, _ in named for label in labels]
        ifs.append(IfElseOp(expr.logic_not(_any_of(switch.target, every)), default))
    for each in ifs:
        circuit.append(CircuitInstruction(each, item.qubits, item.clbits))


def _any_of(target: Reads, labels: Sequence[int]) -> Condition:
    """Return the condition that the value of a switch is one of some values."""
    named = target.var if isinstance(target, expr.Var) else target
    if len(labels) == 1 and isinstance(named, Clbit | ClassicalRegister):
        return (named, int(labels[0]))
    value = expr.lift(target)
    if isinstance(value.type, types.Bool):
        tests = [value if label else expr.logic_not(value) for label in labels]
    else:
        tests = [expr.equal(value, int(label)) for label in labels]
    return reduce(expr.logic_or, tests)
