"""Values of classical expressions: known, tabulated over measured bits, or wide registers.

Qiskit's expressions know unsigned numbers only, and not all machines take them. So values that
depend on few measured bits are tabulated: one value for each combination of the bits. Results are
computed value by value, by the same functions that compute constants.

Classical types of OpenQASM 3, and conversions between their values.

Sources: the specification's pages "Types and Casting" and "Classical instructions", version 3.1.
Where the specification leaves a choice: `int`, `uint` and `angle` without a size have 64 bits,
values that do not fit are reduced modulo 2^width, and a register of another width than the number
that it is cast to is extended with zeros or cut off.

Truth values of measured bits as Qiskit's expressions, in the form that most machines take.

A single bit, a register with one value, and comparisons of a whole register come out as such;
everything else as `and`, `or` and `not` of bits. No register is made for a condition, so that
all written circuits can be read by others.
"""

import struct
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from functools import reduce
from math import isfinite, tau
from typing import Any, TypeAlias

from attrs import define, frozen
from qiskit.circuit import ClassicalRegister, Clbit, ParameterExpression
from qiskit.circuit.classical import expr

from compiler.formats.openqasm.version_3.circuit import ProgramError, UncomputableError

MACHINE_WIDTH = 64
"""Bits of `int`, `uint`, `float` and `angle` without a size."""

Number = int | float
"""A value: 0 or 1 of a `bool`, the bit pattern of a register, an integer, a real number, an angle
in units of 2π / 2^width, or a duration in seconds."""


class Kind(StrEnum):
    """The classical types; a single `bit` is a `bool`, because they are interchangeable."""

    BOOL = "bool"
    BITS = "bit"
    INT = "int"
    UINT = "uint"
    FLOAT = "float"
    ANGLE = "angle"
    DURATION = "duration"


INTEGERS = frozenset({Kind.INT, Kind.UINT})
BIT_LIKE = frozenset({Kind.BOOL, Kind.BITS})
CASTS: Mapping[Kind, frozenset[Kind]] = {
    Kind.BOOL: frozenset(Kind) - {Kind.DURATION},
    Kind.INT: INTEGERS | BIT_LIKE | {Kind.FLOAT},
    Kind.UINT: INTEGERS | BIT_LIKE | {Kind.FLOAT},
    Kind.FLOAT: INTEGERS | {Kind.BOOL, Kind.FLOAT},
    Kind.ANGLE: frozenset({Kind.FLOAT, Kind.ANGLE, Kind.BITS}),
    Kind.BITS: INTEGERS | {Kind.BITS, Kind.ANGLE, Kind.BOOL},
    Kind.DURATION: frozenset({Kind.DURATION}),
}
"""By the type of the result, the types that can be cast; registers keep their width."""

FLOAT_FORMATS: Mapping[int, str] = {16: "e", 32: "f", 64: "d"}


@frozen
class Type:
    """A classical type.

    Args:
        kind: of the values.
        width: in bits; None where the program gives none.
        const: whether values are known at compile time by the rules of the language.
    """

    kind: Kind
    width: int | None = None
    const: bool = False

    @property
    def bits(self) -> int:
        """Return the number of bits of a value."""
        if self.kind is Kind.BOOL:
            return 1
        return MACHINE_WIDTH if self.width is None else self.width

    def __str__(self) -> str:
        return str(self.kind) if self.width is None else f"{self.kind}[{self.width}]"


def wrapped(value: Number, type_: Type) -> Number:
    """Return a value of a type, reduced to its width; a symbolic one as it is."""
    if isinstance(value, ParameterExpression):
        return value
    match type_.kind:
        case Kind.BOOL:
            return int(value != 0)
        case Kind.FLOAT:
            return _rounded(float(value), type_.bits)
        case Kind.DURATION:
            return float(value)
        case Kind.INT:
            half = 1 << (type_.bits - 1)
            return (int(value) + half) % (2 * half) - half
    return int(value) % (1 << type_.bits)


def _rounded(value: float, width: int) -> float:
    if width == MACHINE_WIDTH or not isfinite(value):
        return value
    try:
        (rounded,) = struct.unpack(FLOAT_FORMATS[width], struct.pack(FLOAT_FORMATS[width], value))
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
    return float(rounded)


def can_cast(source: Type, target: Type) -> bool:
    """Return whether an explicit cast is allowed."""
    if source.kind not in CASTS[target.kind]:
        return False
    as_pattern = target.kind is Kind.BITS or (target.kind, source.kind) == (Kind.ANGLE, Kind.BITS)
    return not as_pattern or source.kind is Kind.BOOL or source.bits == target.bits


