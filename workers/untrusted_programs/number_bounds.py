"""Bounds on whole numbers in OpenQASM 3, by its text alone: sizes, powers, turns of loops.

An expression is sums, differences, products, powers and shifts of whole numbers, of constants
that were given such, and of the variables of loops around. Its value lies in an interval, so that
nothing is run.
"""

import ast
from collections.abc import Mapping, Sequence
from math import inf
from typing import TypeAlias

Interval: TypeAlias = tuple[float, float]
"""The lowest and the highest value; whole numbers, or infinite."""
Known: TypeAlias = Mapping[str, Interval | None]
"""Values of names; None for any number."""

MAX_TOKENS = 64
"""Tokens of one expression."""

MAX_VALUE = 10**18
"""Larger numbers are only known to be larger, since products of such grow without end."""


def turns_of(values: Sequence[str], known: Known) -> tuple[int, Interval] | None:
    """Return how often a loop turns at least, and the values of its variable.

    Args:
        values: tokens of the range or set, with its brackets.
        known: values of names.

    Returns:
        None where that is not known.
    """
    parts = _parts(values[1:-1], "," if values[0] == "{" else ":")
    intervals = [interval for part in parts if (interval := interval_of(part, known)) is not None]
    if len(intervals) != len(parts):
        return None
    if values[0] == "{":
        return len(parts), hull(intervals)
    return _of_range(intervals)


def _of_range(parts: Sequence[Interval]) -> tuple[int, Interval] | None:
    match parts:
        case [first, last]:
            step: Interval = (1, 1)
        case [first, step, last]:
            pass
        case _:
            return None
    if step[0] <= 0 <= step[1]:
        return None
    near = last[0] - first[1] if step[0] > 0 else first[0] - last[1]
    longest = max(map(abs, step))
    # Both may be infinite.
    turns = 0 if near < 0 or longest == inf else int(min(near, MAX_VALUE)) // int(longest) + 1
    return turns, hull([first, last])


def interval_of(tokens: Sequence[str], known: Known) -> Interval | None:
    """Return the interval that an expression lies in, None if that is not known."""
    if len(tokens) > MAX_TOKENS or not all(token.isascii() for token in tokens):
        return None
    # Python takes no zeros before a number.
    plain = [token.lstrip("0") or "0" if token.isdecimal() else token for token in tokens]
    try:
        return _interval(ast.parse(" ".join(plain), mode="eval").body, known)
    except (SyntaxError, KeyError, ValueError):
        return None


def hull(intervals: Sequence[Interval]) -> Interval:
    """Return the interval that several lie in."""
    return min(low for low, _ in intervals), max(high for _, high in intervals)


def _interval(node: ast.expr, known: Known) -> Interval:
    match node:
        case ast.Constant(value=int(value)) if not isinstance(value, bool):
            return _bounded((value, value))
        case ast.Name(id=name):
            values = known[name]
            if values is None:
                raise ValueError
            return values
        case ast.UnaryOp(op=ast.USub(), operand=inside):
            low, high = _interval(inside, known)
            return -high, -low
        case ast.BinOp(left=left, op=op, right=right):
            return _bounded(_combined(_interval(left, known), op, _interval(right, known)))
    raise ValueError


def _bounded(values: Interval) -> Interval:
    low, high = values
    return (
        -inf if low < -MAX_VALUE else min(low, MAX_VALUE),
        inf if high > MAX_VALUE else max(high, -MAX_VALUE),
    )


def _combined(left: Interval, op: ast.operator, right: Interval) -> Interval:
    match op:
        case ast.Add():
            return left[0] + right[0], left[1] + right[1]
        case ast.Sub():
            return left[0] - right[1], left[1] - right[0]
        case ast.Mult():
            products = [_product(a, b) for a in left for b in right]
            return min(products), max(products)
        case ast.Pow() if left[0] >= 0 and right[0] >= 0:
            return _power(left[0], right[0]), _power(left[1], right[1])
        case ast.LShift() if left[0] >= 0 and right[0] >= 0:
            low, high = (_product(a, _power(2, b)) for a, b in zip(left, right, strict=True))
            return low, high
    raise ValueError


def _product(a: float, b: float) -> float:
    """Return a product; 0 times any number, however large, is 0."""
    return a * b if a and b else 0


def _power(base: float, exponent: float) -> float:
    """Return a power that is exact up to `MAX_VALUE`, and infinite beyond."""
    if base in (0, 1) or exponent == 0:
        return 1 if exponent == 0 else base
    # 2^64 is beyond the largest value.
    return inf if exponent > 64 or base > MAX_VALUE else base**exponent


def _parts(tokens: Sequence[str], separator: str) -> list[list[str]]:
    """Split tokens; bounds have no separators inside."""
    parts: list[list[str]] = [[]]
    for token in tokens:
        if token == separator:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts
