"""Classical types of OpenQASM 3, and conversions between their values.

Sources: the specification's pages "Types and Casting" and "Classical instructions", version 3.1.
Where the specification leaves a choice: `int`, `uint` and `angle` without a size have 64 bits,
values that do not fit are reduced modulo 2^width, and a register of another width than the number
that it is cast to is extended with zeros or cut off.
"""

import struct
from collections.abc import Mapping
from enum import StrEnum
from fractions import Fraction
from math import isfinite, tau

from attrs import frozen

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
"""By the type that is cast to, the types that can be; registers keep their width."""

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
    """Return a value of a type, reduced to its width."""
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
    return float(value)


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
