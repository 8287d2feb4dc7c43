"""What benchmark figures are told apart by: what was compiled, for what, and how."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from attrs import fields
from sqlalchemy import SQLColumnExpression, String, cast

from workers.metrics.labels import plain
from workers.orders import CompileOrder
from workers.records import Compilation

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

USUAL_OBJECTIVE = fields(CompileOrder).objective.default

Row = TypeVar("Row")


def combination(compilation: Compilation) -> tuple[str, ...]:
    """Return the values of `LABELS`."""
    asked = [
        "" if compilation.objective == USUAL_OBJECTIVE else compilation.objective,
        "any input" if compilation.any_input else "",
        *(f"without {name}" for name in sorted(compilation.without)),
    ]
    return tuple(
        map(
            plain,
            (
                compilation.program,
                compilation.target,
                compilation.method,
                compilation.encoding,
                ", ".join(filter(None, asked)),
            ),
        )
    )


def different(rows: Iterable[tuple[tuple[str, ...], Row]]) -> Iterator[tuple[Sequence[str], Row]]:
    """Yield rows whose labels have not been seen yet: two series must not have the same."""
    seen: set[tuple[str, ...]] = set()
    for labels, row in rows:
        if labels not in seen:
            seen.add(labels)
            yield labels, row
