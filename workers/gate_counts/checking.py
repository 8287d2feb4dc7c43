"""A suite against its baseline: one row an entry, and what the rows add up to."""

from collections.abc import Mapping, Sequence

from attrs import frozen

from workers.gate_counts.baseline import Baseline, Line, entry_digest
from workers.gate_counts.counts import Change, Counts, Verdict, compare
from workers.gate_counts.environment import all_versions
from workers.gate_counts.running import Counted
from workers.gate_counts.suite import Entry, Key, Tolerance


@frozen
class Row:
    """What has become of one entry.

    Args:
        key: the entry's.
        before: what the baseline says; None where it does not know the entry.
        after: what was counted; None where the suite does not name it.
        verdict: how the two compare.
        cached: whether the counts were known from before.
        tolerance: how much depth and gates may grow; None where the suite does not name it.
    """

    key: Key
    before: Counts | None
    after: Counts | None
    verdict: Verdict
    cached: bool = False
    tolerance: Tolerance | None = None

    @property
    def change(self) -> Change:
        """What has become of it, in a word."""
        return self.verdict.change


@frozen(eq=False)
class Check:
    """A whole comparison.

    Args:
        rows: the suite's in its order, then those that only the baseline knows.
        versions: those that differ: of the baseline and of now, `""` where there is none.
            A baseline without any has not been written yet.
    """

    rows: Sequence[Row]
    versions: Mapping[str, tuple[str, str]]

    def count(self, change: Change) -> int:
        """Return how many entries have changed in this way."""
        return sum(row.change is change for row in self.rows)

    @property
    def passed(self) -> bool:
        """Return whether nothing is worse, nothing missing and no program changed."""
        return not any(row.change.fails for row in self.rows)

    @property
    def outdated(self) -> bool:
        """Whether the baseline should be rewritten, now that it passed."""
        return self.passed and any(row.change in (Change.BETTER, Change.NEW) for row in self.rows)


def check(entries: Sequence[Entry], counted: Sequence[Counted], baseline: Baseline) -> Check:
    """Compare what was counted with the baseline.

    Args:
        entries: of the suite.
        counted: for each of them.
        baseline: what they are held to.
    """
    rows = [_row(entry, one, baseline) for entry, one in zip(entries, counted, strict=True)]
    named = {entry.key for entry in entries}
    rows += [
        Row(key, line.counts, None, Verdict(Change.MISSING, ("the suite does not name it",)))
        for key, line in baseline.lines.items()
        if key not in named
    ]
    now = all_versions()
    names = sorted(baseline.versions.keys() | now.keys()) if baseline.versions else ()
    pairs = {name: (baseline.versions.get(name, ""), now.get(name, "")) for name in names}
    return Check(rows, {name: pair for name, pair in pairs.items() if pair[0] != pair[1]})


def _row(entry: Entry, one: Counted, baseline: Baseline) -> Row:
    line = baseline.lines.get(entry.key)
    before = None if line is None else line.counts
    verdict = compare(before, one.counts, entry.tolerance)
    if line is not None and line.digest != (digest := entry_digest(entry)):
        # A failure is worse, whatever the program.
        change = verdict.change if one.counts.failed else Change.CHANGED
        verdict = Verdict(
            change, (*verdict.reasons, f"another program, digest {line.digest} → {digest}")
        )
    return Row(entry.key, before, one.counts, verdict, one.cached, entry.tolerance)


def new_lines(entries: Sequence[Entry], counted: Sequence[Counted]) -> list[Line]:
    """Return the lines of a new baseline, in the order of the suite."""
    return [Line.of(entry, one.counts) for entry, one in zip(entries, counted, strict=True)]
