"""What benchmark figures are told apart by: what was compiled, for what, and how."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from sqlalchemy import SQLColumnExpression, String, cast

from compiler.words.machine_names import machine_of
from workers.compilation.variant import variant
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
    Compilation.qubits_saved.is_(None),
    # PostgreSQL compares no JSON, but text.
    cast(Compilation.without, String),
)
"""What makes up a combination in the database."""

Row = TypeVar("Row")


def combination(compilation: Compilation) -> tuple[str, ...]:
    """Return the values of `LABELS`; a device of one's own is one, whatever its calibration."""
    values = (
        compilation.program,
        machine_of(compilation.target),
        compilation.method,
        compilation.encoding,
        variant(
            compilation.objective,
            compilation.without,
            any_input=compilation.any_input,
            reuse_qubits=compilation.qubits_saved is not None,
        ),
    )
    return tuple(map(plain, values))


def different(rows: Iterable[tuple[tuple[str, ...], Row]]) -> Iterator[tuple[Sequence[str], Row]]:
    """Yield rows whose labels have not been seen yet: two series must not have the same."""
    seen: set[tuple[str, ...]] = set()
    for labels, row in rows:
        if labels not in seen:
            seen.add(labels)
            yield labels, row
