"""Values of classical expressions: known, tabulated over measured bits, or wide registers.

Qiskit's expressions know unsigned numbers only, and not all machines take them. So what depends on
few measured bits is tabulated: one value for each combination of the bits. Whatever is computed is
computed value by value, by the same functions that compute constants.
"""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from attrs import frozen
from qiskit.circuit.classical import expr

from compiler.formats.openqasm.version_3.types import Kind, Number, Type, converted

MAX_TABLE_BITS = 12
"""Bits over which values are tabulated."""


class TooWideError(Exception):
    """A value depends on more than `MAX_TABLE_BITS` bits in a way that cannot be followed."""


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


Content: TypeAlias = Number | Table | Word | Formula


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
    kept, table = list(bits), list(values)
    for place in reversed(range(len(kept))):
        half = 1 << place
        off = [value for i, value in enumerate(table) if not i & half]
        if off == [value for i, value in enumerate(table) if i & half]:
            table = off
            del kept[place]
    if not kept:
        return Value(type_, table[0])
    return Value(type_, Table(tuple(kept), tuple(table)))


def applied(type_: Type, function: Callable[..., Number], *arguments: Value) -> Value:
    """Return what a function of numbers makes of values.

    Args:
        type_: of the result.
        function: takes as many numbers as there are arguments.
        arguments: known or tabulated.

    Raises:
        TooWideError: if the result depends on too many bits.
    """
    bits, rows = combinations(arguments)
    return tabulated(type_, bits, [function(*row) for row in rows])


def combinations(values: Sequence[Value]) -> tuple[list[int], list[tuple[Number, ...]]]:
    """Return the bits that values depend on, and the values for each combination of them.

    Raises:
        TooWideError: if they depend on too many bits.
    """
    bits = sorted(frozenset[int]().union(*(value.reads for value in values)))
    if len(bits) > MAX_TABLE_BITS or any(
        isinstance(value.content, Word | Formula) for value in values
    ):
        raise TooWideError
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
