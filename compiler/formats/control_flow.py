"""Branches and loops of Qiskit circuits, with plain gates inside and loops written out."""

from collections.abc import Callable, Iterator

from qiskit import QuantumCircuit
from qiskit.circuit import (
    BreakLoopOp,
    CircuitInstruction,
    ContinueLoopOp,
    ControlFlowOp,
    ForLoopOp,
    IfElseOp,
    Operation,
    SwitchCaseOp,
)

from compiler.dynamic.pieces import body_of
from compiler.errors import CircuitFileError

LEAVES = BreakLoopOp | ContinueLoopOp
Plain = Callable[[QuantumCircuit], QuantumCircuit]


def plain_branch(operation: IfElseOp | SwitchCaseOp, plain: Plain) -> Operation:
    """Return a branch whose bodies are plain."""
    return operation.replace_blocks([plain(block) for block in operation.blocks])


def turns_of(circuit: QuantumCircuit, item: CircuitInstruction) -> Iterator[QuantumCircuit]:
    """Yield what a loop does in each turn, on all qubits and bits of its circuit.

    Raises:
        CircuitFileError: if the loop has no bound, or may be left early.
    """
    loop = item.operation
    if not isinstance(loop, ForLoopOp):
        raise CircuitFileError(
            f"'{loop.name}' has no bound; write a for loop with as many turns as needed"
        )
    values, variable, body = loop.params
    if _leaves(body):
        raise CircuitFileError(
            "a loop has 'break' or 'continue'; put an if around what follows instead"
        )
    for value in values:
        bound = (
            body if variable is None else body.assign_parameters({variable: value}, strict=False)
        )
        yield body_of(bound, circuit, item)


def _leaves(body: QuantumCircuit) -> bool:
    """Tell whether a loop's body may leave it; loops inside are asked when they are written out."""
    return any(
        isinstance(item.operation, LEAVES)
        or (
            isinstance(item.operation, ControlFlowOp)
            and not isinstance(item.operation, ForLoopOp)
            and any(_leaves(block) for block in item.operation.blocks)
        )
        for item in body.data
    )
