"""Capabilities that a circuit needs besides gates and final measurements."""

from collections import defaultdict
from collections.abc import Iterator
from enum import StrEnum

from qiskit import QuantumCircuit
from qiskit.circuit import IfElseOp
from qiskit.circuit.classical import expr, types

from compiler.dynamic.pieces import (
    Branch,
    Event,
    Pieces,
    Segment,
    acted_on,
    final_part,
    pieces_of,
    walked,
)


class Need(StrEnum):
    """Capability that some backends lack, by its name in messages."""

    MEASUREMENT = "mid-circuit measurements"
    RESET = "resets"
    IF = "if and else"
    EXPRESSION = "conditions other than a bit or register with one value"
    ARITHMETIC = "conditions that add, subtract, multiply or shift"
    INDEX = "conditions that read a bit by a computed index"
    TRUTH = "conditions that use a number as a truth value (write != 0)"
    SWITCH = "switch"
    NESTED = "branches within branches"
    MEASUREMENT_WITHIN = "measurements within branches"
    RESET_WITHIN = "resets within branches"
    SEVERAL_BITS = "conditions on several bits"
    ENTANGLED_WITHIN = "gates on several qubits within branches"
    SEVERAL_SOURCES = "qubits controlled by bits of several qubits"


EVERYTHING = frozenset(Need)
ARITHMETIC = {"ADD", "SUB", "MUL", "SHIFT_LEFT", "SHIFT_RIGHT"}


def measures(circuit: QuantumCircuit) -> bool:
    """Return whether a circuit measures anything, on the way or last."""
    remaining, measured = final_part(circuit)
    return bool(measured) or any(
        isinstance(piece, Event) and piece.clbit is not None
        for piece in walked(pieces_of(remaining))
    )


def needs_of(circuit: QuantumCircuit) -> frozenset[Need]:
    """Return the capabilities that a circuit needs besides gates and final measurements."""
    pieces = pieces_of(final_part(circuit)[0])
    needs = frozenset(_needs(pieces, within=False))
    return needs | {Need.SEVERAL_SOURCES} if _has_several_sources(circuit, pieces) else needs


def _has_several_sources(circuit: QuantumCircuit, pieces: Pieces) -> bool:
    """Return whether bits that were measured on two qubits decide about one."""
    place = {bit: i for i, bit in enumerate(circuit.clbits)}
    measured, steered = defaultdict[int | None, set[int]](set), defaultdict[int, set[int]](set)
    for piece in walked(pieces):
        if isinstance(piece, Event):
            measured[piece.clbit].add(piece.qubit)
    for qubit in measured[None]:
        steered[qubit].add(qubit)
    for piece in walked(pieces):
        if isinstance(piece, Branch):
            by = {q for bit in piece.choice.reads for q in measured[place[bit]]}
            for qubit in (qubit for body in piece.bodies for qubit in _acted(body)):
                steered[qubit] |= by
    return any(len(sources) > 1 for sources in steered.values())


def _acted(pieces: Pieces) -> Iterator[int]:
    for piece in walked(pieces):
        if isinstance(piece, Event):
            yield piece.qubit
        if isinstance(piece, Segment):
            yield from acted_on(piece.circuit)


def _needs(pieces: Pieces, *, within: bool) -> Iterator[Need]:
    for piece in pieces:
        match piece:
            case Event(_, None):
                yield Need.RESET_WITHIN if within else Need.RESET
            case Event():
                yield Need.MEASUREMENT_WITHIN if within else Need.MEASUREMENT
            case Segment() if within and piece.circuit.num_nonlocal_gates():
                yield Need.ENTANGLED_WITHIN
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
    if len(branch.choice.reads) > 1:
        yield Need.SEVERAL_BITS
    if isinstance(decides, expr.Expr) and not _is_plain(decides):
        yield Need.EXPRESSION
        parts = list(_parts(decides))
        if any(isinstance(part, expr.Binary) and part.op.name in ARITHMETIC for part in parts):
            yield Need.ARITHMETIC
        if any(isinstance(part, expr.Index) for part in parts):
            yield Need.INDEX
        if any(_is_truth(part) for part in parts):
            yield Need.TRUTH


def _is_plain(node: expr.Expr) -> bool:
    """Return whether an expression is a bit, its opposite, or a register with a value."""
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


def _is_truth(node: expr.Expr) -> bool:
    return (
        isinstance(node, expr.Cast)
        and isinstance(node.type, types.Bool)
        and not isinstance(node.operand.type, types.Bool)
    )


def _parts(node: expr.Expr) -> Iterator[expr.Expr]:
    """Yield an expression and everything that it is made of."""
    yield node
    for name in ("left", "right", "operand", "target", "index"):
        if hasattr(node, name):
            yield from _parts(getattr(node, name))