def can_convert(source: Type, target: Type) -> bool:
    """Return whether a value may be assigned or passed without a cast."""
    match target.kind:
        case Kind.INT | Kind.UINT:
            return source.kind in INTEGERS | BIT_LIKE
        case Kind.ANGLE:
            # A constant integer is promoted to a constant float, which is taken for an angle.
            return (source.kind in INTEGERS and source.const) or can_cast(source, target)
        case Kind.BITS:
            return source.kind is not Kind.BOOL and can_cast(source, target)
    return can_cast(source, target)


def converted(value: Number, source: Type, target: Type) -> Number:
    """Return a value as another type, for conversions that `can_cast` or `can_convert` allow."""
    if target.kind is Kind.ANGLE:
        return _angle(value, source, target.bits)
    return wrapped(value, target)


def _angle(value: Number, source: Type, width: int) -> int:
    """Return an angle in units of 2π / 2^width, the nearest one, the even one of two."""
    if source.kind is Kind.ANGLE:
        turn = Fraction(int(value), 1 << source.bits)
    elif source.kind is Kind.BITS:
        turn = Fraction(int(value), 1 << width)
    else:
        if not isfinite(value):
            raise ValueError(f"{value} is no angle")
        turn = Fraction(value) / Fraction(tau)
    return round(turn * (1 << width)) % (1 << width)


def radians(value: Number, type_: Type) -> float:
    """Return a number as a gate's parameter, in radians."""
    if type_.kind is Kind.ANGLE:
        return tau * float(Fraction(int(value), 1 << type_.bits))
    return value if isinstance(value, ParameterExpression) else float(value)


def common_integer(left: Type, right: Type) -> Type:
    """Return the type in which two integers meet, by the usual arithmetic conversions of C99."""
    const = left.const and right.const
    wide, narrow = (left, right) if left.bits >= right.bits else (right, left)
    if left.bits == right.bits and Kind.UINT in (left.kind, right.kind):
        return Type(Kind.UINT, _width(wide, narrow), const)
    return Type(wide.kind, _width(wide, narrow), const)


def _width(wide: Type, narrow: Type) -> int | None:
    if wide.bits == narrow.bits and None in (wide.width, narrow.width):
        return None
    return wide.width


def as_integer(type_: Type) -> Type:
    """Return the integer type that a value has in arithmetic: a `bool` is an `int`, as in C99."""
    if type_.kind is Kind.BOOL:
        return Type(Kind.INT, const=type_.const)
    if type_.kind is Kind.BITS:
        return Type(Kind.UINT, type_.bits, type_.const)
    return type_


MAX_TABLE_BITS = 12
"""Bits over which values are tabulated."""


class TooWideError(ProgramError):
    """A value depends on more measured bits than can be followed."""

    def __init__(self, what: str = "a condition tells too many values of measured bits apart"):
        super().__init__(
            f"{what}; compare whole registers with numbers, and join the comparisons by && and ||"
        )


@frozen
class Table:
    """A value for each combination of some measured bits.

    Args:
        bits: numbers of classical bits, ascending.
        values: 2^len(bits) values; bit j of the index is the bit `bits[j]`.
    """

    bits: tuple[int, ...]
    values: tuple[Number, ...]


@frozen
class Word:
    """A number that is made of more measured bits than a table holds, the lowest bit first."""

    bits: tuple[int, ...]


@frozen
class Formula:
    """A truth value of more measured bits than a table holds, as Qiskit's expression."""

    expression: expr.Expr
    bits: frozenset[int]


NO_SYMBOLS = (
    "an input parameter stands where a number is needed; use it in angles only, with + - * / ** "
    "sin cos tan arcsin arccos arctan exp log, or bind it to a number"
)


Content: TypeAlias = Number | Table | Word | Formula | ParameterExpression


@frozen
class Value:
    """A classical value with its type."""

    type: Type
    content: Content

    @property
    def known(self) -> Number | None:
        """Return the number, None if it depends on measured bits."""
        return self.content if isinstance(self.content, int | float) else None

    @property
    def reads(self) -> frozenset[int]:
        """Return the measured bits that it depends on."""
        match self.content:
            case Table(bits=bits) | Word(bits=bits):
                return frozenset(bits)
            case Formula(bits=bits):
                return bits
        return frozenset()


def word_value(type_: Type, bits: Sequence[int]) -> Value:
    """Return the value of different measured bits, the lowest first."""
    if len(bits) > MAX_TABLE_BITS:
        return Value(type_, Word(tuple(bits)))
    measured = sorted(bits)
    places = [measured.index(bit) for bit in bits]

    def number(index: int) -> Number:
        pattern = sum((index >> place & 1) << i for i, place in enumerate(places))
        return converted(pattern, Type(Kind.BITS, len(bits)), type_)

    return tabulated(type_, measured, [number(index) for index in range(1 << len(measured))])


