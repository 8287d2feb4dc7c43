"""Programs in OpenQASM 3: statements are followed, loops and subroutines are written out.

Branches that measured bits decide about.

Gates of a program: definitions, modifiers, broadcasting.

Declarations and assignments of a program.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, suppress
from io import StringIO
from itertools import chain, zip_longest
from math import isfinite
from typing import NoReturn

from openqasm3 import ast, parse
from openqasm3.parser import QASM3ParsingError
from qiskit import QuantumCircuit
from qiskit.circuit import Barrier, Measure, Parameter, ParameterExpression, Reset
from qiskit.circuit.exceptions import CircuitError

from compiler.errors import CircuitFileError
from compiler.formats.openqasm.tokens import checked_tokens, place
from compiler.formats.openqasm.version_3.circuit import (
    STANDARD_LIBRARY,
    Applied,
    Branch,
    CircuitBuilder,
    Frame,
    Instruction,
    ProgramError,
    Switch,
    U,
    UncomputableError,
    Unitary,
)
from compiler.formats.openqasm.version_3.expressions import (
    CONSTANTS,
    Expressions,
    Operators,
    bits_at,
)
from compiler.formats.openqasm.version_3.scopes import (
    Bits,
    Gate,
    Qubits,
    Scopes,
    Symbol,
    Variable,
)
from compiler.formats.openqasm.version_3.values import (
    BOOL,
    INTEGERS,
    NO_SYMBOLS,
    Conditions,
    Kind,
    Literal,
    Number,
    Table,
    Type,
    Value,
    combinations,
    tabulated,
    word_value,
)
from compiler.words.plurals import how_many

STANDARD_INCLUDE = "stdgates.inc"

MAX_GATE_VALUES = 64
"""Different parameters that measured bits may give one gate."""

MAX_POWER = 1_000_000
"""Power of a gate, beyond which angles lose their digits."""

MAX_NAME = 40
"""Characters of a name that a message shows."""


BUILT_IN = frozenset(CONSTANTS) | {"U", "gphase"}


MAX_TURNS = 100_000
"""Turns that all loops of a program take together."""

MAX_TOKEN = 40
"""Characters of a wrong token that a message shows."""

TOO_DEEP = "the program is nested too deeply; write it flatter"
SUPPORTED = "keep to gates, measurements, resets, if, switch, for, constants and subroutines"

PHASE_OF_U = (
    "a controlled U has the phase of the OpenQASM 3 specification, exp(iθ/2); Qiskit's importer "
    "and OpenQASM 2 leave it out"
)
RETURNS = "a subroutine cannot return anything here; measure outside of it"

UNSUPPORTED: Mapping[type[ast.QASMNode], str] = {
    ast.WhileLoop: "'while' has no bound; write 'for' with as many turns as needed",
    ast.EndStatement: f"'end' is not supported; {SUPPORTED}",
    ast.ExternDeclaration: f"'extern' is not supported; {SUPPORTED}",
    ast.Pragma: "a pragma is not supported, because it may change the program; remove it",
    ast.CalibrationGrammarDeclaration: f"'defcalgrammar' is not supported; {SUPPORTED}",
    ast.CalibrationStatement: f"'cal' is not supported; {SUPPORTED}",
    ast.CalibrationDefinition: f"'defcal' is not supported; {SUPPORTED}",
}

_PLACE = re.compile(r"L(\d+):C(\d+): (.*)", re.DOTALL)


IN_GATES: frozenset[type[ast.QASMNode]] = frozenset(
    {ast.QuantumGate, ast.QuantumPhase, ast.QuantumBarrier, ast.ForInLoop, ast.CompoundStatement}
)


class _LeavingError(Exception):
    """A loop, a turn of it, or a subroutine ends, by the word for that."""


def read_openqasm_3(text: str, warn: Callable[[str], None] | None = None) -> QuantumCircuit:
    """Return the circuit of an OpenQASM 3 program.

    A register becomes a register of the same name, and a single qubit or bit a register of one.
    Physical qubits `$0`, `$1`, … become qubits 0, 1, …

    Args:
        text: the program.
        warn: is told, in one line, where the program means something else than many readers take
            it for.

    Raises:
        ProgramError: if it is malformed or invalid, or uses a construct that is not supported.
    """
    for token in checked_tokens(text, 3):
        # The parser reports such characters on stderr.
        if token.kind == "unknown":
            shown = token.text[:MAX_TOKEN]
            raise ProgramError(f"{place(text, token.start)}: unexpected '{shown}'")
    try:
        # ANTLR writes about tokens on stderr, too.
        with redirect_stderr(StringIO()):
            program = parse(text)
    except QASM3ParsingError as error:
        raise ProgramError(_reason(error)) from error
    except RecursionError:
        raise ProgramError(TOO_DEEP) from None
    return _Reader(warn or (lambda _: None)).read(program)


def _reason(error: QASM3ParsingError) -> str:
    """Return why and where the parser gave up; a wrong token is the cause of the error's cause."""
    stopped = getattr(error.__cause__, "args", None) or [None]
    token = getattr(stopped[0], "offendingToken", None)
    if token is not None:
        text = "end" if token.text == "<EOF>" else f"'{token.text[:MAX_TOKEN]}'"
        return f"line {token.line}, column {token.column + 1}: unexpected {text}"
    place = _PLACE.match(str(error))
    if place is None:
        return str(error)
    return f"line {place[1]}, column {int(place[2]) + 1}: {place[3]}"


