"""Qiskit's classical expressions, some of whose bits are not known yet."""

import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any, TypeAlias

from qiskit.circuit import ClassicalRegister, Clbit
from qiskit.circuit.classical import expr, types

from compiler.errors import InputError

Bit: TypeAlias = bool | Clbit
"""A value, or where that is not known, a classical bit to ask for."""

Word: TypeAlias = Sequence[Bit]
"""A number, the lowest bit first."""

Known: TypeAlias = Mapping[Clbit, bool]

Operation: TypeAlias = Callable[[Word, Word, int], Word]
"""Operations on two numbers of so many bits."""


def read_bits(node: ClassicalRegister | Clbit | expr.Expr) -> Iterator[Clbit]:
    """Yield the bits that an expression reads.

    Raises:
        InputError: if it reads something else.
    """
    if isinstance(node, Clbit):
        yield node
    elif isinstance(node, ClassicalRegister):
        yield from node
    else:
        for part in expr.iter_vars(node):
            if not isinstance(part.var, Clbit | ClassicalRegister):
                raise InputError(
                    f"a condition reads the variable '{part.name}'; only measured bits are taken"
                )
            yield from read_bits(part.var)


def value_of(node: Any, values: Known) -> Word:
    """Return the value of an expression, as far as it follows from the known bits.

    Raises:
        InputError: if it has a part that is not taken.
    """
    if isinstance(node, expr.Var | Clbit | ClassicalRegister):
        return [values.get(bit, bit) for bit in read_bits(node)]
    match node:
        case expr.Value():
            return _word(int(node.value), _width(node))
        case expr.Cast():
            return _cast(value_of(node.operand, values), node)
        case expr.Unary() if node.op in _UNARY:
            return _UNARY[node.op](value_of(node.operand, values))
        case expr.Index():
            return _index(value_of(node.target, values), value_of(node.index, values))
        case expr.Binary() if node.op in _BINARY:
            sides = value_of(node.left, values), value_of(node.right, values)
            return _BINARY[node.op](*sides, _width(node))
    named = getattr(getattr(node, "op", None), "name", type(node).__name__)
    raise InputError(f"a condition has a part that is not taken: {named}")


def _width(node: expr.Expr) -> int:
    match node.type:
        case types.Bool():
            return 1
        case types.Uint(width=width):
            return int(width)
    raise InputError(f"a condition has a part that is not taken: {node.type.__class__.__name__}")


def _word(value: int, width: int) -> Word:
    return [bool(value >> place & 1) for place in range(width)]


def _number(word: Word) -> int:
    return sum(1 << place for place, bit in enumerate(word) if bit)


def _unknown(word: Word) -> Clbit | None:
    """Return the highest bit that is not known."""
    return next((bit for bit in reversed(word) if isinstance(bit, Clbit)), None)


def _cast(word: Word, node: expr.Cast) -> Word:
    if isinstance(node.type, types.Bool):
        return [_any(word)]
    width = _width(node)
    return [*word[:width], *[False] * (width - len(word))]


def _index(word: Word, place: Word) -> Word:
    if (bit := _unknown(place)) is not None:
        return [bit]
    number = _number(place)
    return [word[number] if number < len(word) else False]


def _shifted(*, left: bool) -> Operation:
    def shifted(word: Word, by: Word, width: int) -> Word:
        if (bit := _unknown(by)) is not None:
            return [bit] * width
        places = min(_number(by), width)
        empty = [False] * places
        return [*empty, *word][:width] if left else [*word[places:], *empty]

    return shifted


def _counted(of: Callable[[int, int], int]) -> Operation:
    """Return an operation that is known only where all bits are."""

    def counted(left: Word, right: Word, width: int) -> Word:
        if (bit := _unknown([*left, *right])) is not None:
            return [bit] * width
        return _word(of(_number(left), _number(right)), width)

    return counted


def _bitwise(of: Callable[[Bit, Bit], Bit]) -> Operation:
    return lambda left, right, _: [of(a, b) for a, b in _beside(left, right)]


def _beside(left: Word, right: Word) -> list[tuple[Bit, Bit]]:
    return list(zip_longest(left, right, fillvalue=False))


def _not(bit: Bit) -> Bit:
    return bit if isinstance(bit, Clbit) else not bit


def _and(a: Bit, b: Bit) -> Bit:
    if a is False or b is False:
        return False
    return b if a is True else a


def _or(a: Bit, b: Bit) -> Bit:
    return _not(_and(_not(a), _not(b)))


def _xor(a: Bit, b: Bit) -> Bit:
    if isinstance(a, Clbit) or isinstance(b, Clbit):
        return a if isinstance(a, Clbit) else b
    return a != b


def _any(word: Word) -> Bit:
    """Return whether a number is not 0."""
    if any(bit is True for bit in word):
        return True
    unknown = _unknown(word)
    return False if unknown is None else unknown


def _differ(left: Word, right: Word) -> Bit:
    return _any([_xor(a, b) for a, b in _beside(left, right)])


def _less(left: Word, right: Word) -> Bit:
    """Compare from the highest bit down."""
    if _number([bit is not False for bit in left]) < _number([bit is True for bit in right]):
        return True
    if _number([bit is True for bit in left]) >= _number([bit is not False for bit in right]):
        return False
    for a, b in reversed(_beside(left, right)):
        if isinstance(a, Clbit) or isinstance(b, Clbit):
            return a if isinstance(a, Clbit) else b
        if a != b:
            return b
    return False


_UNARY: Mapping[expr.Unary.Op, Callable[[Word], Word]] = {
    expr.Unary.Op.LOGIC_NOT: lambda word: [_not(_any(word))],
    expr.Unary.Op.BIT_NOT: lambda word: [_not(bit) for bit in word],
}
_BINARY: Mapping[expr.Binary.Op, Operation] = {
    expr.Binary.Op.BIT_AND: _bitwise(_and),
    expr.Binary.Op.BIT_OR: _bitwise(_or),
    expr.Binary.Op.BIT_XOR: _bitwise(_xor),
    expr.Binary.Op.LOGIC_AND: lambda a, b, _: [_and(_any(a), _any(b))],
    expr.Binary.Op.LOGIC_OR: lambda a, b, _: [_or(_any(a), _any(b))],
    expr.Binary.Op.EQUAL: lambda a, b, _: [_not(_differ(a, b))],
    expr.Binary.Op.NOT_EQUAL: lambda a, b, _: [_differ(a, b)],
    expr.Binary.Op.LESS: lambda a, b, _: [_less(a, b)],
    expr.Binary.Op.LESS_EQUAL: lambda a, b, _: [_not(_less(b, a))],
    expr.Binary.Op.GREATER: lambda a, b, _: [_less(b, a)],
    expr.Binary.Op.GREATER_EQUAL: lambda a, b, _: [_not(_less(a, b))],
    expr.Binary.Op.SHIFT_LEFT: _shifted(left=True),
    expr.Binary.Op.SHIFT_RIGHT: _shifted(left=False),
    expr.Binary.Op.ADD: _counted(operator.add),
    expr.Binary.Op.SUB: _counted(operator.sub),
    expr.Binary.Op.MUL: _counted(operator.mul),
}
