"""Declarations and assignments of a program."""

from openqasm3 import ast

from compiler.formats.openqasm.version_3.circuit import CircuitBuilder, ProgramError
from compiler.formats.openqasm.version_3.expressions import CONSTANTS, Expressions
from compiler.formats.openqasm.version_3.gate_calls import STANDARD_INCLUDE
from compiler.formats.openqasm.version_3.gates import STANDARD_LIBRARY
from compiler.formats.openqasm.version_3.scopes import Bits, Qubits, Scopes, Symbol, Variable
from compiler.formats.openqasm.version_3.types import INTEGERS

BUILT_IN = frozenset(CONSTANTS) | {"U", "gphase"}


class Declarations:
    """Gives names a meaning.

    Args:
        builder: takes qubits and bits.
        scopes: takes names.
        expressions: evaluates sizes and values.
    """

    def __init__(self, builder: CircuitBuilder, scopes: Scopes, expressions: Expressions) -> None:
        self._builder = builder
        self._scopes = scopes
        self._expressions = expressions
        self._standard = False

    def include(self, node: ast.Include) -> None:
        """Make the standard library known."""
        if node.filename != STANDARD_INCLUDE:
            raise ProgramError(
                f"unable to include '{node.filename}'; only '{STANDARD_INCLUDE}' is known: write "
                "the definitions into this file",
                node,
            )
        self.need_global("an include", node)
        if not self._standard:
            self._standard = True
            for name, gate in STANDARD_LIBRARY.items():
                self.declare(name, gate, node)

    def declare(
        self,
        name: str,
        symbol: Symbol,
        node: ast.QASMNode,
    ) -> None:
        """Give a name a meaning in the innermost scope."""
        if self._scopes.is_global and name in BUILT_IN:
            raise ProgramError(f"'{name}' is built in; choose another name", node)
        self._scopes.declare(name, symbol, node)

    def need_global(self, what: str, node: ast.Statement) -> None:
        """Refuse a declaration in a block."""
        if not self._scopes.is_global:
            raise ProgramError(f"{what} can only be declared outside of all blocks", node)

    def size(self, node: ast.Expression) -> int:
        """Return the size of a register."""
        size = self._expressions.constant_size(node)
        if size < 1:
            raise ProgramError(f"a register has {size} places; give it at least 1", node)
        return size

    def qubits(self, node: ast.QubitDeclaration) -> None:
        """Declare qubits."""
        self.need_global("a qubit", node)
        size = 1 if node.size is None else self.size(node.size)
        name, scalar = node.qubit.name, node.size is None
        indices = self._builder.add_qubits(name, size, node)
        self.declare(name, Qubits(indices, scalar=scalar), node)

    def classical(self, node: ast.ClassicalDeclaration) -> Bits | None:
        """Declare a classical variable; bits are returned, so that a measurement can set them."""
        first = node.init_expression
        if isinstance(node.type, ast.BitType):
            if first is not None and not isinstance(first, ast.QuantumMeasurement):
                raise ProgramError(
                    "initial values of bits are not supported; bits are written by measurements",
                    node,
                )
            return self._bits(node)
        if isinstance(first, ast.QuantumMeasurement):
            raise ProgramError("a measurement is kept in a bit; declare it as bit", node)
        variable = Variable(self._expressions.type_of(node.type))
        if first is not None:
            value = self._expressions.value(first)
            self._expressions.assign(variable, value, node)
        self.declare(node.identifier.name, variable, node)
        return None

    def _bits(self, node: ast.ClassicalDeclaration | ast.IODeclaration) -> Bits:
        size = getattr(node.type, "size", None)
        count = 1 if size is None else self.size(size)
        name = node.identifier.name
        bits = Bits(self._builder.add_clbits(name, count), scalar=size is None)
        self.declare(name, bits, node)
        return bits

    def output(self, node: ast.IODeclaration) -> None:
        """Declare an output."""
        self.need_global("an output", node)
        if isinstance(node.type, ast.BitType):
            self._bits(node)
        else:
            type_ = self._expressions.type_of(node.type)
            self.declare(node.identifier.name, Variable(type_), node)

    def constant(self, node: ast.ConstantDeclaration) -> None:
        """Declare a constant."""
        type_ = self._expressions.type_of(node.type, const=True)
        value = self._expressions.value(node.init_expression)
        if value.known is None or not value.type.const:
            raise ProgramError(
                f"'{node.identifier.name}' is a constant, but its value is not; use constants only",
                node,
            )
        variable = Variable(type_)
        self._expressions.assign(variable, value, node)
        stored = variable.value
        if type_.kind in INTEGERS and stored is not None and stored.known != value.known:
            raise ProgramError(f"{value.known} does not fit into '{type_}'; widen the type", node)
        self.declare(node.identifier.name, variable, node)

    def alias(self, node: ast.AliasStatement) -> None:
        """Give qubits or bits another name."""
        target = self._expressions.resolve(node.value)
        if not isinstance(target, Qubits | Bits):
            raise ProgramError("'let' names qubits or bits; use const for a number", node)
        self.declare(node.target.name, target, node)

    def assign(self, node: ast.ClassicalAssignment) -> None:
        """Assign a value to a variable."""
        if isinstance(node.rvalue, ast.QuantumMeasurement):
            raise ProgramError("a measurement is kept in a bit; assign it to one", node)
        lvalue = node.lvalue
        name = lvalue.name if isinstance(lvalue, ast.IndexedIdentifier) else lvalue
        variable = self._expressions.symbol(name)
        if isinstance(variable, Bits):
            raise ProgramError(
                f"'{name.name}' is written by measurements only; use a bool or uint for values "
                "that are computed",
                node,
            )
        if not isinstance(variable, Variable) or variable.type.const:
            raise ProgramError(f"'{name.name}' cannot be assigned to", node)
        if isinstance(lvalue, ast.IndexedIdentifier):
            raise ProgramError("parts of a number cannot be assigned to; assign all of it", node)
        sign = node.op.name
        if sign == "=":
            value = self._expressions.value(node.rvalue)
        else:
            value = self._expressions.updated(variable, sign.removesuffix("="), node)
        self._expressions.assign(variable, value, node)
