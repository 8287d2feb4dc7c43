"""Result of `gates check` and `gates update`: gate counts against a baseline."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, ClassVar

from compiler.words.held_inputs import ANY_INPUT, FROM_ZERO
from service.results.model import ResultModel, Value
from workers.gate_counts.baseline import Check, Row
from workers.gate_counts.counts import Change, Counts
from workers.gate_counts.suite import holds_on_any_input


class AllowedGrowth(ResultModel):
    """Share of the baseline by which figures may grow; two-qubit gates may not grow."""

    depth: float
    gates: float


class GateEntry(ResultModel):
    """One entry of a suite against its baseline."""

    change: Change
    program: str
    encoding: str
    target: str
    method: str
    options: Sequence[str]
    holds: str
    before: Annotated[Counts, Value()] | None
    after: Annotated[Counts, Value()] | None
    reasons: Sequence[str]
    tolerance: AllowedGrowth | None
    cached: bool

    @classmethod
    def of(cls, row: Row) -> "GateEntry":
        """Return a row of a comparison."""
        program, encoding, target, method, *options = row.key
        holds = ANY_INPUT if holds_on_any_input(row.key) else FROM_ZERO
        return cls.from_objects(
            row, row.verdict, program=program, encoding=encoding, target=target, method=method,
            options=options, holds=holds,
        )  # fmt: skip


class OtherVersion(ResultModel):
    """Version of a package in the baseline and now; null where it is missing."""

    baseline: str | None
    now: str | None


class GatesResult(ResultModel, commands="gates check, gates update"):
    """Gate counts of a suite against its baseline."""

    schema_version: ClassVar[int] = 3
    suite: str
    baseline: str
    passed: bool
    seconds: float
    cached: int
    """Entries whose counts were in the cache"""
    changes: Mapping[Change, int]
    """How many entries have changed in which way"""
    entries: Sequence[GateEntry]
    versions: Mapping[str, OtherVersion]
    """Packages whose version differs"""

    @classmethod
    def of(cls, done: Check, suite: Path, baseline: Path, seconds: float) -> "GatesResult":
        """Return the result of a comparison of a suite's file with the file of a baseline."""
        return cls(
            suite=str(suite),
            baseline=str(baseline),
            passed=done.passed,
            seconds=seconds,
            cached=sum(row.cached for row in done.rows),
            changes={change: done.count(change) for change in Change},
            entries=[GateEntry.of(row) for row in done.rows],
            versions={
                name: OtherVersion(baseline=before or None, now=now or None)
                for name, (before, now) in done.versions.items()
            },
        )

    @property
    def headline(self) -> str:
        """Number of entries by change, such as `1 worse, 40 same`."""
        return ", ".join(f"{n} {change}" for change, n in self.changes.items() if n)

    @property
    def changed(self) -> list[GateEntry]:
        """Entries that are not the same, the worst first."""
        order = list(Change)
        changed = [entry for entry in self.entries if entry.change is not Change.SAME]
        return sorted(changed, key=lambda entry: order.index(entry.change))

    @property
    def versions_text(self) -> str:
        """Versions that differ, empty if none do."""
        return ", ".join(
            f"{name} {of.baseline or 'none'} → {of.now or 'none'}"
            for name, of in self.versions.items()
        )