def tabulated(type_: Type, bits: Sequence[int], values: Sequence[Number]) -> Value:
    """Return a value that depends on bits, without those that make no difference."""
    read, table = list(bits), list(values)
    for place in reversed(range(len(read))):
        half = 1 << place
        off = [value for i, value in enumerate(table) if not i & half]
        if off == [value for i, value in enumerate(table) if i & half]:
            table = off
            del read[place]
    if not read:
        return Value(type_, table[0])
    return Value(type_, Table(tuple(read), tuple(table)))


def applied(type_: Type, function: Callable[..., Number], *arguments: Value) -> Value:
    """Return the result of a function of numbers, as a constant if all arguments are.

    Args:
        type_: of the result; values are reduced to its width.
        function: takes as many numbers as there are arguments.
        arguments: known or tabulated.

    Raises:
        ProgramError: if it takes no input parameters, or the result is no real number.
        TooWideError: if the result depends on too many bits.
    """
    result = Type(type_.kind, type_.width, all(each.type.const for each in arguments))
    symbols = any(isinstance(each.content, ParameterExpression) for each in arguments)
    if symbols and (type_.kind is not Kind.FLOAT or any(each.reads for each in arguments)):
        raise ProgramError(NO_SYMBOLS)
    rows: Sequence[Sequence[Any]] = [[each.content for each in arguments]]
    bits: Sequence[int] = []
    if not symbols:
        bits, rows = combinations(arguments)
    try:
        return tabulated(result, bits, [wrapped(function(*row), result) for row in rows])
    except (AttributeError, TypeError) as error:
        if not symbols:
            raise
        raise ProgramError(NO_SYMBOLS) from error
    except ZeroDivisionError as error:
        raise UncomputableError("a division by 0") from error
    except (ValueError, OverflowError) as error:
        raise UncomputableError(f"a value cannot be computed: {error.args[-1]}") from error


def combinations(values: Sequence[Value]) -> tuple[list[int], list[tuple[Number, ...]]]:
    """Return the bits that values depend on, and the values for each combination of them.

    Raises:
        TooWideError: if they depend on too many bits.
    """
    bits = sorted(frozenset[int]().union(*(value.reads for value in values)))
    if len(bits) > MAX_TABLE_BITS or any(
        isinstance(value.content, Word | Formula) for value in values
    ):
        raise TooWideError(f"a value depends on more than {MAX_TABLE_BITS} measured bits")
    return bits, list(zip(*(_column(value, bits) for value in values), strict=True))


def _column(value: Value, bits: Sequence[int]) -> Sequence[Number]:
    """Return a value for each combination of bits, which include those that it depends on."""
    if not isinstance(value.content, Table):
        assert isinstance(value.content, int | float)
        return [value.content] * (1 << len(bits))
    places = [bits.index(bit) for bit in value.content.bits]
    return [
        value.content.values[sum((index >> place & 1) << i for i, place in enumerate(places))]
        for index in range(1 << len(bits))
    ]


