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
class Literal:
    """A measured bit, or its opposite."""

    bit: int
    negated: bool = False


@frozen
class Word:
    """A number that is made of more measured bits than a table holds.

    Args:
        literals: measured bits and constants, the lowest first.
    """

    literals: tuple[Literal | bool, ...]


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
            case Table(bits=bits):
                return frozenset(bits)
            case Word(literals=literals):
                return frozenset(each.bit for each in literals if isinstance(each, Literal))
            case Formula(bits=bits):
                return bits
        return frozenset()


def word_value(type_: Type, literals: Sequence[Literal | bool]) -> Value:
    """Return the value of bits, the lowest first.

    Args:
        type_: of the value; `int` takes the highest bit as its sign.
        literals: as many as the type has bits.
    """
    measured = sorted({each.bit for each in literals if isinstance(each, Literal)})
    if len(measured) > MAX_TABLE_BITS:
        return Value(type_, Word(tuple(literals)))
    place = {bit: i for i, bit in enumerate(measured)}

    def number(index: int) -> Number:
        pattern = 0
        for i, each in enumerate(literals):
            if isinstance(each, Literal):
                on = bool(index >> place[each.bit] & 1) is not each.negated
            else:
                on = each
            pattern |= on << i
        return converted(pattern, Type(Kind.BITS, len(literals)), type_)

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


MAX_PARTS = 1024
"""Bits that one condition may name, with repetition."""

BOOL = Type(Kind.BOOL)

COMPARISONS: Mapping[str, Callable[[Any, Any], expr.Expr]] = {
    "==": expr.equal, "!=": expr.not_equal, "<": expr.less, "<=": expr.less_equal,
    ">": expr.greater, ">=": expr.greater_equal,
}  # fmt: skip
MIRRORED: Mapping[str, str] = {
    "==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=",
}  # fmt: skip
"""Comparisons with their sides exchanged."""


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
            literals = [Literal(bit, bool(off >> i & 1)) for i, bit in enumerate(bits)]
            return reduce(expr.logic_or, map(self._literal, literals))
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
        bit = self._literal(Literal(highest))
        sides = []
        for condition, side in ((expr.logic_not(bit), off), (bit, on)):
            if all(side):
                sides.append(condition)
            elif any(side):
                sides.append(expr.logic_and(condition, self._decided(lower, side, budget)))
        return reduce(expr.logic_or, sides)

    def compared(self, sign: str, left: Value, right: Value) -> Value:
        """Return the comparison of two numbers, at least one of which is a `Word`.

        Both are of one integer type, or bits.

        Raises:
            TooWideError: if one of them is neither known nor a word.
        """
        a, b = _literals(left), _literals(right)
        if left.type.kind is Kind.INT:
            a, b = _sign_flipped(a), _sign_flipped(b)
        width = max(len(a), len(b))
        a, b = a + (False,) * (width - len(a)), b + (False,) * (width - len(b))
        # All comparisons are a = b, a < b, or the opposite of one of these.
        if sign in (">", "<="):
            a, b, sign = b, a, MIRRORED[sign]
        negated = sign in ("!=", ">=")
        holds = _decided_equality(a, b) if sign in ("==", "!=") else _decided_order(a, b)
        if holds is not None:
            return Value(BOOL, int(holds is not negated))
        bits = frozenset(each.bit for each in (*a, *b) if isinstance(each, Literal))
        for word, other, compare in ((a, b, sign), (b, a, MIRRORED[sign])):
            register, number = self._register_of(word), _constant(other)
            operand = self._register_of(other) if number is None else number
            if register is None or operand is None:
                continue
            if isinstance(operand, int) or len(operand) == len(register):
                return Value(BOOL, Formula(COMPARISONS[compare](register, operand), bits))
        if sign in ("==", "!="):
            pairs = zip(a, b, strict=True)
            result = reduce(expr.logic_and, [self._same(x, y) for x, y in pairs if x != y])
        else:
            result = expr.lift(False)
            for x, y in zip(a, b, strict=True):
                below = expr.logic_and(expr.logic_not(self._literal(x)), self._literal(y))
                result = expr.logic_or(below, expr.logic_and(self._same(x, y), result))
        return Value(BOOL, Formula(expr.logic_not(result) if negated else result, bits))

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
        # The opposite of a constant is a constant.
        return Value(value.type, int(not value.known))

    def _equal(self, bits: tuple[int, ...], number: int) -> expr.Expr:
        register = self.registers.get(bits)
        if register is not None and len(bits) > 1:
            return expr.equal(register, number)
        literals = [Literal(bit, not number >> i & 1) for i, bit in enumerate(bits)]
        return reduce(expr.logic_and, map(self._literal, literals))

    def _literal(self, literal: Literal | bool) -> expr.Expr:
        if isinstance(literal, bool):
            return expr.lift(literal)
        bit = expr.lift(self.clbits[literal.bit])
        return expr.logic_not(bit) if literal.negated else bit

    def _same(self, a: Literal | bool, b: Literal | bool) -> expr.Expr:
        if isinstance(a, bool):
            a, b = b, a
        if isinstance(b, bool):
            return self._literal(a) if b else expr.logic_not(self._literal(a))
        return expr.logic_not(expr.bit_xor(self._literal(a), self._literal(b)))

    def _register_of(self, word: Sequence[Literal | bool]) -> ClassicalRegister | None:
        """Return the register whose bits a number is, below zeros."""
        bits = []
        for each in word:
            if not isinstance(each, Literal) or each.negated:
                break
            bits.append(each.bit)
        if any(each is not False for each in word[len(bits) :]):
            return None
        return self.registers.get(tuple(bits))


def widened(value: Value, target: Type) -> Value:
    """Return a word as another integer or register type."""
    assert isinstance(value.content, Word)
    literals = value.content.literals
    fill = literals[-1] if value.type.kind is Kind.INT else False
    literals += (fill,) * (target.bits - len(literals))
    return word_value(Type(target.kind, target.width), literals[: target.bits])


def _literals(value: Value) -> tuple[Literal | bool, ...]:
    if isinstance(value.content, Word):
        return value.content.literals
    if value.known is None:
        raise TooWideError
    number = int(value.known) % (1 << value.type.bits)
    return tuple(bool(number >> i & 1) for i in range(value.type.bits))


def _sign_flipped(word: tuple[Literal | bool, ...]) -> tuple[Literal | bool, ...]:
    """Return a two's complement shifted by half its range, so that it compares unsigned."""
    *lower, sign = word
    flipped = Literal(sign.bit, not sign.negated) if isinstance(sign, Literal) else not sign
    return (*lower, flipped)


def _number(word: Sequence[Literal | bool], unknown: bool) -> int:
    """Return a number, with all unknown bits being alike."""
    return sum((unknown if isinstance(each, Literal) else each) << i for i, each in enumerate(word))


def _constant(word: Sequence[Literal | bool]) -> int | None:
    return None if any(isinstance(each, Literal) for each in word) else _number(word, False)


def _decided_equality(a: Sequence[Literal | bool], b: Sequence[Literal | bool]) -> bool | None:
    """Return whether two numbers are equal, None if that depends on bits."""
    pairs = [pair for pair in zip(a, b, strict=True) if pair[0] != pair[1]]
    if any(isinstance(x, bool) and isinstance(y, bool) for x, y in pairs):
        return False
    return None if pairs else True


def _decided_order(a: Sequence[Literal | bool], b: Sequence[Literal | bool]) -> bool | None:
    """Return whether a number is less than another one, None if that depends on bits."""
    if _number(a, True) < _number(b, False):
        return True
    return False if _number(a, False) >= _number(b, True) else None
