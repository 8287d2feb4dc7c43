"""Names of a program: their meaning and visibility."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TypeAlias

from attrs import define, field, frozen
from openqasm3 import ast

from compiler.formats.openqasm.version_3.circuit import ProgramError, StandardGate
from compiler.formats.openqasm.version_3.values import Type, Value


@frozen
class Qubits:
    """A reference to qubits.

    Args:
        indices: of the qubits, in order.
        scalar: whether it is one qubit, and no register.
    """

    indices: tuple[int, ...]
    scalar: bool

    noun = "qubit"


@frozen
class Bits:
    """A reference to classical bits that measurements write.

    Args:
        indices: of the bits, the lowest first.
        scalar: whether it is one bit, and no register.
    """

    indices: tuple[int, ...]
    scalar: bool

    noun = "bit"


@define(eq=False)
class Variable:
    """A classical variable or constant.

    Args:
        type: as declared.
        value: None where it is unknown, because it was assigned nowhere, or on some paths only, or
            because a bit that it was computed from has been measured again.
        counts: how often each measured bit that the value depends on had been written.
    """

    type: Type
    value: Value | None = None
    counts: Mapping[int, int] = field(factory=dict)


Gate: TypeAlias = ast.QuantumGateDefinition | StandardGate
Symbol: TypeAlias = Qubits | Bits | Variable | Gate | ast.SubroutineDefinition
"""Meaning of a name; a subroutine's statements are written out wherever it is called."""


class Scopes:
    """The scopes that are open, each with its names."""

    def __init__(self) -> None:
        self._scopes: list[dict[str, Symbol]] = [{}]
        self._bodies: list[int] = []

    @property
    def is_global(self) -> bool:
        """Return whether statements stand in no block."""
        return len(self._scopes) == 1

    def declare(self, name: str, symbol: Symbol) -> None:
        """Give a name a meaning in the innermost scope.

        Raises:
            ProgramError: if it has one there.
        """
        if name in self._scopes[-1]:
            raise ProgramError(f"'{name}' is already defined; choose another name")
        self._scopes[-1][name] = symbol

    def find(self, name: str) -> Symbol | None:
        """Return the meaning of a name, None if it is not defined or not visible."""
        bottom = self._bodies[-1] if self._bodies else 0
        for scope in reversed(self._scopes[bottom:]):
            if name in scope:
                return scope[name]
        symbol = self._scopes[0].get(name) if bottom else None
        if isinstance(symbol, Gate | ast.SubroutineDefinition):
            return symbol
        return symbol if isinstance(symbol, Variable) and symbol.type.const else None

    def is_hidden(self, name: str) -> bool:
        """Return whether a name is defined, but not visible in this gate or subroutine."""
        return self.find(name) is None and any(name in scope for scope in self._scopes)

    def variables(self) -> Iterator[Variable]:
        """Yield all variables that are not constant."""
        for scope in self._scopes:
            for symbol in scope.values():
                if isinstance(symbol, Variable) and not symbol.type.const:
                    yield symbol

    @contextmanager
    def block(self) -> Iterator[None]:
        """Open a scope from which all names around it are visible."""
        self._scopes.append({})
        try:
            yield
        finally:
            self._scopes.pop()

    @contextmanager
    def body(self) -> Iterator[None]:
        """Open the scope of a gate or subroutine, from which only global constants are visible."""
        self._bodies.append(len(self._scopes))
        try:
            with self.block():
                yield
        finally:
            self._bodies.pop()
