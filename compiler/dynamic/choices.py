"""What decides which body of a branch is run: classical bits, by a condition or a switch."""

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Any, TypeAlias

from attrs import frozen
from qiskit.circuit import (
    CASE_DEFAULT,
    ClassicalRegister,
    Clbit,
    ControlFlowOp,
    IfElseOp,
    SwitchCaseOp,
)
from qiskit.circuit.classical import expr, types

from compiler.errors import InputError

MOST_READ = 12
"""Bits that one condition may read: all their values are gone through."""

Reads: TypeAlias = ClassicalRegister | Clbit | expr.Expr
Values: TypeAlias = Mapping[Clbit, bool]

_ARITHMETIC: Mapping[expr.Binary.Op, Callable[[int, int], int]] = {
    expr.Binary.Op.BIT_AND: lambda a, b: a & b,
    expr.Binary.Op.BIT_OR: lambda a, b: a | b,
    expr.Binary.Op.BIT_XOR: lambda a, b: a ^ b,
    expr.Binary.Op.LOGIC_AND: lambda a, b: bool(a and b),
    expr.Binary.Op.LOGIC_OR: lambda a, b: bool(a or b),
    expr.Binary.Op.EQUAL: lambda a, b: a == b,
    expr.Binary.Op.NOT_EQUAL: lambda a, b: a != b,
    expr.Binary.Op.LESS: lambda a, b: a < b,
    expr.Binary.Op.LESS_EQUAL: lambda a, b: a <= b,
    expr.Binary.Op.GREATER: lambda a, b: a > b,
    expr.Binary.Op.GREATER_EQUAL: lambda a, b: a >= b,
    expr.Binary.Op.SHIFT_LEFT: lambda a, b: a << b,
    expr.Binary.Op.SHIFT_RIGHT: lambda a, b: a >> b,
    expr.Binary.Op.ADD: lambda a, b: a + b,
    expr.Binary.Op.SUB: lambda a, b: a - b,
    expr.Binary.Op.MUL: lambda a, b: a * b,
}


@frozen
class Choice:
    """Which body of a branch is run.

    Args:
        reads: the bits that decide, each once.
        body: by their values, in that order, the body's number; None for no body.
    """

    reads: tuple[Clbit, ...]
    body: Mapping[tuple[bool, ...], int | None]

    def when(self, body: int) -> list[tuple[bool, ...]]:
        """Return the values of the bits with which a body is run."""
        return [values for values, chosen in self.body.items() if chosen == body]


def choice_of(operation: ControlFlowOp) -> Choice:
    """Return what decides which of the blocks of an `if`, `else` or `switch` is run.

    Raises:
        InputError: if it reads too many bits, or something else than bits.
    """
    if isinstance(operation, IfElseOp):
        return _choice(_condition(operation.condition), lambda value: 0 if value else 1, operation)
    if isinstance(operation, SwitchCaseOp):
        return _choice(operation.target, _case(operation), operation)
    raise InputError(f"'{operation.name}' is no branch")


def _condition(condition: tuple[Clbit | ClassicalRegister, int] | expr.Expr) -> expr.Expr:
    return condition if isinstance(condition, expr.Expr) else expr.lift_legacy_condition(condition)


def _case(operation: SwitchCaseOp) -> Callable[[int], int | None]:
    cases: dict[Any, int] = {}
    for body, (labels, _) in enumerate(operation.cases_specifier()):
        for label in labels:
            cases.setdefault(label if label is CASE_DEFAULT else int(label), body)
    return lambda value: cases.get(value, cases.get(CASE_DEFAULT))


def _choice(decides: Reads, body: Callable[[int], int | None], operation: ControlFlowOp) -> Choice:
    reads = tuple(dict.fromkeys(_bits(decides)))
    if len(reads) > MOST_READ:
        raise InputError(
            f"a condition reads {len(reads)} bits; at most {MOST_READ} are taken: compare fewer"
        )
    bodies = range(len(operation.blocks))
    chosen: dict[tuple[bool, ...], int | None] = {}
    for values in product((False, True), repeat=len(reads)):
        number = body(_value(decides, dict(zip(reads, values, strict=True))))
        chosen[values] = number if number in bodies else None
    return Choice(reads, chosen)


def _bits(node: Reads) -> Iterator[Clbit]:
    if isinstance(node, Clbit):
        yield node
    elif isinstance(node, ClassicalRegister):
        yield from node
    else:
        for part in expr.iter_vars(node):
            if isinstance(part.var, Clbit | ClassicalRegister):
                yield from _bits(part.var)
            else:
                raise InputError(
                    f"a condition reads the variable '{part.name}'; only measured bits are taken"
                )


def _value(node: Any, values: Values) -> int:
    """Return what an expression is, given the values of the bits that it reads."""
    match node:
        case Clbit():
            return values[node]
        case ClassicalRegister():
            return sum(values[bit] << place for place, bit in enumerate(node))
        case expr.Var():
            return _value(node.var, values)
    if isinstance(node, expr.Expr):
        return _within(_computed(node, values), node.type)
    raise InputError(f"a condition has a part that is not taken: {type(node).__name__}")


def _computed(node: expr.Expr, values: Values) -> int:
    """Return what an operation of an expression gives, before its type cuts it."""
    match node:
        case expr.Value():
            return int(node.value)
        case expr.Cast():
            return _value(node.operand, values)
        case expr.Index():
            return _value(node.target, values) >> _value(node.index, values) & 1
        case expr.Unary():
            inside = _value(node.operand, values)
            return not inside if node.op is expr.Unary.Op.LOGIC_NOT else ~inside
        case expr.Binary() if node.op in _ARITHMETIC:
            return _ARITHMETIC[node.op](_value(node.left, values), _value(node.right, values))
    raise InputError(f"a condition has a part that is not taken: {type(node).__name__}")


def _within(value: int, type_: types.Type) -> int:
    """Return a value as its type holds it."""
    return value & (1 << type_.width) - 1 if isinstance(type_, types.Uint) else bool(value)