class _Reader:
    """Follows the statements of a program."""

    def __init__(self, warn: Callable[[str], None]) -> None:
        self._builder = builder = CircuitBuilder(warn)
        self._scopes = scopes = Scopes()
        operators = Operators(Conditions(builder.clbits, builder.registers), builder.warn)
        self._expressions = Expressions(scopes, operators, builder)
        self._operators = operators
        self._unitaries: dict[tuple[str, tuple[float, ...]], Unitary] = {}
        self._open: list[str] = []
        self._standard = False
        self._depth = 0
        """Branches around the present statement that measured bits decide about."""

        self._turns = 0
        self._calls: list[str] = []
        self._loops: list[int] = []
        self._bodies: list[int] = []

    def read(self, program: ast.Program) -> QuantumCircuit:
        """Return the circuit of a program; its inputs become parameters."""
        try:
            self._follow(program.statements)
        except RecursionError:
            raise ProgramError(TOO_DEEP) from None
        except CircuitFileError as error:
            raise ProgramError(f"line {self._builder.line}: {error}") from error
        return self._builder.circuit()

    def _execute(self, node: ast.Statement | ast.Pragma) -> None:
        around = self._builder.line
        if node.span is not None:
            self._builder.line = node.span.start_line
        if self._is_nop(node):
            self._builder.line = around
            return
        name = type(node).__name__
        method = getattr(self, f"visit_{name}", None)
        if method is None:
            reason = UNSUPPORTED.get(type(node), f"{name} is not supported; {SUPPORTED}")
            raise ProgramError(reason)
        if self._builder.frame.gate_qubits is not None and type(node) not in IN_GATES:
            raise ProgramError("a gate's definition holds gates and loops only")
        method(node)
        # Not restored after an error, whose message names the innermost line.
        self._builder.line = around

    def _is_nop(self, node: ast.Statement | ast.Pragma) -> bool:
        """Return whether a statement is `nop`, a keyword that the parser does not know.

        Raises:
            ProgramError: if an operand is no qubit.
        """
        match node:
            case ast.ExpressionStatement(ast.Identifier("nop")):
                operands = list[ast.IndexedIdentifier | ast.Identifier]()
            case ast.QuantumGate([], ast.Identifier("nop"), [], operands, None):
                pass
            case _:
                return False
        if self._scopes.find("nop") is not None:
            return False
        for each in operands:
            self._expressions.qubits(each)
        return True

    def _follow(self, statements: Sequence[ast.Statement | ast.Pragma]) -> None:
        for statement in statements:
            self._execute(statement)

    def _block(self, statements: Sequence[ast.Statement]) -> None:
        with self._scopes.block():
            self._follow(statements)

    def visit_QuantumMeasurementStatement(self, node: ast.QuantumMeasurementStatement) -> None:
        if node.target is None:
            raise ProgramError("a measurement keeps its result in a bit; write 'bit b = measure …'")
        target = self._expressions.operand(node.target)
        if not isinstance(target, Bits):
            raise ProgramError("a measurement is kept in a declared bit, not in an argument")
        self._measure(self._expressions.qubits(node.measure.qubit), target)

    def _measure(self, qubits: Qubits, bits: Bits) -> None:
        if len(qubits.indices) != len(bits.indices):
            counts = f"{len(qubits.indices)} qubits are measured into {len(bits.indices)} bits"
            raise ProgramError(f"{counts}; give as many")
        for qubit, bit in zip(qubits.indices, bits.indices, strict=True):
            self._builder.add(Measure(), (qubit,), (bit,))
            self._builder.writes[bit] += 1

    def visit_QuantumReset(self, node: ast.QuantumReset) -> None:
        for qubit in self._expressions.qubits(node.qubits).indices:
            self._builder.add(Reset(), (qubit,))

    def visit_QuantumBarrier(self, node: ast.QuantumBarrier) -> None:
        operands = [self._expressions.qubits(each).indices for each in node.qubits]
        if not operands:
            inside, builder = self._builder.frame.gate_qubits, self._builder
            size = builder.num_qubits or builder.physical_qubits if inside is None else inside
            operands = [tuple(range(size))]
        qubits = list(dict.fromkeys(chain.from_iterable(operands)))
        if qubits:
            self._builder.add(Barrier(len(qubits)), qubits)

    def visit_DelayInstruction(self, node: ast.DelayInstruction) -> None:
        """Check a delay; times are dropped."""
        if self._expressions.value(node.duration).type.kind is not Kind.DURATION:
            raise ProgramError("a delay takes a duration such as 100ns")
        for each in node.qubits:
            self._expressions.qubits(each)

    def visit_Box(self, node: ast.Box) -> None:
        if node.duration is not None:
            self._expressions.value(node.duration)
        self._block(node.body)

    def visit_CompoundStatement(self, node: ast.CompoundStatement) -> None:
        self._block(node.statements)

    def visit_ForInLoop(self, node: ast.ForInLoop) -> None:
        type_ = self._expressions.type_of(node.type)
        values = self._turns_of(node)
        self._turns += len(values)
        if self._turns > MAX_TURNS:
            raise ProgramError(f"loops take more than {MAX_TURNS} turns")
        # All values are those of before the loop, whose turns may measure their bits again.
        variables = [Variable(type_) for _ in values]
        for variable, value in zip(variables, values, strict=True):
            self._expressions.assign(variable, value)
        self._loops.append(self._depth)
        try:
            for variable in variables:
                self._builder.spend()
                with self._scopes.block():
                    self._scopes.declare(node.identifier.name, variable)
                    try:
                        self._block(node.block)
                    except _LeavingError as error:
                        if str(error) == "return":
                            raise
                        if str(error) == "break":
                            break
        finally:
            self._loops.pop()

    def _turns_of(self, node: ast.ForInLoop) -> Sequence[Value]:
        values = node.set_declaration
        if isinstance(values, ast.DiscreteSet):
            return [self._expressions.value(each) for each in values.values]
        if isinstance(values, ast.RangeDefinition):
            if values.start is None or values.end is None:
                raise ProgramError("a loop's range needs both ends, as in [0:3]")
            start = self._expressions.integer(values.start, "a loop's range")
            end = self._expressions.integer(values.end, "a loop's range")
            numbers = self._expressions.range_of(start, end, values.step)
            if len(numbers) > MAX_TURNS:
                raise ProgramError(f"loops take more than {MAX_TURNS} turns")
            return [Value(Type(Kind.INT), number) for number in numbers]
        bits = self._expressions.resolve(values)
        if isinstance(bits, Bits) and not bits.scalar:
            return [word_value(BOOL, [Literal(bit)]) for bit in bits.indices]
        if isinstance(bits, Value) and bits.type.kind is Kind.BITS:
            return [bits_at(bits, [place], BOOL) for place in range(bits.type.bits)]
        raise ProgramError("a loop goes through a range [first:last], a set {a, b} or bits")

    def visit_BreakStatement(self, node: ast.BreakStatement) -> None:
        self._leave("break", self._loops)

    def visit_ContinueStatement(self, node: ast.ContinueStatement) -> None:
        self._leave("continue", self._loops)

    def _leave(self, word: str, depths: Sequence[int]) -> NoReturn:
        """Leave a loop or subroutine, but not where measured bits decide about that."""
        if not depths:
            raise ProgramError(f"'{word}' stands outside of a loop or subroutine")
        if self._depth != depths[-1]:
            raise ProgramError(
                f"'{word}' under a condition on measured bits is not supported; put an 'if' around "
                "the following statements"
            )
        raise _LeavingError(word)

    def visit_SubroutineDefinition(self, node: ast.SubroutineDefinition) -> None:
        self._need_global("a subroutine")
        if node.return_type is not None:
            raise ProgramError(RETURNS)
        self._declare(node.name.name, node)

    def visit_ReturnStatement(self, node: ast.ReturnStatement) -> None:
        if node.expression is not None:
            raise ProgramError(RETURNS)
        self._leave("return", self._bodies)

    def visit_ExpressionStatement(self, node: ast.ExpressionStatement) -> None:
        call = node.expression
        if not isinstance(call, ast.FunctionCall):
            raise ProgramError("a statement must apply a gate or a subroutine")
        name = call.name.name
        symbol = self._scopes.find(name)
        if not isinstance(symbol, ast.SubroutineDefinition):
            raise ProgramError(f"'{name}' is no gate, and no subroutine defined before it")
        wanted = symbol.arguments
        if len(call.arguments) != len(wanted):
            raise ProgramError(f"'{name}' takes {len(wanted)} arguments")
        if name in self._calls:
            raise ProgramError(f"subroutine '{name}' calls itself; write its gates out")
        arguments = list(map(self._argument, wanted, call.arguments))
        passed = [q for each in arguments if isinstance(each, Qubits) for q in each.indices]
        if len(set(passed)) < len(passed):
            raise ProgramError(f"'{name}' is given one qubit twice; pass each once")
        self._bodies.append(self._depth)
        loops, self._loops = self._loops, []
        self._calls.append(name)
        try:
            with suppress(_LeavingError), self._scopes.body():
                for formal, argument in zip(wanted, arguments, strict=True):
                    self._scopes.declare(formal.name.name, argument)
                self._block(symbol.body)
        finally:
            self._calls.pop()
            self._loops = loops
            self._bodies.pop()

    def _argument(
        self, formal: ast.QuantumArgument | ast.ClassicalArgument, actual: ast.Expression
    ) -> Qubits | Variable:
        """Return the value of an argument in a subroutine."""
        if isinstance(formal, ast.ClassicalArgument):
            variable = Variable(self._expressions.type_of(formal.type))
            self._expressions.assign(variable, self._expressions.value(actual))
            return variable
        qubits = self._expressions.operand(actual)
        size = None if formal.size is None else self._register_size(formal.size)
        name = formal.name.name
        if not isinstance(qubits, Qubits):
            raise ProgramError(f"argument '{name}' takes qubits")
        if size is None and not qubits.scalar:
            raise ProgramError(f"argument '{name}' takes one qubit")
        if size is not None and (qubits.scalar or len(qubits.indices) != size):
            raise ProgramError(f"argument '{name}' takes {size} qubits")
        return qubits

    def visit_Include(self, node: ast.Include) -> None:
        """Make the standard library known."""
        if node.filename != STANDARD_INCLUDE:
            raise ProgramError(
                f"unable to include '{node.filename}'; write its definitions into this file"
            )
        self._need_global("an include")
        if not self._standard:
            self._standard = True
            for name, gate in STANDARD_LIBRARY.items():
                self._declare(name, gate)

    def _declare(self, name: str, symbol: Symbol) -> None:
        """Give a name a meaning in the innermost scope."""
        if self._scopes.is_global and name in BUILT_IN:
            raise ProgramError(f"'{name}' is built in; choose another name")
        self._scopes.declare(name, symbol)

    def _need_global(self, what: str) -> None:
        """Refuse a declaration in a block."""
        if not self._scopes.is_global:
            raise ProgramError(f"{what} can only be declared outside of all blocks")

    def _register_size(self, node: ast.Expression) -> int:
        """Return the size of a register."""
        size = self._expressions.constant_size(node)
        if size < 1:
            raise ProgramError(f"a register has {size} places; give it at least 1")
        return size

    def visit_QubitDeclaration(self, node: ast.QubitDeclaration) -> None:
        """Declare qubits."""
        self._need_global("a qubit")
        size = 1 if node.size is None else self._register_size(node.size)
        indices = self._builder.add_qubits(node.qubit.name, size)
        self._declare(node.qubit.name, Qubits(indices, scalar=node.size is None))

    def visit_ClassicalDeclaration(self, node: ast.ClassicalDeclaration) -> None:
        """Declare a classical variable; bits may be set by a measurement."""
        first = node.init_expression
        if isinstance(node.type, ast.BitType):
            if not isinstance(first, ast.QuantumMeasurement | None):
                raise ProgramError("bits have no initial values; measurements write them")
            qubits = None if first is None else self._expressions.qubits(first.qubit)
            bits = self._bits(node)
            if qubits is not None:
                self._measure(qubits, bits)
            return
        if isinstance(first, ast.QuantumMeasurement):
            raise ProgramError("a measurement is kept in a bit; declare it as bit")
        variable = Variable(self._expressions.type_of(node.type))
        if first is not None:
            self._expressions.assign(variable, self._expressions.value(first))
        self._declare(node.identifier.name, variable)

    def _bits(self, node: ast.ClassicalDeclaration | ast.IODeclaration) -> Bits:
        size = getattr(node.type, "size", None)
        count = 1 if size is None else self._register_size(size)
        name = node.identifier.name
        bits = Bits(self._builder.add_clbits(name, count), scalar=size is None)
        self._declare(name, bits)
        return bits

    def visit_IODeclaration(self, node: ast.IODeclaration) -> None:
        """Declare an input or an output."""
        self._need_global("an input or output")
        name = node.identifier.name
        is_input = node.io_identifier is ast.IOKeyword.input
        if isinstance(node.type, ast.BitType) and not is_input:
            self._bits(node)
            return
        type_ = self._expressions.type_of(node.type)
        if is_input and type_.kind is not Kind.FLOAT:
            raise ProgramError(f"input '{name}' is no real number; declare it as float")
        self._declare(name, Variable(type_, Value(type_, Parameter(name)) if is_input else None))

    def visit_ConstantDeclaration(self, node: ast.ConstantDeclaration) -> None:
        """Declare a constant."""
        type_ = self._expressions.type_of(node.type, const=True)
        value = self._expressions.value(node.init_expression)
        if value.known is None or not value.type.const:
            name = node.identifier.name
            raise ProgramError(f"'{name}' is a constant, but its value is not; use constants only")
        variable = Variable(type_)
        self._expressions.assign(variable, value)
        assert variable.value is not None
        if type_.kind in INTEGERS and variable.value.known != value.known:
            raise ProgramError(f"{value.known} does not fit into '{type_}'; widen the type")
        self._declare(node.identifier.name, variable)

    def visit_AliasStatement(self, node: ast.AliasStatement) -> None:
        """Give qubits or bits another name."""
        target = self._expressions.resolve(node.value)
        if not isinstance(target, Qubits | Bits):
            raise ProgramError("'let' names qubits or bits; use const for a number")
        self._declare(node.target.name, target)

    def visit_ClassicalAssignment(self, node: ast.ClassicalAssignment) -> None:
        """Assign a value to a variable."""
        if isinstance(node.rvalue, ast.QuantumMeasurement):
            raise ProgramError("a measurement is kept in a bit; assign it to one")
        lvalue = node.lvalue
        name = lvalue.name if isinstance(lvalue, ast.IndexedIdentifier) else lvalue
        variable = self._expressions.symbol(name)
        if isinstance(variable, Bits):
            raise ProgramError(f"'{name.name}' is written by measurements only; use bool or uint")
        if not isinstance(variable, Variable) or variable.type.const:
            raise ProgramError(f"'{name.name}' cannot be assigned to")
        if isinstance(lvalue, ast.IndexedIdentifier):
            raise ProgramError("parts of a number cannot be assigned to; assign all of it")
        value, sign = self._expressions.value(node.rvalue), node.op.name.removesuffix("=")
        if sign:
            value = self._operators.binary(sign, self._expressions.value(name), value)
        self._expressions.assign(variable, value)

    def visit_QuantumGateDefinition(self, node: ast.QuantumGateDefinition) -> None:
        """Declare a gate, and check its definition."""
        self._need_global("a gate")
        self._declare(node.name.name, node)
        names = [each.name for each in (*node.arguments, *node.qubits)]
        if len(set(names)) < len(names):
            raise ProgramError(f"gate '{node.name.name}' has two arguments of one name")
        # Finds mistakes in gates that are never applied; these angles may suit no function in it.
        with suppress(UncomputableError):
            self._defined(node, tuple(0.5 for _ in node.arguments))

    def _defined(self, node: ast.QuantumGateDefinition, parameters: tuple[float, ...]) -> Unitary:
        """Return the definition of a gate of the program, with parameters in radians."""
        name = node.name.name
        if name in self._open:
            raise ProgramError(f"gate '{name}' calls itself; define it by others")
        self._open.append(name)
        frame = Frame(gate_qubits=len(node.qubits))
        try:
            with self._scopes.body(), self._builder.gathering(frame):
                for argument, number in zip(node.arguments, parameters, strict=True):
                    variable = Variable(Type(Kind.FLOAT), Value(Type(Kind.FLOAT), number))
                    self._scopes.declare(argument.name, variable)
                for i, qubit in enumerate(node.qubits):
                    self._scopes.declare(qubit.name, Qubits((i,), scalar=True))
                self._follow(node.body)
        finally:
            self._open.pop()
        circuit = QuantumCircuit(len(node.qubits), global_phase=frame.phase)
        for each in frame.instructions:
            assert isinstance(each, Applied)
            circuit.append(each.operation, each.qubits, copy=False)
        return Unitary(circuit, frame.convention)

    def visit_QuantumGate(self, node: ast.QuantumGate) -> None:
        """Apply a gate."""
        if node.duration is not None:
            self._expressions.value(node.duration)
        symbol = self._gate_symbol(node)
        name, given = node.name.name, len(node.arguments)
        if isinstance(symbol, ast.QuantumGateDefinition):
            wanted, width = len(symbol.arguments), len(symbol.qubits)
        else:
            wanted, width = symbol.parameters, symbol.qubits

        def unitary(numbers: tuple[float, ...]) -> Unitary:
            if (name, numbers) not in self._unitaries:
                self._unitaries[name, numbers] = (
                    self._defined(symbol, numbers)
                    if isinstance(symbol, ast.QuantumGateDefinition)
                    else symbol.unitary(numbers)
                )
            return self._unitaries[name, numbers]

        if given != wanted:
            raise ProgramError(f"gate '{name}' takes {wanted} parameters, not {given}")
        self._apply(node, name, width, node.arguments, unitary)

    def _gate_symbol(self, node: ast.QuantumGate) -> Gate:
        name = node.name.name
        symbol = self._scopes.find(name)
        if symbol is None and name == "U":
            return U
        if isinstance(symbol, Gate):
            return symbol
        if isinstance(symbol, ast.SubroutineDefinition):
            raise ProgramError(f"'{name}' is a subroutine; call it as {name}(…)")
        shown = name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}…"
        target = name.removeprefix("mc")
        if name in STANDARD_LIBRARY:
            hint = f"include '{STANDARD_INCLUDE}'"
        elif target != name and target in STANDARD_LIBRARY:
            hint = f"write 'ctrl(n) @ {target}' for n controls"
        else:
            hint = "define it first"
        raise ProgramError(f"gate '{shown}' is not defined; {hint}")

    def visit_QuantumPhase(self, node: ast.QuantumPhase) -> None:
        """Apply a global phase."""
        self._apply(
            node, "gphase", 0, [node.argument], lambda x: Unitary(QuantumCircuit(global_phase=x[0]))
        )

    def _apply(
        self,
        node: ast.QuantumGate | ast.QuantumPhase,
        name: str,
        width: int,
        arguments: Sequence[ast.Expression],
        unitary: Callable[[tuple[float, ...]], Unitary],
    ) -> None:
        """Apply a gate under its modifiers to all qubits that it is broadcast over."""
        parameters = [self._expressions.angle(each) for each in arguments]
        modifiers = [(each.modifier.name, self._argument_of(each)) for each in node.modifiers]
        controls = sum(int(number) for kind, number in modifiers if kind.endswith("ctrl"))
        operands = [self._expressions.qubits(each) for each in node.qubits]
        if len(operands) != width + controls:
            extra = f" with {how_many(controls, 'control')} (ctrl, negctrl)" * bool(controls)
            wanted = f"takes {width + controls} qubits, not {len(operands)}"
            raise ProgramError(f"gate '{name}'{extra} {wanted}")
        places = list(_broadcast(operands))

        def build(*numbers: Number) -> None:
            for number in numbers:
                if not (isinstance(number, ParameterExpression) or isfinite(number)):
                    raise UncomputableError(f"a gate's parameter is {number}, not finite")
            try:
                result = unitary(numbers)
                for kind, number in reversed(modifiers):
                    if kind.endswith("ctrl") and result.differs:
                        self._builder.warn(PHASE_OF_U)
                    result = result.modified(kind, number)
            except (TypeError, CircuitError) as error:
                if not any(isinstance(number, ParameterExpression) for number in numbers):
                    raise
                raise ProgramError(NO_SYMBOLS) from error
            for qubits in places:
                self._write(result, qubits)

        contents = [parameter.content for parameter in parameters]
        numbers = [each for each in contents if isinstance(each, int | float | ParameterExpression)]
        if len(numbers) == len(parameters):
            build(*numbers)
        else:
            self._build_by_value(parameters, build)

    def _build_by_value(self, parameters: Sequence[Value], build: Callable[..., None]) -> None:
        """Apply a gate whose parameters depend on measured bits, under a condition for each."""
        bits, rows = combinations(parameters)
        different = list(dict.fromkeys(rows))
        if len(different) > MAX_GATE_VALUES:
            raise ProgramError(
                f"a gate's parameter takes more than {MAX_GATE_VALUES} values, as it depends on "
                "measured bits; put gates under if instead"
            )
        for chosen in different:
            condition = tabulated(BOOL, bits, [int(row == chosen) for row in rows])
            with self._builder.gathering(Frame()) as frame:
                build(*chosen)
            self._branch(condition, frame.instructions, [])

    def _branch(
        self, condition: Value, then: Sequence[Instruction], otherwise: Sequence[Instruction]
    ) -> None:
        expression = self._operators.conditions.expression(condition)
        self._builder.frame.instructions.append(Branch(expression, then, otherwise))

    def _argument_of(self, node: ast.QuantumGateModifier) -> float:
        """Return the argument of a modifier; of controls, how many there are."""
        name = node.modifier.name
        if node.argument is None:
            return 1
        if name == "pow":
            value = self._expressions.value(node.argument)
            if value.known is None or value.type.kind not in INTEGERS | {Kind.FLOAT}:
                raise ProgramError("a power is a number that does not depend on bits")
            if not abs(value.known) <= MAX_POWER:
                raise UncomputableError(f"the power {value.known} is beyond {MAX_POWER:,}")
            return float(value.known)
        number = self._expressions.integer(node.argument, f"the argument of '{name}'")
        if number < 1:
            raise ProgramError(f"'{name}({number})' needs at least one control")
        return number

    def _write(self, unitary: Unitary, qubits: Sequence[int]) -> None:
        self._builder.frame.phase += unitary.circuit.global_phase
        self._builder.frame.convention += unitary.convention
        self._builder.spend()
        for item in unitary.circuit.data:
            inside = (unitary.circuit.find_bit(qubit).index for qubit in item.qubits)
            self._builder.add(item.operation, [qubits[i] for i in inside])

    def visit_BranchingStatement(self, node: ast.BranchingStatement) -> None:
        """Follow an `if` with its `else`."""
        condition = self._expressions.truth(node.condition)
        self._decide([(condition, node.if_block)], node.else_block)

    def _decide(
        self,
        cases: Sequence[tuple[Value, Sequence[ast.Statement]]],
        otherwise: Sequence[ast.Statement],
    ) -> None:
        """Follow the first case whose condition holds, where bits decide about that every one."""
        if not cases:
            self._block(otherwise)
            return
        (condition, block), *others = cases
        if condition.known is not None:
            if condition.known:
                self._block(block)
            else:
                self._decide(others, otherwise)
            return
        then, other = self._both(
            condition, lambda: self._block(block), lambda: self._decide(others, otherwise)
        )
        if then or other:
            self._branch(condition, then, other)

    def _both(
        self, condition: Value, first: Callable[[], None], second: Callable[[], None]
    ) -> tuple[Sequence[Instruction], Sequence[Instruction]]:
        """Follow both ways of a condition on measured bits.

        Afterwards a variable has the value that the condition selects, or none where the bits that
        this takes have been written on the way.
        """
        variables = list(self._scopes.variables())
        before = [(each.value, each.counts) for each in variables]
        writes = list(self._builder.writes)
        counts = {bit: writes[bit] for bit in condition.reads}
        ways = []
        self._depth += 1
        for way in (first, second):
            self._builder.writes[: len(writes)] = writes
            for each, (value, valid) in zip(variables, before, strict=True):
                each.value, each.counts = value, valid
            with self._builder.gathering(Frame()) as frame:
                way()
            states = [(each.value, self._expressions.is_current(each)) for each in variables]
            ways.append((frame.instructions, states, list(self._builder.writes)))
        self._depth -= 1
        self._builder.writes[:] = map(max, zip_longest(*(way[2] for way in ways), fillvalue=0))
        fresh = all(self._builder.writes[bit] == count for bit, count in counts.items())
        for each, (old, valid), (a, a_current), (b, b_current) in zip(
            variables, before, ways[0][1], ways[1][1], strict=True
        ):
            if a is old and b is old:
                each.value, each.counts = old, valid
                continue
            each.value = None
            if a is not None and b is not None and fresh and a_current and b_current:
                each.value = self._operators.selected(condition, a, b)
                if each.value is not None:
                    each.counts = {bit: self._builder.writes[bit] for bit in each.value.reads}
        return ways[0][0], ways[1][0]

    def visit_SwitchStatement(self, node: ast.SwitchStatement) -> None:
        """Follow a `switch`."""
        target = self._expressions.value(node.target)
        if target.type.kind not in INTEGERS | {Kind.BITS, Kind.BOOL}:
            raise ProgramError(f"a switch decides by a whole number, not '{target.type}'")
        if not node.cases:
            raise ProgramError("a switch has no case; add one")
        cases = [([self._label(each) for each in labels], body) for labels, body in node.cases]
        every = [label for labels, _ in cases for label in labels]
        if len(set(every)) < len(every):
            raise ProgramError("a switch has one label twice; use each once")
        otherwise = [] if node.default is None else node.default.statements
        if target.known is not None:
            block = next((b.statements for n, b in cases if int(target.known) in n), otherwise)
            self._block(block)
            return
        decided = [
            (self._operators.is_any_of(target, labels), body.statements) for labels, body in cases
        ]
        start = len(self._builder.frame.instructions)
        self._decide(decided, otherwise)
        instructions = self._builder.frame.instructions[start:]
        if instructions and not any(condition.known for condition, _ in decided):
            switch = self._as_switch(target, [labels for labels, _ in cases], instructions)
            self._builder.frame.instructions[start:] = switch

    def _label(self, node: ast.Expression) -> int:
        value = self._expressions.value(node)
        if value.known is None or not value.type.const:
            raise ProgramError("a label of a case is a constant whole number")
        return self._expressions.integer(node, "a label of a case")

    def _as_switch(
        self, target: Value, cases: Sequence[Sequence[int]], nested: Sequence[Instruction]
    ) -> Sequence[Instruction]:
        """Return nested branches as one switch, where a register or bit decides alone."""
        if not isinstance(target.content, Table):
            return nested
        bits, builder = target.content.bits, self._builder
        place = builder.clbits[bits[0]] if len(bits) == 1 else builder.registers.get(bits)
        if place is None:
            return nested
        numbers = [int(value) for value in target.content.values]
        parts: list[tuple[tuple[int, ...] | None, Sequence[Instruction]]] = []
        for labels in cases:
            values = tuple(i for i, number in enumerate(numbers) if number in labels)
            if values and nested:
                (branch,) = nested
                assert isinstance(branch, Branch)
                parts.append((values, branch.then))
                nested = branch.otherwise
        if nested:
            parts.append((None, nested))
        return [Switch(place, parts)]


def _broadcast(operands: Sequence[Qubits]) -> Iterator[tuple[int, ...]]:
    """Yield the qubits of each gate that one statement applies."""
    sizes = {len(each.indices) for each in operands if not each.scalar}
    if len(sizes) > 1:
        raise ProgramError(
            f"registers of {' and '.join(map(str, sorted(sizes)))} qubits stand in one gate; use "
            "registers of one size"
        )
    for turn in range(sizes.pop() if sizes else 1):
        qubits = tuple(each.indices[0 if each.scalar else turn] for each in operands)
        if len(set(qubits)) < len(qubits):
            raise ProgramError("a gate acts on one qubit twice; name each once")
        yield qubits
