"""Expressions: names, types, literals, indices and ranges.

Operators, functions and conversions of classical values.
"""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from openqasm3 import ast
from qiskit.circuit import ParameterExpression
from qiskit.circuit.classical import expr

from compiler.formats.openqasm.version_3.circuit import (
    CircuitBuilder,
    ProgramError,
    UncomputableError,
)
from compiler.formats.openqasm.version_3.scopes import (
    Bits,
    Qubits,
    Scopes,
    Subroutine,
    Symbol,
    Variable,
)
from compiler.formats.openqasm.version_3.values import (
    BIT_LIKE,
    BOOL,
    COMPARISONS,
    FLOAT_FORMATS,
    INTEGERS,
    MACHINE_WIDTH,
    MAX_TABLE_BITS,
    NO_SYMBOLS,
    Conditions,
    Kind,
    Literal,
    Number,
    SymbolError,
    TooWideError,
    Type,
    Value,
    Word,
    applied,
    as_integer,
    can_cast,
    can_convert,
    common_integer,
    converted,
    radians,
    widened,
    word_value,
    wrapped,
)

C = TypeVar("C")


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


def _function(name: str, value: float | ParameterExpression) -> float:
    if isinstance(value, ParameterExpression):
        result: float = getattr(value, name)()
        return result
    return FUNCTIONS[name](value)


