"""What a circuit asks of a machine besides gates and final measurements."""

from collections.abc import Iterator
from enum import StrEnum

from qiskit import QuantumCircuit
from qiskit.circuit import IfElseOp
from qiskit.circuit.classical import expr

from compiler.dynamic.pieces import Branch, Event, Pieces, final_part, pieces_of, walked


class Need(StrEnum):
    """Something that not every machine can do, as messages call it."""

    MEASUREMENT = "measurements on the way"
    RESET = "resets"
    IF = "if and else"
    EXPRESSION = "conditions other than a bit or register with one value"
    ARITHMETIC = "conditions that add, subtract, multiply or shift"
    SWITCH = "switch"
    NESTED = "branches within branches"
    MEASUREMENT_WITHIN = "measurements within branches"
    RESET_WITHIN = "resets within branches"


EVERYTHING = frozenset(Need)
ARITHMETIC = frozenset(
    {
        expr.Binary.Op.ADD,
        expr.Binary.Op.SUB,
        expr.Binary.Op.MUL,
        expr.Binary.Op.SHIFT_LEFT,
        expr.Binary.Op.SHIFT_RIGHT,
    }
)


def measures(circuit: QuantumCircuit) -> bool:
    """Tell whether a circuit measures anything, on the way or last."""
    rest, measured = final_part(circuit)
    return bool(measured) or any(
        isinstance(piece, Event) and piece.clbit is not None for piece in walked(pieces_of(rest))
    )


def needs_of(circuit: QuantumCircuit) -> frozenset[Need]:
    """Return what a circuit asks of a machine besides gates and final measurements."""
    return frozenset(_needs(pieces_of(final_part(circuit)[0]), within=False))


def _needs(pieces: Pieces, *, within: bool) -> Iterator[Need]:
    for piece in pieces:
        match piece:
            case Event(_, None):
                yield Need.RESET_WITHIN if within else Need.RESET
            case Event():
                yield Need.MEASUREMENT_WITHIN if within else Need.MEASUREMENT
            case Branch():
                yield from _needs_of_branch(piece)
                if within:
                    yield Need.NESTED
                for body in piece.bodies:
                    yield from _needs(body, within=True)


def _needs_of_branch(branch: Branch) -> Iterator[Need]:
    operation = branch.operation
    decides = operation.condition if isinstance(operation, IfElseOp) else operation.target
    yield Need.IF if isinstance(operation, IfElseOp) else Need.SWITCH
    if isinstance(decides, expr.Expr) and not _is_plain(decides):
        yield Need.EXPRESSION
        if _computes(decides):
            yield Need.ARITHMETIC


def _is_plain(node: expr.Expr) -> bool:
    """Tell whether an expression is a bit, its opposite, or a register with a value."""
    match node:
        case expr.Var():
            return True
        case expr.Unary():
            return node.op is expr.Unary.Op.LOGIC_NOT and isinstance(node.operand, expr.Var)
        case expr.Binary():
            sides = (node.left, node.right)
            return (
                node.op is expr.Binary.Op.EQUAL
                and any(isinstance(side, expr.Var) for side in sides)
                and any(isinstance(side, expr.Value) for side in sides)
            )
    return False


def _computes(node: expr.Expr) -> bool:
    match node:
        case expr.Binary():
            return node.op in ARITHMETIC or _computes(node.left) or _computes(node.right)
        case expr.Unary() | expr.Cast():
            return _computes(node.operand)
    return False
