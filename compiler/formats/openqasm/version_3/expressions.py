"""Expressions: names, types, literals, indices and ranges.

Operators, functions and conversions of classical values.
"""

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial, reduce

from openqasm3 import ast
from qiskit.circuit import ParameterExpression

from compiler.formats.openqasm.version_3.circuit import CircuitBuilder, ProgramError
from compiler.formats.openqasm.version_3.scopes import (
    Bits,
    Qubits,
    Scopes,
    Symbol,
    Variable,
)
from compiler.formats.openqasm.version_3.values import (
    BIT_LIKE,
    BOOL,
    FLOAT_FORMATS,
    INTEGERS,
    MACHINE_WIDTH,
    Conditions,
    Kind,
    Literal,
    Number,
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
)

INT, UINT, FLOAT = (Type(kind, const=True) for kind in (Kind.INT, Kind.UINT, Kind.FLOAT))


class Operators:
    """Computes values.

    Args:
        conditions: the classical bits of the program.
        warn: receives warnings about definitions of the language that many do not expect.
    """

    def __init__(self, conditions: Conditions, warn: Callable[[str], None]) -> None:
        self.conditions = conditions
        self._warn = warn

    def converted(self, value: Value, target: Type) -> Value:
        """Return a value as another type, without a cast."""
        if not can_convert(value.type, target):
            raise ProgramError(
                f"a value of type '{value.type}' is no '{target}'; write a cast if one is meant"
            )
        return self._as(value, target)

    def cast(self, value: Value, target: Type) -> Value:
        """Return a value as another type, by an explicit cast."""
        if not can_cast(value.type, target):
            raise ProgramError(f"'{value.type}' cannot be cast to '{target}'; use another type")
        return self._as(value, target)

    def unary(self, sign: str, value: Value) -> Value:
        """Return the result of `!`, `~` or `-` on a value."""
        kind = value.type.kind
        if sign == "!" or (sign == "~" and kind is Kind.BOOL):
            return self.conditions.negation(self.converted(value, BOOL))
        if sign == "~" and kind in INTEGERS | {Kind.BITS, Kind.ANGLE}:
            return applied(value.type, operator.invert, value)
        if sign == "-" and kind in INTEGERS | {Kind.FLOAT, Kind.ANGLE, Kind.DURATION}:
            return applied(value.type, operator.neg, value)
        raise _undefined(sign, value)

    def binary(self, sign: str, left: Value, right: Value) -> Value:
        """Return the result of an operator on two values."""
        if sign in ("&&", "||"):
            return self._joined(sign, self.converted(left, BOOL), self.converted(right, BOOL))
        if sign in COMPARE:
            return self._compared(sign, left, right)
        if sign in ("<<", ">>"):
            return _shifted(sign, left, right)
        if sign in BITWISE:
            return self._bitwise(sign, left, right)
        return self._arithmetic(sign, left, right)

    def function(self, name: str, arguments: Sequence[Value]) -> Value:
        """Return the result of a built-in function."""
        match name, arguments:
            case ("cos" | "sin" | "tan", [Value(type=Type(kind=Kind.ANGLE))]):
                (angle,) = arguments
                return applied(FLOAT, lambda x: FUNCTIONS[name](radians(x, angle.type)), angle)
            case (_, [value]) if name in FUNCTIONS:
                value = self.converted(value, Type(Kind.FLOAT, const=value.type.const))
                return applied(FLOAT, lambda x: _function(name, x), value)
            case ("mod", [left, right]):
                return self._arithmetic("%", left, right)
            case ("popcount", [value]) if value.type.kind in INTEGERS | BIT_LIKE:
                pattern = (1 << value.type.bits) - 1
                return applied(UINT, lambda x: (int(x) & pattern).bit_count(), value)
            case ("rotl" | "rotr", [value, distance]):
                return _rotated(name, value, distance)
        if name in FUNCTION_NAMES:
            raise _undefined(name, *arguments)
        names = ", ".join(sorted(FUNCTION_NAMES))
        raise ProgramError(f"there is no function '{name}'; known are {names}")

    def selected(self, condition: Value, a: Value, b: Value) -> Value | None:
        """Return a where a condition holds, and b elsewhere; None if that depends on too much."""
        with suppress(TooWideError):
            return applied(a.type, lambda c, x, y: x if c else y, condition, a, b)
        return None

    def is_any_of(self, value: Value, numbers: Sequence[int]) -> Value:
        """Return whether a value is one of some numbers."""
        with suppress(TooWideError):
            return applied(BOOL, lambda x: int(x in numbers), value)
        equal = [self._compared("==", value, Value(INT, number)) for number in numbers]
        return reduce(partial(self._joined, "||"), equal, Value(BOOL, 0))

    def _as(self, value: Value, target: Type) -> Value:
        source = value.type
        if source.kind is target.kind is Kind.BOOL:
            return value
        if isinstance(value.content, Word):
            if target.kind is Kind.BOOL:
                return self._compared("!=", value, Value(INT, 0))
            if target.kind in INTEGERS | {Kind.BITS}:
                return widened(value, target)
        return applied(target, lambda x: converted(x, source, target), value)

    def _joined(self, sign: str, left: Value, right: Value) -> Value:
        with suppress(TooWideError):
            return applied(BOOL, operator.and_ if sign == "&&" else operator.or_, left, right)
        return self.conditions.joined(sign, left, right)

    def _compared(self, sign: str, left: Value, right: Value) -> Value:
        a, b = self._met(left, right, sign)
        with suppress(TooWideError):
            return applied(BOOL, lambda x, y: int(COMPARE[sign](x, y)), a, b)
        return self.conditions.compared(sign, a, b)

    def _met(self, left: Value, right: Value, sign: str) -> tuple[Value, Value]:
        """Return two operands as values of one type."""
        a, b = as_integer(left.type), as_integer(right.type)
        kinds = {a.kind, b.kind}
        if left.type.kind is right.type.kind is Kind.BITS:
            target = Type(Kind.UINT, max(a.bits, b.bits))
        elif kinds <= INTEGERS:
            target = common_integer(a, b)
            for value in (left, right):
                if target.kind is Kind.UINT and value.known is not None and value.known < 0:
                    raise ProgramError(
                        f"'{sign}' of {value.known} and a value of type '{target}', which has no "
                        "sign; cast it to int first"
                    )
        elif Kind.ANGLE in kinds and kinds <= {Kind.ANGLE, Kind.FLOAT}:
            target = Type(Kind.ANGLE, max(t.bits for t in (a, b) if t.kind is Kind.ANGLE))
        elif kinds <= INTEGERS | {Kind.FLOAT}:
            target = Type(Kind.FLOAT, max(t.bits for t in (a, b) if t.kind is Kind.FLOAT))
        elif kinds == {Kind.DURATION}:
            target = a
        else:
            raise _undefined(sign, left, right)
        target = Type(target.kind, target.width, left.type.const and right.type.const)
        x, y = (self._as(Value(as_integer(v.type), v.content), target) for v in (left, right))
        return x, y

    def _arithmetic(self, sign: str, left: Value, right: Value) -> Value:
        kinds = (left.type.kind, right.type.kind)
        if Kind.ANGLE in kinds and sign in ("*", "/"):
            return _scaled_angle(sign, left, right)
        if Kind.DURATION in kinds and sign in ("*", "/"):
            return _scaled_duration(sign, left, right)
        a, b = self._met(left, right, sign)
        kind = a.type.kind
        if kind in (Kind.ANGLE, Kind.DURATION) and sign not in ("+", "-"):
            raise _undefined(sign, left, right)
        if sign in RING or kind is Kind.FLOAT:
            return applied(a.type, {**RING, **OF_FLOATS}[sign], a, b)
        if sign == "**" and right.known is not None and right.known < 0:
            return applied(FLOAT, lambda x, y: float(x) ** y, a, right)
        if sign == "/" and a.known is not None and b.known and a.known % b.known:
            self._warn(
                f"{a.known} / {b.known} of whole numbers is "
                f"{integer_quotient(int(a.known), int(b.known))} in OpenQASM 3; write "
                f"{a.known}.0 / {b.known} for the fraction"
            )
        power = partial(_integer_power, modulus=1 << a.type.bits)
        return applied(a.type, power if sign == "**" else OF_INTEGERS[sign], a, b)

    def _bitwise(self, sign: str, left: Value, right: Value) -> Value:
        a, b = left.type, right.type
        if a.kind is b.kind and a.kind in BIT_LIKE | {Kind.ANGLE}:
            if a.bits != b.bits:
                raise ProgramError(f"'{sign}' of '{a}' and '{b}'; both need the same width")
            if a.kind is Kind.BOOL and sign != "^":
                return self._joined(sign * 2, left, right)
            return applied(a, BITWISE[sign], left, right)
        x, y = self._met(left, right, sign)
        if x.type.kind not in INTEGERS:
            raise _undefined(sign, left, right)
        return applied(x.type, BITWISE[sign], x, y)


def _undefined(name: str, *operands: Value) -> ProgramError:
    """Return the error of an operator or function that some types do not have."""
    kinds = " and ".join(f"'{each.type}'" for each in operands)
    return ProgramError(f"'{name}' is not defined for {kinds or 'nothing'}; cast the values")


def integer_quotient(a: int, b: int) -> int:
    """Return a / b without its fraction, as C99 does."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _float_power(x: float, y: float) -> float:
    power = x**y
    if isinstance(power, complex):
        raise OverflowError(f"{x} ** {y} is no real number")
    return power if isinstance(power, ParameterExpression) else float(power)


def _integer_power(x: int, y: int, modulus: int) -> int:
    if y < 0:
        raise ValueError(f"{x} ** {y} is no whole number")
    return pow(x, y, modulus)


def _function(name: str, value: float | ParameterExpression) -> float:
    if isinstance(value, ParameterExpression):
        return getattr(value, name)()
    return FUNCTIONS[name](value)


def _scaled_angle(sign: str, left: Value, right: Value) -> Value:
    """Return an angle times or by a whole number, or by an angle."""
    a, b = as_integer(left.type), as_integer(right.type)
    if sign == "*" and {a.kind, b.kind} <= INTEGERS | {Kind.ANGLE} and a.kind is not b.kind:
        return applied(a if a.kind is Kind.ANGLE else b, operator.mul, left, right)
    if sign == "/" and a.kind is Kind.ANGLE and b.kind in INTEGERS:
        return applied(a, integer_quotient, left, right)
    if sign == "/" and a.kind is b.kind and a.bits == b.bits:
        return applied(Type(Kind.UINT, a.width), integer_quotient, left, right)
    raise _undefined(sign, left, right)


def _scaled_duration(sign: str, left: Value, right: Value) -> Value:
    a, b = left.type.kind, right.type.kind
    numbers = INTEGERS | {Kind.FLOAT}
    if sign == "*" and a is not b and {a, b} <= numbers | {Kind.DURATION}:
        return applied(Type(Kind.DURATION), operator.mul, left, right)
    if sign == "/" and a is Kind.DURATION and b in numbers | {Kind.DURATION}:
        kind = Kind.FLOAT if b is Kind.DURATION else Kind.DURATION
        return applied(Type(kind), operator.truediv, left, right)
    raise _undefined(sign, left, right)


def _shifted(sign: str, left: Value, right: Value) -> Value:
    type_ = left.type
    if type_.kind not in INTEGERS | {Kind.BITS, Kind.ANGLE} or (
        as_integer(right.type).kind not in INTEGERS
    ):
        raise _undefined(sign, left, right)

    def shifted(value: int, by: int) -> int:
        if by < 0:
            raise ValueError(f"a shift by {by} places")
        by = min(by, type_.bits)
        return value << by if sign == "<<" else value >> by

    return applied(type_, shifted, left, right)


def _rotated(name: str, value: Value, distance: Value) -> Value:
    width = value.type.bits
    if value.type.kind not in (Kind.BITS, Kind.UINT, Kind.ANGLE):
        raise _undefined(name, value)

    def rotated(x: int, by: int) -> int:
        by = (by if name == "rotl" else -by) % width
        return x << by | x >> (width - by)

    return applied(value.type, rotated, value, distance)


RING: Mapping[str, Callable[..., Number]] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul,
}  # fmt: skip
OF_FLOATS: Mapping[str, Callable[..., float]] = {
    "/": operator.truediv, "%": math.fmod, "**": _float_power,
}  # fmt: skip
OF_INTEGERS: Mapping[str, Callable[..., int]] = {
    "/": integer_quotient, "%": lambda x, y: x - y * integer_quotient(x, y),
}  # fmt: skip
COMPARE: Mapping[str, Callable[[Number, Number], bool]] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt,
    ">=": operator.ge,
}  # fmt: skip
BITWISE: Mapping[str, Callable[[int, int], int]] = {
    "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip
FUNCTIONS: Mapping[str, Callable[[float], float]] = {
    "arccos": math.acos, "arcsin": math.asin, "arctan": math.atan, "cos": math.cos,
    "exp": math.exp, "log": math.log, "sin": math.sin, "sqrt": math.sqrt, "tan": math.tan,
    "ceiling": lambda x: float(math.ceil(x)), "floor": lambda x: float(math.floor(x)),
}  # fmt: skip
FUNCTION_NAMES = frozenset(FUNCTIONS) | {"mod", "popcount", "rotl", "rotr"}


MAX_WIDTH = 1 << 16
"""Bits of a classical type."""

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
        word, size = type(node).__name__.removesuffix("Type").lower(), getattr(node, "size", None)
        try:
            kind = Kind(word)
        except ValueError:
            raise ProgramError(f"type '{word}' is not supported; use {', '.join(Kind)}") from None
        if size is None:
            return Type(Kind.BOOL if kind is Kind.BITS else kind, const=const)
        width = self.constant_size(size)
        if kind is Kind.FLOAT and width not in FLOAT_FORMATS:
            raise ProgramError(f"type 'float[{width}]' is not supported; use 16, 32 or 64")
        if not 1 <= width <= MAX_WIDTH:
            raise ProgramError(f"a type has {width} bits; 1 to {MAX_WIDTH} are allowed")
        return Type(kind, width, const)

    def constant_size(self, node: ast.Expression) -> int:
        """Return a size, which must be known at compile time."""
        value = self.value(node)
        if value.known is None or not value.type.const or value.type.kind not in INTEGERS:
            raise ProgramError("a size is a constant whole number; declare it as const")
        return int(value.known)

    def value(self, node: ast.Expression) -> Value:
        """Return the value of an expression."""
        resolved = self.resolve(node)
        if isinstance(resolved, Qubits):
            raise ProgramError("a qubit has no classical value; measure it first")
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
            raise ProgramError(f"{meaning} cannot depend on measured bits; use a number")
        if value.type.kind not in INTEGERS | BIT_LIKE:
            raise ProgramError(f"{meaning} is a whole number, not of type '{value.type}'")
        return int(value.known)

    def truth(self, node: ast.Expression) -> Value:
        """Return a condition as `bool`."""
        return self._operators.converted(self.value(node), BOOL)

    def angle(self, node: ast.Expression) -> Value:
        """Return a gate's parameter in radians, as `float`."""
        value = self.value(node)
        if value.type.kind not in INTEGERS | {Kind.FLOAT, Kind.ANGLE, Kind.BOOL}:
            raise ProgramError(f"a gate's parameter is a number, not of type '{value.type}'")
        return applied(FLOAT, lambda x: radians(x, value.type), value)

    def qubits(self, node: ast.Expression | ast.IndexedIdentifier) -> Qubits:
        """Return the qubits of an operand."""
        resolved = self.operand(node)
        if not isinstance(resolved, Qubits):
            raise ProgramError("an operand is no qubit")
        return resolved

    def operand(self, node: ast.Expression | ast.IndexedIdentifier) -> Qubits | Bits | Value:
        """Return an operand of a statement; physical qubits are operands, too."""
        identifier = node.name if isinstance(node, ast.IndexedIdentifier) else node
        if isinstance(identifier, ast.Identifier) and identifier.name.startswith("$"):
            return Qubits((self._builder.physical_qubit(int(identifier.name[1:])),), scalar=True)
        if not isinstance(node, ast.IndexedIdentifier):
            return self.resolve(node)
        resolved = self.resolve(node.name)
        for index in node.indices:
            resolved = self.indexed(resolved, index)
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
                return self.indexed(self.resolve(node.collection), node.index)
            case ast.Concatenation():
                return self._concatenated(node)
        return self._computed(node)

    def _computed(self, node: ast.Expression) -> Value:
        match node:
            case ast.UnaryExpression():
                return self._operators.unary(node.op.name, self.value(node.expression))
            case ast.BinaryExpression():
                left, right = self.value(node.lhs), self.value(node.rhs)
                return self._operators.binary(node.op.name, left, right)
            case ast.Cast():
                return self._operators.cast(self.value(node.argument), self.type_of(node.type))
            case ast.FunctionCall():
                return self._call(node)
        what = UNSUPPORTED.get(type(node), f"{type(node).__name__} is")
        raise ProgramError(f"{what} not supported here; use numbers and bits")

    def symbol(self, node: ast.Identifier) -> Symbol:
        """Return the meaning of a name."""
        symbol = self._scopes.find(node.name)
        if symbol is not None:
            return symbol
        if self._scopes.is_hidden(node.name):
            raise ProgramError(f"'{node.name}' is not visible here; pass it as an argument")
        raise ProgramError(f"'{node.name}' is not defined; declare it first")

    def _named(self, node: ast.Identifier) -> Value | Qubits | Bits:
        if self._scopes.find(node.name) is None and node.name in CONSTANTS:
            return Value(FLOAT, CONSTANTS[node.name])
        symbol = self.symbol(node)
        if isinstance(symbol, Qubits | Bits):
            return symbol
        if isinstance(symbol, Variable):
            return self.current(symbol, node)
        raise ProgramError(f"'{node.name}' is a gate or subroutine, and has no value")

    def current(self, variable: Variable, node: ast.Identifier) -> Value:
        """Return the value of a variable."""
        if variable.value is None or not self.is_current(variable):
            raise ProgramError(
                f"'{node.name}' is not assigned to right before; assign it on every path, after "
                "the last measurement of the bits that it is computed from"
            )
        return variable.value

    def is_current(self, variable: Variable) -> bool:
        """Return whether no bit that the value depends on has been written since."""
        return all(self._builder.writes[bit] == count for bit, count in variable.counts.items())

    def assign(self, variable: Variable, value: Value) -> None:
        """Set a variable to a value, converted to its type."""
        result = self._operators.converted(value, variable.type)
        variable.value = Value(variable.type, result.content)
        variable.counts = {bit: self._builder.writes[bit] for bit in result.reads}

    def _call(self, node: ast.FunctionCall) -> Value:
        name = node.name.name
        if isinstance(self._scopes.find(name), ast.SubroutineDefinition):
            raise ProgramError(f"subroutine '{name}' returns nothing; measure outside of it")
        return self._operators.function(name, [self.value(each) for each in node.arguments])

    def indexed(
        self, collection: Value | Qubits | Bits, index: ast.IndexElement
    ) -> Value | Qubits | Bits:
        """Return a part of a register, or bits of a number."""
        if isinstance(collection, Value):
            return self._bits_of(collection, index)
        if collection.scalar:
            raise ProgramError(f"a single {collection.noun} cannot be indexed")
        places, scalar = self._places(index, len(collection.indices))
        if len(set(places)) < len(places):
            raise ProgramError(f"an index names a {collection.noun} twice; name each once")
        return type(collection)(tuple(collection.indices[place] for place in places), scalar)

    def _bits_of(self, value: Value, index: ast.IndexElement) -> Value:
        if value.type.kind not in INTEGERS | {Kind.BITS, Kind.ANGLE}:
            raise ProgramError(f"a value of type '{value.type}' cannot be indexed")
        places, scalar = self._places(index, value.type.bits)
        return bits_at(value, places, BOOL if scalar else Type(Kind.BITS, len(places)))

    def _places(self, index: ast.IndexElement, size: int) -> tuple[Sequence[int], bool]:
        """Return the places that an index names, and whether it is a single one."""
        if isinstance(index, ast.DiscreteSet):
            places = [self._place(each, size) for each in index.values]
            if not places:
                raise ProgramError("an index is empty; name at least one place")
            return places, False
        if len(index) != 1:
            raise ProgramError("an index has several dimensions; arrays are not supported")
        (only,) = index
        if isinstance(only, ast.RangeDefinition):
            return self._range(only, size), False
        return [self._place(only, size)], True

    def _place(self, node: ast.Expression, size: int) -> int:
        number = self._from_start(node, size)
        if not 0 <= number < size:
            raise _outside(self.integer(node, "an index"), size)
        return number

    def range_of(self, start: int, end: int, step: ast.Expression | None) -> range:
        """Return the numbers of a range, both of whose ends belong to it."""
        by = 1 if step is None else self.integer(step, "a step")
        if by == 0:
            raise ProgramError("a range has the step 0; use another one")
        return range(start, end + (1 if by > 0 else -1), by)

    def _range(self, node: ast.RangeDefinition, size: int) -> Sequence[int]:
        """Return the places of a range, both of whose ends belong to it."""
        down = self.range_of(0, 0, node.step).step < 0
        start = self._from_start(node.start, size) if node.start else (size - 1) * down
        end = self._from_start(node.end, size) if node.end else (size - 1) * (not down)
        places = self.range_of(start, end, node.step)
        if not places:
            raise ProgramError(f"the range from {start} to {end} by {places.step} is empty")
        for place in (places[0], places[-1]):
            if not 0 <= place < size:
                raise _outside(place, size)
        return places

    def _from_start(self, node: ast.Expression, size: int) -> int:
        """Return an index, counted from the start, also where a negative one counts from the end.

        The end of a range need not belong to it itself, and may be outside of the register.
        """
        number = self.integer(node, "an index")
        return number + size if number < 0 else number

    def _concatenated(self, node: ast.Concatenation) -> Value | Qubits | Bits:
        left, right = self.resolve(node.lhs), self.resolve(node.rhs)
        for kind in (Qubits, Bits):
            if isinstance(left, kind) and isinstance(right, kind):
                if left.scalar or right.scalar:
                    raise ProgramError(f"'++' joins registers, no single {kind.noun}; write [0:0]")
                if set(left.indices) & set(right.indices):
                    raise ProgramError(f"'++' joins a {kind.noun} with itself; join different ones")
                return kind(left.indices + right.indices, scalar=False)
        if isinstance(left, Qubits) or isinstance(right, Qubits):
            raise ProgramError("'++' joins qubits with bits; join registers of one type")
        a, b = self._value_of(left), self._value_of(right)
        if a.type.kind is not Kind.BITS or b.type.kind is not Kind.BITS:
            raise _undefined("++", a, b)
        low = a.type.bits
        type_ = Type(Kind.BITS, low + b.type.bits)
        return applied(type_, lambda x, y: int(x) | int(y) << low, a, b)


def _outside(index: int, size: int) -> ProgramError:
    return ProgramError(
        f"index {index} is outside of a register of {size}; use 0 to {size - 1}, or {-size} to -1 "
        "from the end"
    )


def bits_at(value: Value, places: Sequence[int], type_: Type) -> Value:
    """Return some bits of a value as a value of another type, the first one lowest."""
    return applied(type_, lambda x: sum((x >> at & 1) << i for i, at in enumerate(places)), value)


def _literal(node: ast.Expression) -> Value | None:
    match node:
        case ast.IntegerLiteral():
            type_ = INT if node.value < 1 << (MACHINE_WIDTH - 1) else UINT
            if node.value >= 1 << MACHINE_WIDTH:
                raise ProgramError(f"a number has more than {MACHINE_WIDTH} bits")
            return Value(type_, node.value)
        case ast.FloatLiteral():
            return Value(FLOAT, float(node.value))
        case ast.BooleanLiteral():
            return Value(Type(Kind.BOOL, const=True), int(node.value))
        case ast.BitstringLiteral():
            return Value(Type(Kind.BITS, node.width, const=True), node.value)
        case ast.DurationLiteral():
            return Value(Type(Kind.DURATION, const=True), node.value * SECONDS[node.unit.name])
    return None
