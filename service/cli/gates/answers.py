"""A comparison as JSON, and in words that tables and Markdown share."""

from pathlib import Path
from typing import Any

from attrs import asdict

from compiler.words.held_inputs import ANY_INPUT, FROM_ZERO, count_text
from workers.gate_counts.checking import Check, Row
from workers.gate_counts.counts import Change, Counts
from workers.gate_counts.iterates import Iterate, iterates
from workers.gate_counts.suite import holds_on_any_input

FIGURES = ("two_qubit_gates", "two_qubit_depth", "depth", "gates")
COLUMNS = (
    "change", "program", "encoding", "target", "method", "2q gates", "2q depth", "depth", "gates",
    "proof", "why",
)  # fmt: skip


def check_answer(done: Check, suite: Path, baseline: Path, seconds: float) -> dict[str, Any]:
    """Return all of a comparison as JSON has it."""
    return {
        "suite": str(suite),
        "baseline": str(baseline),
        "passed": done.passed,
        "seconds": seconds,
        "cached": sum(row.cached for row in done.rows),
        **{str(change): done.count(change) for change in Change},
        "entries": [_entry(row) for row in done.rows],
        "iterates": [{**asdict(one), "programs": one.programs} for one in added(done)],
        "versions": {
            name: {"baseline": before or None, "now": now or None}
            for name, (before, now) in done.versions.items()
        },
    }


def added(done: Check) -> list[Iterate]:
    """Return what Grover iterates add to their programs, as counted now."""
    return iterates({row.key: row.after for row in done.rows if row.after is not None})


def _entry(row: Row) -> dict[str, Any]:
    program, encoding, target, method, *options = row.key
    tolerance = row.tolerance
    return {
        "change": str(row.change),
        "program": program,
        "encoding": encoding,
        "target": target,
        "method": method,
        "options": options,
        "holds": ANY_INPUT if holds_on_any_input(row.key) else FROM_ZERO,
        "before": row.before and asdict(row.before),
        "after": row.after and asdict(row.after),
        "reasons": list(row.verdict.reasons),
        "tolerance": tolerance and {k: float(v) for k, v in tolerance.model_dump().items()},
        "cached": row.cached,
    }


def headline(done: Check) -> str:
    """Return how many entries have changed in which way, such as `1 worse, 40 same`."""
    return ", ".join(f"{n} {change}" for change in Change if (n := done.count(change)))


def changed_rows(done: Check) -> list[tuple[str, ...]]:
    """Return the cells of `COLUMNS` for whatever is not the same, the worst first."""
    order = list(Change)
    changed = [row for row in done.rows if row.change is not Change.SAME]
    return [_cells(row) for row in sorted(changed, key=lambda row: order.index(row.change))]


def versions_text(done: Check) -> str:
    """Return the versions that differ, `""` if none do."""
    return ", ".join(
        f"{name} {before or 'none'} → {now or 'none'}"
        for name, (before, now) in done.versions.items()
    )


def _cells(row: Row) -> tuple[str, ...]:
    program, encoding, target, *asked = row.key
    figures = [_figure(row.before, row.after, name) for name in (*FIGURES, "verified")]
    figures[0] = count_text(figures[0], from_zero=not holds_on_any_input(row.key))
    return (
        str(row.change), program, encoding, target, ", ".join(asked), *figures,
        "; ".join(row.verdict.reasons),
    )  # fmt: skip


def _figure(before: Counts | None, after: Counts | None, name: str) -> str:
    """Return `old → new`, or the one there is."""
    texts = [
        "–" if counts.failed and name != "verified" else str(getattr(counts, name))
        for counts in (before, after)
        if counts is not None
    ]
    return " → ".join(dict.fromkeys(texts))
