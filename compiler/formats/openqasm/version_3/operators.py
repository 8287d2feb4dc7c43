"""Operators, functions and conversions of classical values."""

import math
import operator
from collections.abc import Callable, Mapping, Sequence

from openqasm3 import ast
from qiskit.circuit.classical import expr

from compiler.formats.openqasm.version_3.circuit import ProgramError, UncomputableError
from compiler.formats.openqasm.version_3.conditions import BOOL, COMPARISONS, Conditions, widened
from compiler.formats.openqasm.version_3.types import (
    BIT_LIKE,
    INTEGERS,
    Kind,
    Number,
    Type,
    as_integer,
    can_cast,
    can_convert,
    common_integer,
    converted,
    radians,
    wrapped,
)
from compiler.formats.openqasm.version_3.values import (
    MAX_TABLE_BITS,
    TooWideError,
    Value,
    Word,
    applied,
)

INT, UINT, FLOAT = (
    Type(Kind.INT, const=True),
    Type(Kind.UINT, const=True),
    Type(Kind.FLOAT, const=True),
)
COMPARE: Mapping[str, Callable[[Number, Number], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
BITWISE: Mapping[str, Callable[[int, int], int]] = {
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
}
FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "arccos": math.acos,
    "arcsin": math.asin,
    "arctan": math.atan,
    "ceiling": lambda x: float(math.ceil(x)),
    "cos": math.cos,
    "exp": math.exp,
    "floor": lambda x: float(math.floor(x)),
    "log": math.log,
    "sin": math.sin,
    "sqrt": math.sqrt,
    "tan": math.tan,
}
FUNCTION_NAMES = frozenset(FUNCTIONS) | {"mod", "popcount", "rotl", "rotr"}
OF_ANGLES = frozenset({"cos", "sin", "tan"})


def integer_quotient(a: int, b: int) -> int:
    """Return a / b without its fraction, as C99 does."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


class Operators:
    """Computes values.

    Args:
        conditions: the classical bits of the program.
        warn: is told what the language defines otherwise than many expect.
    """

    def __init__(self, conditions: Conditions, warn: Callable[[str, ast.QASMNode], None]) -> None:
        self._conditions = conditions
        self._warn = warn

    def converted(self, value: Value, target: Type, node: ast.QASMNode) -> Value:
        """Return a value as another type, without a cast."""
        if not can_convert(value.type, target):
            raise ProgramError(
                f"a value of type '{value.type}' is no '{target}'; write a cast if one is meant",
                node,
            )
        return self._as(value, target, node)

    def cast(self, value: Value, target: Type, node: ast.QASMNode) -> Value:
        """Return a value as another type, by an explicit cast."""
        if not can_cast(value.type, target):
            raise ProgramError(
                f"'{value.type}' cannot be cast to '{target}'; declare the value with a type that "
                "can",
                node,
            )
        return self._as(value, target, node)

    def applied(
        self, node: ast.QASMNode, type_: Type, function: Callable[..., Number], *arguments: Value
    ) -> Value:
        """Return what a function of numbers makes of values, as a constant if all are."""
        const = all(argument.type.const for argument in arguments)
        result = Type(type_.kind, type_.width, const)
        try:
            return applied(result, lambda *numbers: wrapped(function(*numbers), result), *arguments)
        except TooWideError as error:
            raise ProgramError(
                f"a value depends on more than {MAX_TABLE_BITS} measured bits; compare whole "
                "registers with numbers, and join the comparisons by && and ||",
                node,
            ) from error
        except ZeroDivisionError as error:
            raise UncomputableError("a division by 0", node) from error
        except (ValueError, OverflowError) as error:
            raise UncomputableError(
                f"a value cannot be computed: {error.args[-1]}", node
            ) from error

    def unary(self, sign: str, value: Value, node: ast.QASMNode) -> Value:
        """Return what `!`, `~` or `-` makes of a value."""
        kind = value.type.kind
        if sign == "!":
            return self._conditioned(
                node, lambda: self._conditions.negation(self._truth(value, node))
            )
        if sign == "~":
            if kind is Kind.BOOL:
                return self._conditioned(node, lambda: self._conditions.negation(value))
            if kind in INTEGERS | {Kind.BITS, Kind.ANGLE}:
                return self.applied(node, value.type, operator.invert, value)
        elif kind in INTEGERS | {Kind.FLOAT, Kind.ANGLE, Kind.DURATION}:
            return self.applied(node, value.type, operator.neg, value)
        raise ProgramError(f"'{sign}' is not defined for '{value.type}'", node)

    def binary(self, sign: str, left: Value, right: Value, node: ast.QASMNode) -> Value:
        """Return what an operator makes of two values."""
        if sign in ("&&", "||"):
            return self._joined(sign, self._truth(left, node), self._truth(right, node), node)
        if sign in COMPARISONS:
            return self._compared(sign, left, right, node)
        if sign in ("<<", ">>"):
            return self._shifted(sign, left, right, node)
        if sign in BITWISE:
            return self._bitwise(sign, left, right, node)
        return self._arithmetic(sign, left, right, node)

    def function(self, name: str, arguments: Sequence[Value], node: ast.QASMNode) -> Value:
        """Return what a built-in function makes of values."""
        if name in FUNCTIONS and len(arguments) == 1:
            (value,) = arguments
            if value.type.kind is Kind.ANGLE and name in OF_ANGLES:
                source = value.type
                return self.applied(
                    node, FLOAT, lambda x: FUNCTIONS[name](radians(x, source)), value
                )
            value = self.converted(value, Type(Kind.FLOAT, const=value.type.const), node)
            return self.applied(node, FLOAT, FUNCTIONS[name], value)
        if name == "mod" and len(arguments) == 2:
            left, right = arguments
            return self._arithmetic("%", left, right, node)
        if name == "popcount" and len(arguments) == 1:
            (value,) = arguments
            if value.type.kind in INTEGERS | BIT_LIKE:
                pattern = (1 << value.type.bits) - 1
                return self.applied(node, UINT, lambda x: (int(x) & pattern).bit_count(), value)
        if name in ("rotl", "rotr") and len(arguments) == 2:
            left, right = arguments
            return self._rotated(name, left, right, node)
        if name in FUNCTION_NAMES:
            kinds = ", ".join(f"'{each.type}'" for each in arguments)
            raise ProgramError(f"'{name}' is not defined for {kinds or 'nothing'}", node)
        raise ProgramError(
            f"there is no function '{name}' of {len(arguments)} such arguments; known are "
            f"{', '.join(sorted(FUNCTION_NAMES))}",
            node,
        )

    def condition(self, condition: Value, node: ast.QASMNode) -> expr.Expr:
        """Return a truth value that depends on measured bits, as Qiskit's expression."""
        try:
            return self._conditions.expression(condition)
        except TooWideError as error:
            raise ProgramError(
                "a condition tells too many values of measured bits apart; compare whole registers "
                "with numbers, and join the comparisons by && and ||",
                node,
            ) from error

    def selected(self, condition: Value, a: Value, b: Value) -> Value | None:
        """Return a where a condition holds, and b elsewhere; None if that depends on too much."""
        try:
            return applied(a.type, lambda c, x, y: x if c else y, condition, a, b)
        except TooWideError:
            return None

    def is_any_of(self, value: Value, numbers: Sequence[int], node: ast.QASMNode) -> Value:
        """Return whether a value is one of some numbers."""
        try:
            return applied(BOOL, lambda x: int(x in numbers), value)
        except TooWideError:
            result = Value(BOOL, 0)
        for number in numbers:
            equal = self._compared("==", value, Value(INT, number), node)
            result = self._joined("||", result, equal, node)
        return result

    def _as(self, value: Value, target: Type, node: ast.QASMNode) -> Value:
        source = value.type
        if source.kind is target.kind is Kind.BOOL:
            return value
        if isinstance(value.content, Word):
            if target.kind is Kind.BOOL:
                return self._compared("!=", value, Value(INT, 0), node)
            if target.kind in INTEGERS | {Kind.BITS}:
                return widened(value, target)
        return self.applied(node, target, lambda x: converted(x, source, target), value)

    def _truth(self, value: Value, node: ast.QASMNode) -> Value:
        return self.converted(value, BOOL, node)

    def _conditioned(self, node: ast.QASMNode, build: Callable[[], Value]) -> Value:
        try:
            return build()
        except TooWideError as error:
            raise ProgramError(
                "a condition tells too many values of measured bits apart; compare whole registers "
                "with numbers, and join the comparisons by && and ||",
                node,
            ) from error

    def _joined(self, sign: str, left: Value, right: Value, node: ast.QASMNode) -> Value:
        join = operator.and_ if sign == "&&" else operator.or_
        const = left.type.const and right.type.const
        try:
            return applied(Type(Kind.BOOL, const=const), join, left, right)
        except TooWideError:
            return self._conditioned(node, lambda: self._conditions.joined(sign, left, right))

    def _compared(self, sign: str, left: Value, right: Value, node: ast.QASMNode) -> Value:
        a, b = self._met(left, right, sign, node)
        try:
            return applied(
                Type(Kind.BOOL, const=a.type.const and b.type.const),
                lambda x, y: int(COMPARE[sign](x, y)), a, b,
            )  # fmt: skip
        except TooWideError:
            return self._conditioned(node, lambda: self._conditions.compared(sign, a, b))

    def _met(self, left: Value, right: Value, sign: str, node: ast.QASMNode) -> tuple[Value, Value]:
        """Return two operands as values of one type."""
        a, b = as_integer(left.type), as_integer(right.type)
        if left.type.kind is right.type.kind is Kind.BITS:
            width = max(a.bits, b.bits)
            target = Type(Kind.UINT, width, a.const and b.const)
        elif a.kind in INTEGERS and b.kind in INTEGERS:
            target = common_integer(a, b)
            for value in (left, right):
                if target.kind is Kind.UINT and value.known is not None and value.known < 0:
                    raise ProgramError(
                        f"'{sign}' of {value.known} and a value of type '{target}', which has no "
                        "sign; cast it to int first",
                        node,
                    )
        elif Kind.ANGLE in (a.kind, b.kind) and {a.kind, b.kind} <= {Kind.ANGLE, Kind.FLOAT}:
            width = max(t.bits for t in (a, b) if t.kind is Kind.ANGLE)
            target = Type(Kind.ANGLE, width)
        elif {a.kind, b.kind} <= INTEGERS | {Kind.FLOAT}:
            target = Type(Kind.FLOAT, max(t.bits for t in (a, b) if t.kind is Kind.FLOAT))
        elif a.kind is b.kind is Kind.DURATION:
            target = a
        else:
            raise ProgramError(
                f"'{sign}' is not defined for '{left.type}' and '{right.type}'; cast one of them",
                node,
            )
        target = Type(target.kind, target.width, left.type.const and right.type.const)
        return self._integer_as(left, target, node), self._integer_as(right, target, node)

    def _integer_as(self, value: Value, target: Type, node: ast.QASMNode) -> Value:
        return self._as(Value(as_integer(value.type), value.content), target, node)

    def _arithmetic(self, sign: str, left: Value, right: Value, node: ast.QASMNode) -> Value:
        kinds = (left.type.kind, right.type.kind)
        if Kind.ANGLE in kinds and sign in ("*", "/"):
            return self._scaled_angle(sign, left, right, node)
        if Kind.DURATION in kinds and sign in ("*", "/"):
            return self._scaled_duration(sign, left, right, node)
        a, b = self._met(left, right, sign, node)
        if a.type.kind in (Kind.ANGLE, Kind.DURATION) and sign not in ("+", "-"):
            raise ProgramError(f"'{sign}' is not defined for '{a.type}'; use float", node)
        functions: Mapping[str, Callable[..., Number]] = {
            "+": operator.add,
            "-": operator.sub,
            "*": operator.mul,
        }
        if sign in functions:
            return self.applied(node, a.type, functions[sign], a, b)
        if a.type.kind is Kind.FLOAT:
            functions = {"/": operator.truediv, "%": math.fmod, "**": self._float_power}
            return self.applied(node, a.type, functions[sign], a, b)
        if sign == "**":
            return self._integer_power(a, b, right, node)
        if sign == "/":
            self._warn_of_fraction(a, b, node)
        functions = {
            "/": integer_quotient,
            "%": lambda x, y: x - y * integer_quotient(x, y),
        }
        return self.applied(node, a.type, functions[sign], a, b)

    def _warn_of_fraction(self, a: Value, b: Value, node: ast.QASMNode) -> None:
        if a.known is not None and b.known and a.known % b.known:
            quotient = integer_quotient(int(a.known), int(b.known))
            self._warn(
                f"{a.known} / {b.known} of whole numbers is {quotient} in OpenQASM 3; write "
                f"{a.known}.0 / {b.known} for the fraction",
                node,
            )

    @staticmethod
    def _float_power(x: float, y: float) -> float:
        power = x**y
        if isinstance(power, complex):
            raise OverflowError(f"{x} ** {y} is no real number")
        return float(power)

    def _integer_power(self, a: Value, b: Value, right: Value, node: ast.QASMNode) -> Value:
        if right.known is not None and right.known < 0:
            return self.applied(node, FLOAT, lambda x, y: float(x) ** y, a, right)

        def power(x: int, y: int) -> int:
            if y < 0:
                raise ValueError(f"{x} ** {y} is no whole number")
            return pow(x, y, 1 << a.type.bits)

        return self.applied(node, a.type, power, a, b)

    def _scaled_angle(self, sign: str, left: Value, right: Value, node: ast.QASMNode) -> Value:
        """Return an angle times or by a whole number, or by an angle."""
        a, b = as_integer(left.type), as_integer(right.type)
        if sign == "*" and {a.kind, b.kind} <= INTEGERS | {Kind.ANGLE} and a.kind is not b.kind:
            angle = a if a.kind is Kind.ANGLE else b
            return self.applied(node, angle, operator.mul, left, right)
        if sign == "/" and a.kind is Kind.ANGLE and b.kind in INTEGERS:
            return self.applied(node, a, integer_quotient, left, right)
        if sign == "/" and a.kind is b.kind is Kind.ANGLE and a.bits == b.bits:
            return self.applied(node, Type(Kind.UINT, a.width), integer_quotient, left, right)
        raise ProgramError(
            f"'{sign}' is not defined for '{left.type}' and '{right.type}'; an angle is multiplied "
            "and divided by whole numbers, so declare it as float",
            node,
        )

    def _scaled_duration(self, sign: str, left: Value, right: Value, node: ast.QASMNode) -> Value:
        a, b = left.type, right.type
        numbers = INTEGERS | {Kind.FLOAT}
        if sign == "*" and a.kind is not b.kind and {a.kind, b.kind} <= numbers | {Kind.DURATION}:
            return self.applied(node, Type(Kind.DURATION), operator.mul, left, right)
        if sign == "/" and a.kind is Kind.DURATION and b.kind in numbers | {Kind.DURATION}:
            kind = Kind.FLOAT if b.kind is Kind.DURATION else Kind.DURATION
            return self.applied(node, Type(kind), operator.truediv, left, right)
        raise ProgramError(f"'{sign}' is not defined for '{a}' and '{b}'", node)

    def _shifted(self, sign: str, left: Value, right: Value, node: ast.QASMNode) -> Value:
        places = as_integer(right.type)
        if left.type.kind not in INTEGERS | {Kind.BITS, Kind.ANGLE} or places.kind not in INTEGERS:
            raise ProgramError(
                f"'{sign}' is not defined for '{left.type}' and '{right.type}'", node
            )

        def shifted(value: int, by: int) -> int:
            if by < 0:
                raise ValueError(f"a shift by {by} places")
            by = min(by, left.type.bits)
            return value << by if sign == "<<" else value >> by

        return self.applied(node, left.type, shifted, left, right)

    def _bitwise(self, sign: str, left: Value, right: Value, node: ast.QASMNode) -> Value:
        a, b = left.type, right.type
        if a.kind is b.kind and a.kind in BIT_LIKE | {Kind.ANGLE}:
            if a.bits != b.bits:
                raise ProgramError(f"'{sign}' of '{a}' and '{b}'; both need the same width", node)
            if a.kind is Kind.BOOL and sign != "^":
                return self._joined(sign * 2, left, right, node)
            return self.applied(node, a, BITWISE[sign], left, right)
        x, y = self._met(left, right, sign, node)
        if x.type.kind not in INTEGERS:
            raise ProgramError(f"'{sign}' is not defined for '{a}' and '{b}'", node)
        return self.applied(node, x.type, BITWISE[sign], x, y)

    def _rotated(self, name: str, value: Value, distance: Value, node: ast.QASMNode) -> Value:
        type_ = value.type
        if type_.kind not in (Kind.BITS, Kind.UINT, Kind.ANGLE):
            raise ProgramError(f"'{name}' is not defined for '{type_}'", node)
        width = type_.bits

        def rotated(x: int, by: int) -> int:
            by = (by if name == "rotl" else -by) % width
            return x << by | x >> (width - by)

        return self.applied(node, type_, rotated, value, distance)
