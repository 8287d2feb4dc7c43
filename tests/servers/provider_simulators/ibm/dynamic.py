"""What a simulated IBM takes of circuits that branch: what IBM's guide allows."""

from qiskit import QuantumCircuit
from qiskit.circuit import ClassicalRegister, ControlFlowOp, IfElseOp, Measure, Reset
from qiskit.circuit.classical import expr

from tests.servers.provider_simulators.protocol import Refusal

MAX_BITS = 32
"""Of an operand of a condition."""


def check_dynamic(circuit: QuantumCircuit) -> None:
    """Refuse what the guide on executing dynamic circuits excludes.

    Raises:
        Refusal: 400, saying what.
    """
    for item in circuit.data:
        operation = item.operation
        if not isinstance(operation, ControlFlowOp):
            continue
        if not isinstance(operation, IfElseOp):
            raise _unsupported(f"control flow '{operation.name}'")
        if any(width > MAX_BITS for width in _widths(operation.condition)):
            raise _unsupported(f"an operand of more than {MAX_BITS} bits")
        for inner in (inner for block in operation.blocks for inner in block.data):
            if isinstance(inner.operation, ControlFlowOp | Measure | Reset):
                raise _unsupported(f"'{inner.operation.name}' within a branch")


def _widths(condition: object) -> list[int]:
    if isinstance(condition, expr.Expr):
        read = [variable.var for variable in expr.iter_vars(condition)]
    else:
        read = [condition[0]] if isinstance(condition, tuple) else []
    return [each.size if isinstance(each, ClassicalRegister) else 1 for each in read]


def _unsupported(what: str) -> Refusal:
    return Refusal(400, "1216", f"the device does not support {what}")
