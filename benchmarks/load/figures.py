"""Sizes of a load test, and its results."""

from collections.abc import Sequence

from attrs import field, frozen


@frozen
class Load:
    """Sizes of a load test.

    Args:
        submissions: over HTTP.
        clients: that submit at the same time.
        alone: jobs that are submitted one after the other, each when the last is done.
        flood: jobs that one token submits before another one's.
        beside: jobs of the other token, one after the other.
        records: of a list.
        limit_seconds: of the workers for all submissions.
    """

    submissions: int = 5_000
    clients: int = 20
    alone: int = 200
    flood: int = 3_000
    beside: int = 20
    records: int = 100_000
    limit_seconds: float = 1800.0


@frozen
class Measured:
    """Results of a load test.

    Args:
        database: its name and version.
        figures: by name.
        problems: errors, in words.
        slow: steps above their time limit.
    """

    database: str
    figures: dict[str, float] = field(factory=dict)
    problems: list[str] = field(factory=list)
    slow: list[str] = field(factory=list)


def milliseconds(name: str, seconds: Sequence[float]) -> dict[str, float]:
    """Return the median, the 90th and the 99th percentile, and the largest."""
    ordered = sorted(seconds)
    if not ordered:
        return {}
    at = {
        f"p{part}": ordered[min(len(ordered) - 1, len(ordered) * part // 100)]
        for part in (50, 90, 99)
    }
    return {
        f"{name} {which} ms": 1000 * value for which, value in (*at.items(), ("max", ordered[-1]))
    }
