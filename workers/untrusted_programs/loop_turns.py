"""How many turns loops of OpenQASM 3 take at most, by their text alone.

Bounds are sums, differences and products of whole numbers, of constants that were given such, and
of the variables of loops around. Each stands for an interval, so that nothing is run.
"""

import ast
from collections.abc import Mapping, Sequence
from math import prod
from typing import TypeAlias

from attrs import define, field

from compiler.errors import CircuitFileError

Interval: TypeAlias = tuple[int, int]
Known: TypeAlias = Mapping[str, Interval | None]
"""What names may be; None for any number."""

MOST_BOUND_TOKENS = 64
"""In one bound."""

MOST_VALUE = 10**18
"""Of a number; what is larger is not known any further, since products of such grow for ever."""

MOST_TURNS = 10**9
"""What is not counted any further."""


@define
class Loops:
    """The loops around a place in a program.

    Args:
        name: of the program, for messages.
        values: what the names so far may be; None for any number.
    """

    name: str
    _open: list[tuple[int, int]] = field(factory=list, init=False)
    values: dict[str, Interval | None] = field(factory=dict, init=False)

    @property
    def times(self) -> int:
        """How often what stands here is written out, at most."""
        return min(MOST_TURNS, prod(turns for _, turns in self._open))

    def enter(self, header: Sequence[str], ending: str, braces: int) -> None:
        """Note a loop.

        Args:
            header: its tokens up to its body.
            ending: the token after them.
            braces: how many are open around it.

        Raises:
            CircuitFileError: if it cannot be told how often it turns.
        """
        if header[0] != "for" or ending != "{":
            raise CircuitFileError(
                f"{self.name}: begin a loop with 'for', and put what it does in braces"
            )
        found = turns_of(header, self.values)
        if found is None:
            raise CircuitFileError(
                f"{self.name}: write a loop's range in digits, as in [0:4], or as sums and "
                "products of whole numbers, constants, and variables of loops around it"
            )
        turns, values = found
        self._open.append((braces, turns))
        self._note(header[header.index("in") - 1], values)

    def leave(self, braces: int) -> None:
        """Forget loops that have ended; so many braces are open."""
        self._open = [(around, turns) for around, turns in self._open if around < braces]

    def declare(self, statement: Sequence[str]) -> None:
        """Note a constant; what a name may be in any scope, it may be in all."""
        if "=" in statement:
            place = statement.index("=")
            self._note(statement[place - 1], interval_of(statement[place + 1 :], self.values))

    def forget(self, names: Sequence[str]) -> None:
        """Note that names may be any number, as the arguments of subroutines."""
        self.values |= dict.fromkeys(names)

    def _note(self, name: str, values: Interval | None) -> None:
        before = self.values.get(name, values)
        both = None if before is None or values is None else _hull([before, values])
        self.values[name] = both


def turns_of(header: Sequence[str], known: Known) -> tuple[int, Interval] | None:
    """Return how often a loop turns at most, and what its variable may be.

    Args:
        header: tokens from `for` to the end of the range or set.
        known: what names may be.

    Returns:
        None where that cannot be told.
    """
    if header.count("in") != 1:
        return None
    values = header[header.index("in") + 1 :]
    if len(values) < 2 or (values[0], values[-1]) not in (("[", "]"), ("{", "}")):
        return None
    parts = _parts(values[1:-1], "," if values[0] == "{" else ":")
    found = [interval_of(part, known) for part in parts]
    intervals = [interval for interval in found if interval is not None]
    if len(intervals) != len(found):
        return None
    if values[0] == "{":
        return len(parts), _hull(intervals)
    return _of_range(intervals)


def opens_set(statement: Sequence[str], token: str) -> bool:
    """Tell whether a brace belongs to the set that a loop goes through, not to its body."""
    if token == "{":
        return statement[:1] == ["for"] and statement[-1] == "in"
    return token == "}" and statement[:1] == ["for"]


def _of_range(parts: Sequence[Interval]) -> tuple[int, Interval] | None:
    match parts:
        case [first, last]:
            step = (1, 1)
        case [first, step, last]:
            pass
        case _:
            return None
    if step[0] <= 0 <= step[1]:
        return None
    upward = step[0] > 0
    far = last[1] - first[0] if upward else first[1] - last[0]
    return max(0, far // min(map(abs, step)) + 1), _hull([first, last])


def interval_of(tokens: Sequence[str], known: Known) -> Interval | None:
    """Return between which numbers an expression lies, None if that cannot be told."""
    if len(tokens) > MOST_BOUND_TOKENS or not all(token.isascii() for token in tokens):
        return None
    try:
        return _interval(ast.parse(" ".join(tokens), mode="eval").body, known)
    except (SyntaxError, KeyError, ValueError):
        return None


def _interval(node: ast.expr, known: Known) -> Interval:
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return _bounded((value, value))
        case ast.Name(id=name):
            return _bounded(known[name])
        case ast.UnaryOp(op=ast.USub(), operand=inside):
            low, high = _interval(inside, known)
            return -high, -low
        case ast.BinOp(left=left, op=op, right=right):
            return _bounded(_combined(_interval(left, known), op, _interval(right, known)))
    raise ValueError


def _bounded(values: Interval | None) -> Interval:
    if values is None or max(map(abs, values)) > MOST_VALUE:
        raise ValueError
    return values


def _combined(left: Interval, op: ast.operator, right: Interval) -> Interval:
    match op:
        case ast.Add():
            return left[0] + right[0], left[1] + right[1]
        case ast.Sub():
            return left[0] - right[1], left[1] - right[0]
        case ast.Mult():
            products = [a * b for a in left for b in right]
            return min(products), max(products)
    raise ValueError


def _hull(intervals: Sequence[Interval]) -> Interval:
    return min(low for low, _ in intervals), max(high for _, high in intervals)


def _parts(tokens: Sequence[str], separator: str) -> list[list[str]]:
    """Split tokens; bounds have no separators inside."""
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token == separator:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts
