"""Expressions: names, types, literals, indices and ranges."""

import math
from collections.abc import Mapping, Sequence

from openqasm3 import ast

from compiler.formats.openqasm.version_3.circuit import CircuitBuilder, ProgramError
from compiler.formats.openqasm.version_3.conditions import BOOL
from compiler.formats.openqasm.version_3.operators import FLOAT, INT, UINT, Operators
from compiler.formats.openqasm.version_3.scopes import (
    Bits,
    Qubits,
    Scopes,
    Subroutine,
    Symbol,
    Variable,
)
from compiler.formats.openqasm.version_3.types import (
    BIT_LIKE,
    FLOAT_FORMATS,
    INTEGERS,
    MACHINE_WIDTH,
    Kind,
    Type,
    radians,
)
from compiler.formats.openqasm.version_3.values import Literal, Value, word_value

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
"""By unit; how long a `dt` takes is known on a device only."""

UNSUPPORTED: Mapping[type[ast.QASMNode], str] = {
    ast.ImaginaryLiteral: "imaginary numbers are",
    ast.SizeOf: "'sizeof' is",
    ast.DurationOf: "'durationof' is",
    ast.ArrayLiteral: "arrays are",
}


class Expressions:
    """Evaluates expressions.

    Args:
        scopes: what names stand for.
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
        """Return what an operand of a statement is; physical qubits are operands, too."""
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
        """Return what an expression is: a value, or a reference to qubits or bits."""
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
        """Return what a name stands for."""
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
        """Return what `x op= y` assigns to x."""
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