class Operators:
    """Computes values.

    Args:
        conditions: the classical bits of the program.
        warn: receives warnings about definitions of the language that many do not expect.
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
        """Return the result of a function of numbers, as a constant if all arguments are."""
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
        except SymbolError as error:
            raise ProgramError(NO_SYMBOLS, node) from error
        except ZeroDivisionError as error:
            raise UncomputableError("a division by 0", node) from error
        except (ValueError, OverflowError) as error:
            raise UncomputableError(
                f"a value cannot be computed: {error.args[-1]}", node
            ) from error

    def unary(self, sign: str, value: Value, node: ast.QASMNode) -> Value:
        """Return the result of `!`, `~` or `-` on a value."""
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
        """Return the result of an operator on two values."""
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
        """Return the result of a built-in function."""
        if name in FUNCTIONS and len(arguments) == 1:
            (value,) = arguments
            if value.type.kind is Kind.ANGLE and name in OF_ANGLES:
                source = value.type
                return self.applied(
                    node, FLOAT, lambda x: FUNCTIONS[name](radians(x, source)), value
                )
            value = self.converted(value, Type(Kind.FLOAT, const=value.type.const), node)
            return self.applied(node, FLOAT, lambda x: _function(name, x), value)
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
        return self._conditioned(node, lambda: self._conditions.expression(condition))

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

    def _conditioned(self, node: ast.QASMNode, build: Callable[[], C]) -> C:
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
        return power if isinstance(power, ParameterExpression) else float(power)

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


MAX_WIDTH = 1 << 16
"""Bits of a classical type."""

KINDS: Mapping[type[ast.ClassicalType], Kind] = {
    ast.BoolType: Kind.BOOL,
    ast.BitType: Kind.BITS,
    ast.IntType: Kind.INT,
    ast.UintType: Kind.UINT,
    ast.FloatType: Kind.FLOAT,
    ast.AngleType: Kind.ANGLE,
    ast.DurationType: Kind.DURATION,
}
CONSTANTS: Mapping[str, float] = {
    **dict.fromkeys(("pi", "π"), math.pi),
    **dict.fromkeys(("tau", "τ"), math.tau),
    **dict.fromkeys(("euler", "ℇ"), math.e),
}
SECONDS: Mapping[str, float] = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1.0, "dt": math.nan}
"""By unit; the duration of a `dt` is known on a device only."""

UNSUPPORTED: Mapping[type[ast.QASMNode], str] = {
    ast.ImaginaryLiteral: "imaginary numbers are",
    ast.SizeOf: "'sizeof' is",
    ast.DurationOf: "'durationof' is",
    ast.ArrayLiteral: "arrays are",
}


class Expressions:
    """Evaluates expressions.

    Args:
        scopes: of names.
        operators: computes values.
        builder: knows the qubits and bits of the program.
    """

    def __init__(self, scopes: Scopes, operators: Operators, builder: CircuitBuilder) -> None:
        self._scopes = scopes
        self._operators = operators
        self._builder = builder

    def type_of(self, node: ast.ClassicalType, *, const: bool = False) -> Type:
        """Return the type that a declaration or cast names."""
        kind = KINDS.get(type(node))
        if kind is None:
            word = type(node).__name__.removesuffix("Type").lower()
            raise ProgramError(
                f"type '{word}' is not supported; use bit, bool, int, uint, float, angle or "
                "duration",
                node,
            )
        size = getattr(node, "size", None)
        if size is None:
            return Type(Kind.BOOL if kind is Kind.BITS else kind, const=const)
        width = self.constant_size(size)
        if kind is Kind.FLOAT and width not in FLOAT_FORMATS:
            raise ProgramError(f"type 'float[{width}]' is not supported; use 16, 32 or 64", size)
        if not 1 <= width <= MAX_WIDTH:
            raise ProgramError(f"a type has {width} bits; 1 to {MAX_WIDTH} are allowed", size)
        return Type(kind, width, const)

    def constant_size(self, node: ast.Expression) -> int:
        """Return a size, which must be known at compile time."""
        value = self.value(node)
        if value.known is None or not value.type.const or value.type.kind not in INTEGERS:
            raise ProgramError("a size is a constant whole number; declare it as const", node)
        return int(value.known)

    def value(self, node: ast.Expression) -> Value:
        """Return the value of an expression."""
        resolved = self.resolve(node)
        if isinstance(resolved, Qubits):
            raise ProgramError("a qubit has no classical value; measure it first", node)
        return self._value_of(resolved)

    def _value_of(self, resolved: Value | Bits) -> Value:
        if isinstance(resolved, Value):
            return resolved
        width = None if resolved.scalar else len(resolved.indices)
        type_ = Type(Kind.BOOL if resolved.scalar else Kind.BITS, width)
        return word_value(type_, [Literal(bit) for bit in resolved.indices])

    def integer(self, node: ast.Expression, meaning: str) -> int:
        """Return a whole number that does not depend on measured bits."""
        value = self.value(node)
        if value.known is None:
            raise ProgramError(f"{meaning} cannot depend on measured bits; use a number", node)
        if value.type.kind not in INTEGERS | BIT_LIKE:
            raise ProgramError(f"{meaning} is a whole number, not of type '{value.type}'", node)
        return int(value.known)

    def truth(self, node: ast.Expression) -> Value:
        """Return a condition as `bool`."""
        return self._operators.converted(self.value(node), BOOL, node)

    def angle(self, node: ast.Expression) -> Value:
        """Return a gate's parameter in radians, as `float`."""
        value = self.value(node)
        if value.type.kind not in INTEGERS | {Kind.FLOAT, Kind.ANGLE, Kind.BOOL}:
            raise ProgramError(f"a gate's parameter is a number, not of type '{value.type}'", node)
        return self._operators.applied(node, FLOAT, lambda x: radians(x, value.type), value)

    def qubits(self, node: ast.Expression | ast.IndexedIdentifier) -> Qubits:
        """Return the qubits of an operand."""
        resolved = self.operand(node)
        if not isinstance(resolved, Qubits):
            raise ProgramError("an operand is no qubit", node)
        return resolved

    def operand(self, node: ast.Expression | ast.IndexedIdentifier) -> Qubits | Bits | Value:
        """Return an operand of a statement; physical qubits are operands, too."""
        identifier = node.name if isinstance(node, ast.IndexedIdentifier) else node
        if isinstance(identifier, ast.Identifier) and identifier.name.startswith("$"):
            return Qubits(
                (self._builder.physical_qubit(int(identifier.name[1:]), node),), scalar=True
            )
        if not isinstance(node, ast.IndexedIdentifier):
            return self.resolve(node)
        resolved = self.resolve(node.name)
        for index in node.indices:
            resolved = self.indexed(resolved, index, node)
        return resolved

    def resolve(self, node: ast.Expression) -> Value | Qubits | Bits:
        """Return the value of an expression, or a reference to qubits or bits."""
        literal = _literal(node)
        if literal is not None:
            return literal
        match node:
            case ast.Identifier():
                return self._named(node)
            case ast.IndexExpression():
                return self.indexed(self.resolve(node.collection), node.index, node)
            case ast.Concatenation():
                return self._concatenated(node)
        return self._computed(node)

    def _computed(self, node: ast.Expression) -> Value:
        match node:
            case ast.UnaryExpression():
                value = self.value(node.expression)
                return self._operators.unary(node.op.name, value, node)
            case ast.BinaryExpression():
                left, right = self.value(node.lhs), self.value(node.rhs)
                return self._operators.binary(node.op.name, left, right, node)
            case ast.Cast():
                value = self.value(node.argument)
                return self._operators.cast(value, self.type_of(node.type), node)
            case ast.FunctionCall():
                return self._call(node)
        what = UNSUPPORTED.get(type(node), f"{type(node).__name__} is")
        raise ProgramError(f"{what} not supported here; use numbers and bits", node)

    def symbol(self, node: ast.Identifier) -> Symbol:
        """Return the meaning of a name."""
        symbol = self._scopes.find(node.name)
        if symbol is not None:
            return symbol
        if self._scopes.is_hidden(node.name):
            raise ProgramError(
                f"'{node.name}' is not visible in a gate or subroutine; pass it as an argument",
                node,
            )
        raise ProgramError(f"'{node.name}' is not defined; declare it first", node)

    def _named(self, node: ast.Identifier) -> Value | Qubits | Bits:
        if self._scopes.find(node.name) is None and node.name in CONSTANTS:
            return Value(FLOAT, CONSTANTS[node.name])
        symbol = self.symbol(node)
        if isinstance(symbol, Qubits | Bits):
            return symbol
        if isinstance(symbol, Variable):
            return self.current(symbol, node)
        raise ProgramError(f"'{node.name}' is a gate or subroutine, and has no value", node)

    def current(self, variable: Variable, node: ast.Identifier) -> Value:
        """Return the value of a variable."""
        if variable.value is None or not self.is_current(variable):
            raise ProgramError(
                f"'{node.name}' is not assigned to right before; assign it on every path, after "
                "the last measurement of the bits that it is computed from",
                node,
            )
        return variable.value

    def is_current(self, variable: Variable) -> bool:
        """Return whether no bit that the value depends on has been written since."""
        return all(self._builder.writes[bit] == count for bit, count in variable.counts.items())

    def assign(self, variable: Variable, value: Value, node: ast.QASMNode) -> None:
        """Set a variable to a value, converted to its type."""
        result = self._operators.converted(value, variable.type, node)
        variable.value = Value(variable.type, result.content)
        variable.counts = {bit: self._builder.writes[bit] for bit in result.reads}

    def updated(self, variable: Variable, sign: str, node: ast.ClassicalAssignment) -> Value:
        """Return the value that `x op= y` assigns to x."""
        name = node.lvalue
        assert isinstance(name, ast.Identifier)
        old, new = self.current(variable, name), self.value(node.rvalue)
        return self._operators.binary(sign, old, new, node)

    def bits_of(self, value: Value, node: ast.QASMNode) -> list[Value]:
        """Return the bits of a register's value, the lowest first."""

        def part(place: int) -> Value:
            return self._operators.applied(node, BOOL, lambda x: int(x) >> place & 1, value)

        return [part(place) for place in range(value.type.bits)]

    def bit(self, index: int) -> Value:
        """Return one measured bit."""
        return word_value(BOOL, [Literal(index)])

    def _call(self, node: ast.FunctionCall) -> Value:
        name = node.name.name
        if isinstance(self._scopes.find(name), Subroutine):
            raise ProgramError(
                f"subroutine '{name}' returns nothing that could be used here; measure outside of "
                "it",
                node,
            )
        return self._operators.function(name, [self.value(each) for each in node.arguments], node)

    def indexed(
        self, collection: Value | Qubits | Bits, index: ast.IndexElement, node: ast.QASMNode
    ) -> Value | Qubits | Bits:
        """Return a part of a register, or bits of a number."""
        if isinstance(collection, Value):
            return self._bits_of(collection, index, node)
        if collection.scalar:
            raise ProgramError(f"a single {collection.noun} cannot be indexed", node)
        places, scalar = self._places(index, len(collection.indices), node)
        if len(set(places)) < len(places):
            raise ProgramError(f"an index names a {collection.noun} twice; name each once", node)
        return type(collection)(tuple(collection.indices[place] for place in places), scalar)

    def _bits_of(self, value: Value, index: ast.IndexElement, node: ast.QASMNode) -> Value:
        if value.type.kind not in INTEGERS | {Kind.BITS, Kind.ANGLE}:
            raise ProgramError(f"a value of type '{value.type}' cannot be indexed", node)
        places, scalar = self._places(index, value.type.bits, node)
        type_ = Type(Kind.BOOL) if scalar else Type(Kind.BITS, len(places))

        def part(number: int) -> int:
            return sum((number >> place & 1) << i for i, place in enumerate(places))

        return self._operators.applied(node, type_, part, value)

    def _places(
        self, index: ast.IndexElement, size: int, node: ast.QASMNode
    ) -> tuple[Sequence[int], bool]:
        """Return the places that an index names, and whether it is a single one."""
        if isinstance(index, ast.DiscreteSet):
            places = [self._place(each, size) for each in index.values]
            if not places:
                raise ProgramError("an index is empty; name at least one place", node)
            return places, False
        if len(index) != 1:
            raise ProgramError("an index has several dimensions; arrays are not supported", node)
        (only,) = index
        if isinstance(only, ast.RangeDefinition):
            return self._range(only, size), False
        return [self._place(only, size)], True

    def _place(self, node: ast.Expression, size: int) -> int:
        number = self.integer(node, "an index")
        if not -size <= number < size:
            raise ProgramError(
                f"index {number} is outside of a register of {size}; use 0 to {size - 1}, or "
                f"{-size} to -1 from the end",
                node,
            )
        return number % size

    def _range(self, node: ast.RangeDefinition, size: int) -> Sequence[int]:
        """Return the places of a range, both of whose ends belong to it."""
        step = 1 if node.step is None else self.integer(node.step, "a step")
        if step == 0:
            raise ProgramError("a range has the step 0; use another one", node)
        first, last = (0, size - 1) if step > 0 else (size - 1, 0)
        start = first if node.start is None else self._end(node.start, size)
        end = last if node.end is None else self._end(node.end, size)
        places = range(start, end + (1 if step > 0 else -1), step)
        if not places:
            raise ProgramError(
                f"the range from {start} to {end} in steps of {step} is empty; a range includes "
                "both of its ends",
                node,
            )
        for place in (places[0], places[-1]):
            if not 0 <= place < size:
                raise ProgramError(
                    f"index {place} of the range from {start} to {end} is outside of a register "
                    f"of {size}; use 0 to {size - 1}, or {-size} to -1 from the end",
                    node,
                )
        return places

    def _end(self, node: ast.Expression, size: int) -> int:
        """Return an end of a range, which need not belong to it itself."""
        number = self.integer(node, "an index")
        return number + size if number < 0 else number

    def _concatenated(self, node: ast.Concatenation) -> Value | Qubits | Bits:
        left, right = self.resolve(node.lhs), self.resolve(node.rhs)
        for kind in (Qubits, Bits):
            if isinstance(left, kind) and isinstance(right, kind):
                if left.scalar or right.scalar:
                    raise ProgramError(
                        f"'++' joins registers, not a single {kind.noun}; write a range such as "
                        "[0:0]",
                        node,
                    )
                if set(left.indices) & set(right.indices):
                    raise ProgramError(
                        f"'++' joins a {kind.noun} with itself; join different ones", node
                    )
                return kind(left.indices + right.indices, scalar=False)
        if isinstance(left, Qubits) or isinstance(right, Qubits):
            raise ProgramError("'++' joins qubits with bits; join registers of one type", node)
        a, b = self._value_of(left), self._value_of(right)
        if a.type.kind is not Kind.BITS or b.type.kind is not Kind.BITS:
            raise ProgramError(f"'++' is not defined for '{a.type}' and '{b.type}'", node)
        low = a.type.bits
        type_ = Type(Kind.BITS, low + b.type.bits)
        return self._operators.applied(node, type_, lambda x, y: int(x) | int(y) << low, a, b)


def _literal(node: ast.Expression) -> Value | None:
    match node:
        case ast.IntegerLiteral():
            type_ = INT if node.value < 1 << (MACHINE_WIDTH - 1) else UINT
            if node.value >= 1 << MACHINE_WIDTH:
                raise ProgramError(f"a number has more than {MACHINE_WIDTH} bits", node)
            return Value(type_, node.value)
        case ast.FloatLiteral():
            return Value(FLOAT, float(node.value))
        case ast.BooleanLiteral():
            return Value(Type(Kind.BOOL, const=True), int(node.value))
        case ast.BitstringLiteral():
            return Value(Type(Kind.BITS, node.width, const=True), node.value)
        case ast.DurationLiteral():
            seconds = node.value * SECONDS[node.unit.name]
            return Value(Type(Kind.DURATION, const=True), seconds)
    return None