RELATIONS: Mapping[str, Callable[[ClassicalRegister, int], expr.Expr]] = {
    "==": expr.equal, "!=": expr.not_equal, "<": expr.less, "<=": expr.less_equal,
    ">": expr.greater, ">=": expr.greater_equal,
}  # fmt: skip
MIRRORED = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""Comparisons with their sides exchanged."""

MAX_PARTS = 1024
"""Bits that one condition may name, with repetition."""

BOOL = Type(Kind.BOOL)


@define
class Conditions:
    """Conditions on the classical bits of a program.

    Args:
        clbits: of the circuit, by number.
        registers: of the circuit, by the numbers of their bits.
    """

    clbits: list[Clbit]
    registers: Mapping[tuple[int, ...], ClassicalRegister]

    def expression(self, value: Value) -> expr.Expr:
        """Return a truth value that depends on measured bits.

        Raises:
            TooWideError: if it takes more than `MAX_PARTS` bits to say it.
        """
        if isinstance(value.content, Formula):
            return value.content.expression
        if not isinstance(value.content, Table):
            raise TooWideError
        return self._of_table(value.content)

    def _of_table(self, table: Table) -> expr.Expr:
        bits, values = table.bits, [bool(value) for value in table.values]
        on = [index for index, value in enumerate(values) if value]
        if len(on) == 1:
            return self._equal(bits, on[0])
        register = self.registers.get(bits)
        if len(on) == len(values) - 1:
            (off,) = set(range(len(values))).difference(on)
            if register is not None:
                return expr.not_equal(register, off)
            other = [self._bit(bit, not off >> i & 1) for i, bit in enumerate(bits)]
            return reduce(expr.logic_or, other)
        if register is not None and on == list(range(len(on))):
            return expr.less(register, len(on))
        if register is not None and on == list(range(len(values) - len(on), len(values))):
            return expr.greater_equal(register, on[0])
        return self._parity(bits, values) or self._decided(list(bits), values, [MAX_PARTS])

    def _parity(self, bits: Sequence[int], values: Sequence[bool]) -> expr.Expr | None:
        """Return whether the number of ones is odd, or even; None if the table says otherwise."""
        odd = [bool(index.bit_count() & 1) for index in range(len(values))]
        if values not in (odd, [not each for each in odd]):
            return None
        parity = reduce(expr.bit_xor, (expr.lift(self.clbits[bit]) for bit in bits))
        return parity if values == odd else expr.logic_not(parity)

    def _decided(self, bits: list[int], values: Sequence[bool], budget: list[int]) -> expr.Expr:
        """Return a table as a decision bit by bit, the highest first."""
        budget[0] -= 1
        if budget[0] < 0:
            raise TooWideError
        *lower, highest = bits
        half = len(values) // 2
        off, on = values[:half], values[half:]
        if off == on:
            return self._decided(lower, off, budget)
        sides = []
        for condition, side in ((self._bit(highest, 0), off), (self._bit(highest), on)):
            if all(side):
                sides.append(condition)
            elif any(side):
                sides.append(expr.logic_and(condition, self._decided(lower, side, budget)))
        return reduce(expr.logic_or, sides)

    def compared(self, operator: str, left: Value, right: Value) -> Value:
        """Return the comparison of a `Word` with a known number of the same type.

        Raises:
            TooWideError: if these are other values, the word has a sign, or its order is asked for
                and it is no register.
        """
        if isinstance(right.content, Word):
            left, right, operator = right, left, MIRRORED[operator]
        if not isinstance(left.content, Word) or right.known is None or _has_sign(left):
            raise TooWideError
        bits, number = left.content.bits, int(right.known)
        if number >> len(bits):
            always = ("!=", ">", ">=") if number < 0 else ("!=", "<", "<=")
            return Value(BOOL, int(operator in always))
        register = self.registers.get(bits)
        if register is not None:
            condition = RELATIONS[operator](register, number)
        elif operator in ("==", "!="):
            same = self._equal(bits, number)
            condition = same if operator == "==" else expr.logic_not(same)
        else:
            raise TooWideError
        return Value(BOOL, Formula(condition, frozenset(bits)))

    def joined(self, operator: str, left: Value, right: Value) -> Value:
        """Return `&&` or `||` of two truth values of too many bits for one table."""
        join = expr.logic_and if operator == "&&" else expr.logic_or
        decides = operator == "||"
        for value, other in ((left, right), (right, left)):
            if value.known is not None:
                return Value(BOOL, int(decides)) if bool(value.known) is decides else other
        together = join(self.expression(left), self.expression(right))
        return Value(BOOL, Formula(together, left.reads | right.reads))

    def negation(self, value: Value) -> Value:
        """Return the opposite of a truth value."""
        if isinstance(value.content, Table):
            opposite = [int(not each) for each in value.content.values]
            return tabulated(BOOL, value.content.bits, opposite)
        if isinstance(value.content, Formula):
            negated = expr.logic_not(value.content.expression)
            return Value(BOOL, Formula(negated, value.content.bits))
        return Value(BOOL, int(not value.known))

    def _equal(self, bits: tuple[int, ...], number: int) -> expr.Expr:
        register = self.registers.get(bits)
        if register is not None and len(bits) > 1:
            return expr.equal(register, number)
        return reduce(
            expr.logic_and, [self._bit(bit, number >> i & 1) for i, bit in enumerate(bits)]
        )

    def _bit(self, bit: int, value: int = 1) -> expr.Expr:
        """Return whether a bit has a value."""
        lifted = expr.lift(self.clbits[bit])
        return lifted if value else expr.logic_not(lifted)


def widened(value: Value, target: Type) -> Value:
    """Return a word as another integer or register type.

    Raises:
        TooWideError: if its sign fills further bits.
    """
    assert isinstance(value.content, Word)
    if _has_sign(value) and target.bits > value.type.bits:
        raise TooWideError
    return word_value(Type(target.kind, target.width), value.content.bits[: target.bits])


def _has_sign(value: Value) -> bool:
    """Return whether the highest measured bit of a word is its sign."""
    return isinstance(value.content, Word) and (
        value.type.kind is Kind.INT and value.type.bits <= len(value.content.bits)
    )
