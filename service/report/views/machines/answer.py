"""The answer in one sentence: whether a machine got better."""

from collections.abc import Sequence

from compiler.scores.run_comparison import Change
from service.report.reading.machines import NewestRun

MOST_NAMED = 3
MINUS = "\u2212"


def answer(newest_runs: Sequence[NewestRun]) -> str:
    """Return whether any machine got better, worse, or whether that cannot be told."""
    told = [(one, one.change) for one in newest_runs if one.change is not None]
    if not told:
        return (
            "Whether a machine got better cannot be told: no native circuit has been run twice on "
            "one machine with comparable shots (stichwerk submit --like-job N runs one again)."
        )
    changed = [(one, change) for one, change in told if change.verdict != "unclear"]
    changed.sort(key=lambda both: -abs(both[1].difference))
    of_all = f"{len(told)} comparison{'s' * (len(told) > 1)}"
    if not changed:
        one, change = max(told, key=lambda both: _certainty(both[1]))
        return (
            f"Whether a machine got better cannot be told from {of_all}: the clearest difference "
            f"is that of {_compared(one, change)}."
        )
    parts = [
        f"{one.played.runs[0].backend} got {change.verdict}: {_compared(one, change)}"
        for one, change in changed[:MOST_NAMED]
    ]
    rest = len(changed) - len(parts)
    more = [f"and so did {rest} more, see the table"] if rest else []
    return f"{'; '.join([*parts, *more])} ({len(changed)} of {of_all})."


def signed(value: float) -> str:
    """Return a difference with its sign and three digits."""
    return f"{value:+.3f}".replace("-", MINUS)


def interval(change: Change) -> str:
    """Return a difference with its interval."""
    return f"{signed(change.difference)} [{signed(change.low)}, {signed(change.high)}]"


def _compared(one: NewestRun, change: Change) -> str:
    newest, runs = one.played.runs[0], f"{change.runs} run{'s' * (change.runs > 1)}"
    return (
        f"{newest.configuration.program} ({newest.configuration.way}) on {newest.backend}, "
        f"{interval(change)} in fidelity, job {newest.job} against {runs} of the same circuit "
        f"since {one.compared[-1].at:%Y-%m-%d}"
    )


def _certainty(change: Change) -> float:
    return abs(change.difference) / (change.high - change.low)
