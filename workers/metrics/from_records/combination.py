"""What benchmark figures are told apart by: what was compiled, for what, and how."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from attrs import fields
from sqlalchemy import SQLColumnExpression, String, cast

from compiler.compilation import Options
from compiler.lowering.pipeline import passes_from_zero
from workers.metrics.labels import plain
from workers.records.tables import Compilation

MOST = 200
"""Combinations that are exported of compilations, and as many of runs: the newest."""

LABELS = ("program", "target", "method", "encoding", "variant")

COLUMNS: tuple[SQLColumnExpression[Any], ...] = (
    Compilation.program,
    Compilation.target,
    Compilation.method,
    Compilation.encoding,
    Compilation.objective,
    Compilation.any_input,
    # PostgreSQL compares no JSON, but text.
    cast(Compilation.without, String),
)
"""What makes up a combination in the database."""

USUAL_OBJECTIVE = fields(Options).objective.default

Row = TypeVar("Row")


def combination(compilation: Compilation) -> tuple[str, ...]:
    """Return the values of `LABELS`."""
    values = (
        compilation.program,
        compilation.target,
        compilation.method,
        compilation.encoding,
        ", ".join(_variant(compilation)),
    )
    return tuple(map(plain, values))


def _variant(compilation: Compilation) -> Iterator[str]:
    """Yield what is unusual; all that uses the known input is said in one word."""
    left_out, from_zero = set(compilation.without), set(passes_from_zero())
    if compilation.objective != USUAL_OBJECTIVE:
        yield compilation.objective
    if compilation.any_input:
        yield "any input"
    elif from_zero <= left_out:
        yield "without from-zero"
    if from_zero <= left_out:
        left_out -= from_zero
    yield from (f"without {name}" for name in sorted(left_out))


def different(rows: Iterable[tuple[tuple[str, ...], Row]]) -> Iterator[tuple[Sequence[str], Row]]:
    """Yield rows whose labels have not been seen yet: two series must not have the same."""
    seen: set[tuple[str, ...]] = set()
    for labels, row in rows:
        if labels not in seen:
            seen.add(labels)
            yield labels, row
